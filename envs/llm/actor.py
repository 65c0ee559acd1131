"""One patient's lines, spoken by a chat model: what it is told, and how it is asked again.

The instructions and the record stand in the system message, the record as data that nothing in it can close. The talk
follows as chat messages, so that the provider's own roles keep the two speakers apart; angle brackets are made harmless
in them, for some chat templates would take a control token for one.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from bedside.cases.persona import Persona
from bedside.cases.seeds import derive_seed
from bedside.chat.delimited import data_block
from bedside.chat.model import ChatModel, EmptyAnswerError, Message, Sampling
from bedside.chat.structured import Tally
from bedside.envs.delivery import complete_sentences, spoken
from bedside.envs.episode import Turn
from bedside.envs.manner import manner
from bedside.envs.orchestrator import UNREAL
from bedside.verifier.grounding import Scope

__all__ = ["Actor", "prompt", "system_message"]

_PROMPTS = Path(__file__).parent / "prompts"
_HARMLESS = str.maketrans("<>", "‹›")
_TELLING = 5
"""Words from which on an answer is too long to be given twice by chance."""
_NOBODY_SPEAKS = "(Nobody says anything.)"


@cache
def prompt(name: str) -> str:
    """Return one of the prompt files."""
    return (_PROMPTS / f"{name}.txt").read_text(encoding="utf-8").strip()


def system_message(role: Scope, persona: Persona, data: Mapping[str, Any], *, guided: bool) -> Message:
    """Return what a patient is told about itself.

    Args:
        role: ``interview`` or ``discharge``.
        persona: How the patient is.
        data: What the patient knows.
        guided: Whether to ask it to stay with its record.
    """
    # VeriSim's interviews say what an ideal patient does too; at discharge the traits have the word.
    ways = "\n".join(f"- {line}" for line in manner(persona, ideal=role == "interview"))
    parts = [prompt(role), prompt(f"{role}_stay")] if guided else [prompt(role)]
    return Message(role="system", content="\n\n".join((*parts, f"How you are:\n{ways}", data_block(data))))


class Actor:
    """Speaks for one patient throughout one encounter."""

    def __init__(
        self, model: ChatModel, sampling: Sampling, usage: Tally, system: Message, opening: str, seed: int
    ) -> None:
        """Make an actor.

        Args:
            model: Who speaks.
            sampling: How; the seed is set for each line.
            usage: Where to count what was asked for.
            system: See :func:`system_message`.
            opening: What the patient has said before the first turn.
            seed: Every line's seed follows from it.
        """
        self.opening = opening
        self._model, self._sampling, self._usage = model, sampling, usage
        self._system, self._seed = system, seed
        self._rejected = ""

    def line(self, heard: str, turns: Sequence[Turn], attempt: int, feedback: str) -> str:
        """Return a candidate answer, empty if the model had none; see :class:`~bedside.envs.patient.Patient`.

        Raises:
            ChatError: The model could not be reached.
        """
        messages = [self._system, *self._talk(turns), _said_by("user", f"{_reminder(turns)}{heard or _NOBODY_SPEAKS}")]
        if attempt:
            messages += [
                _said_by("assistant", self._rejected or "…"),
                _said_by(
                    "user", f"(You cannot say that. {feedback} Answer once more, in other words, as the patient.)"
                ),
            ]
        seed = derive_seed(self._seed, "line", len(turns), attempt) % 2**31
        try:
            answer = self._model.complete(messages, self._sampling.model_copy(update={"seed": seed}))
        except EmptyAnswerError as error:
            # Nothing is broken: a candidate without words is rejected like any other, and asked for again.
            answer = error.completion
        self._usage.add((answer,))
        self._rejected = answer.text
        text = complete_sentences(answer.text) if answer.finish == "length" else answer.text
        return "" if _goes_round(text, heard, turns) else text

    def _talk(self, turns: Sequence[Turn]) -> list[Message]:
        # Many chat templates want the user to begin.
        messages = [_said_by("user", "(Hello.)"), _said_by("assistant", self.opening)]
        for turn in turns:
            messages += [_said_by("user", turn.heard or _NOBODY_SPEAKS), _said_by("assistant", turn.patient)]
        return messages


def _reminder(turns: Sequence[Turn]) -> str:
    """What the orchestrator has to say about the patient's last line, if it was unlike a patient."""
    remark = turns[-1].oversight if turns else ""
    return f"(Your last answer was {remark} Stay the patient.)\n" if remark.startswith(UNREAL) else ""


def _goes_round(text: str, heard: str, turns: Sequence[Turn]) -> bool:
    """True for an answer, word for word the last one, to another question: it is none."""
    if not turns or turns[-1].heard == heard or len(text.split()) < _TELLING:
        return False
    return spoken(text, 50)[0] == turns[-1].patient


def _said_by(role: str, text: str) -> Message:
    return Message.model_validate({"role": role, "content": text.translate(_HARMLESS)})
