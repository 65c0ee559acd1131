"""The frame of every scripted educator: a talk planned from the briefing, said turn by turn.

What an educator says is planned once an encounter begins; only those that listen change it on the way.
Documents are asked for after the talk and are answered from the same plan.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence

from bedside.cases.fact import (
    AnyFact,
    Condition,
    FollowUp,
    Instruction,
    Medication,
    Procedure,
    ReturnSign,
    Test,
    Treatment,
)
from bedside.clinicians.paperwork import filled_checklist
from bedside.clinicians.plan import Plan, parse_plan
from bedside.clinicians.sentences import Style, lines_of
from bedside.envs.stages import STAGES as STAGES_IN_ORDER
from bedside.envs.stages import stage_asked

__all__ = ["STAGES", "ScriptedEducator", "ordered", "place_of", "said", "words_in_pieces"]

STAGES: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("diagnosis", (Condition,)),
    ("hospital stay", (Procedure, Test, Treatment)),
    ("medicines", (Medication,)),
    ("care at home", (Instruction,)),
    ("warning signs", (ReturnSign,)),
    ("appointments", (FollowUp,)),
)
"""The six topics of a discharge talk in the order in which a nurse would take them up."""


def ordered(request: str) -> tuple[tuple[str, tuple[type, ...]], ...]:
    """Return the stages in the order that the protocol wants: its own if the request names a stage."""
    if stage_asked(request) is None:
        return STAGES
    return tuple(sorted(STAGES, key=lambda stage: place_of(stage[0])))


def place_of(title: str) -> int:
    """Return where a protocol in stages has a stage."""
    return [stage.title for stage in STAGES_IN_ORDER].index(title)


def said(facts: Sequence[AnyFact], style: Style) -> list[str]:
    """Say facts of one stage, one text a fact."""
    return [" ".join(line.text for line in lines_of(fact, style, first=n == 0)) for n, fact in enumerate(facts)]


def words_in_pieces(text: str, size: int) -> list[str]:
    """Cut a text into pieces of at most ``size`` words, line breaks kept."""
    pieces: list[list[str]] = [[]]
    count = 0
    for line in text.splitlines():
        words = len(line.split())
        if count + words > size and pieces[-1]:
            pieces.append([])
            count = 0
        pieces[-1].append(line)
        count += words
    return ["\n".join(lines).strip() for lines in pieces if any(line.strip() for line in lines)]


class ScriptedEducator:
    """Says a fixed list of turns, then takes leave.

    Subclasses write the turns. One instance plays one encounter after another.
    """

    name = ""
    farewell = "Goodbye, and thank you for your time."

    def __init__(self) -> None:
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forget the last encounter."""
        self.seed = seed
        self.stages = STAGES
        self._turns: list[str] | None = None

    def act(self, observation: dict[str, str]) -> str:
        """Say the next turn, or write the document that is asked for."""
        plan = parse_plan(observation["briefing"])
        if observation["request"] == "summary":
            return self.summary(plan)
        if observation["request"] == "checklist":
            return self.checklist(plan)
        if self._turns is None:
            self.stages = ordered(observation["request"])
            self._turns = [turn for turn in self.script(plan) if turn.strip()]
        return self._turns.pop(0) if self._turns else self.farewell

    @abstractmethod
    def script(self, plan: Plan) -> Iterable[str]:
        """Return the turns of the talk."""

    def summary(self, plan: Plan) -> str:
        """Return the after-visit summary for the patient."""
        paragraphs = (" ".join(said(plan.of(*kinds), "plain")) for _, kinds in STAGES)
        return "\n\n".join(paragraph for paragraph in paragraphs if paragraph)

    def checklist(self, plan: Plan) -> str:
        """Return the discharge checklist as JSON."""
        return filled_checklist(plan).model_dump_json(indent=1)
