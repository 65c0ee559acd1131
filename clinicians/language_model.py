"""A language model as clinician: the system under test, in both encounters."""

import json
from functools import lru_cache
from pathlib import Path

from bedside.cases.seeds import derive_seed
from bedside.chat.model import ChatModel, Message, Sampling
from bedside.envs.checklist import Checklist
from bedside.envs.episode import Usage
from bedside.envs.stages import stage_asked

__all__ = ["LanguageModelClinician"]

_DOCUMENT_TOKENS = 2048
"""A page needs more room than a turn of talk."""

_PROMPTS = Path(__file__).parent / "prompts"
_REQUESTS = {
    "diagnose": "(This is your last message. Answer with one line: Final Diagnosis: NAME OF THE CONDITION)",
    "summary": (
        "(The talk is over. Write the patient a personal discharge summary: everything they need at home, in words "
        "that fit how they spoke with you.)"
    ),
    "checklist": (
        "(Now fill in the discharge checklist for this patient: one JSON object that follows this schema, and nothing "
        f"else. {json.dumps(Checklist.model_json_schema())})"
    ),
}


@lru_cache(maxsize=2)
def _prompt(name: str) -> str:
    return (_PROMPTS / f"{name}.txt").read_text(encoding="utf-8").strip()


class LanguageModelClinician:
    """Lets a chat model speak; it gets the prompt of its role, the briefing and the whole dialogue.

    Attributes:
        usage: What the model was asked for in this encounter.
    """

    def __init__(self, model: ChatModel, sampling: Sampling | None = None) -> None:
        self.name = model.name
        self._model = model
        self._sampling = sampling or Sampling()
        self._messages: list[Message] = []
        self._seed = 0
        self.usage = Usage()

    def reset(self, seed: int) -> None:
        """Forget the last encounter."""
        self._messages = []
        self._seed = seed
        self.usage = Usage()

    def act(self, observation: dict[str, str]) -> str:
        """Say the next thing.

        Raises:
            bedside.chat.model.ChatError: The model gave no usable answer.
        """
        if not self._messages:
            role = "doctor" if observation["request"] in ("ask", "diagnose") else "educator"
            system = f"{_prompt(role)}\n\n{observation['briefing']}"
            self._messages.append(Message(role="system", content=system))
        heard = observation["patient"] or "(The patient says nothing.)"
        request = observation["request"]
        if aside := f"({request.capitalize()}.)" if stage_asked(request) else _REQUESTS.get(request):
            heard = f"{heard}\n\n{aside}"
        self._messages.append(Message(role="user", content=heard))
        seed = derive_seed(self._seed, "clinician", len(self._messages)) % 2**31
        sampling = self._sampling.model_copy(update={"seed": seed})
        if observation["request"] in ("summary", "checklist"):
            room = max(sampling.max_tokens, _DOCUMENT_TOKENS)
            sampling = sampling.model_copy(update={"max_tokens": room})
        answer = self._model.complete(self._messages, sampling)
        self._messages.append(Message(role="assistant", content=answer.text))
        self.usage += Usage(
            calls=1,
            prompt_tokens=answer.prompt_tokens,
            completion_tokens=answer.completion_tokens,
            cost=answer.cost,
        )
        return answer.text
