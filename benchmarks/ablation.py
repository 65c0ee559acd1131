"""What verification does to a patient played by a language model (VeriSim, table 4).

The same doctor asks the same questions of the same patients in every arm: no control at all (``off``), a prompt that
asks the model to stay with its record (``prompt``), and that prompt with a verifier behind it. What then reached the
doctor is judged by an auditor. Where rules verified, a rules auditor finds nothing by construction; so the turns can be
written out, for people or another engine to judge.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from rich import box
from rich.table import Table

from bedside.cases.case import Case
from bedside.chat.model import Sampling
from bedside.envs.diagnosis import DiagnosisEnv
from bedside.envs.engines import make_patient
from bedside.envs.episode import Episode, Turn, Usage
from bedside.envs.llm.patient import SAMPLING
from bedside.verifier.engines import make_verifier
from bedside.verifier.grounding import ground
from bedside.verifier.verdict import Violation
from bedside.verifier.verifier import Verifier

__all__ = ["Arm", "ablate", "ablation_table", "audit"]

_QUESTIONS = (
    "Hello, I'm the doctor on duty. What brings you in today?",
    "When did it start?",
    "Where exactly do you feel it, and does it spread?",
    "How bad is it, on a scale from zero to ten?",
    "What makes it better or worse?",
    "Have you noticed anything else?",
    "What illnesses do you have, and have you had any operations?",
    "Which medicines do you take, and are you allergic to anything?",
    "Do you smoke, drink alcohol or use drugs?",
    "Do any illnesses run in your family?",
    "Did it come on suddenly or bit by bit?",
    "Is it there all the time, or does it come and go?",
    "Have you had a fever or chills?",
    "Are you short of breath?",
    "Do you feel sick, or have you thrown up?",
    "How are you sleeping and eating?",
    "Have you been in hospital before?",
    "What work do you do, and who is at home with you?",
    "How old are you?",
    "What do you think it could be?",
)
_UNTRUE: tuple[Violation, ...] = (
    "fabrication",
    "contradiction",
    "demographic_drift",
    "unjustified_denial",
    "diagnosis_leak",
)
_OUT_OF_ROLE: tuple[Violation, ...] = ("ai_disclosure", "role_reversal", "helper_voice", "unreadable")


@dataclass
class Arm:
    """What one configuration came to; shares are of the turns that reached the doctor.

    Attributes:
        verifier: Name of the verifier.
        hallucinated: Turns with a fabricated claim.
        inconsistent: Turns with a fabrication, contradiction, drift, unjustified denial or leak.
        out_of_role: Turns that are no patient's words.
        rejected: Candidates that were not let through.
        fallbacks: Turns in which nothing was.
        usage: What the models were asked for.
    """

    verifier: str
    turns: int = 0
    hallucinated: int = 0
    inconsistent: int = 0
    out_of_role: int = 0
    rejected: int = 0
    fallbacks: int = 0
    usage: Usage = field(default_factory=Usage)

    def add(self, turn: Turn, violations: Sequence[Violation]) -> None:
        """Count a turn with what the auditor found in it."""
        self.turns += 1
        self.hallucinated += "fabrication" in violations
        self.inconsistent += any(violation in _UNTRUE for violation in violations)
        self.out_of_role += any(violation in _OUT_OF_ROLE for violation in violations)
        self.rejected += len(turn.rejected)
        self.fallbacks += turn.fallback

    def figures(self) -> dict[str, float]:
        """Return the rates by name: hallucination, consistency, in role, rejections a turn, fallback."""
        of = max(self.turns, 1)
        return {
            "hallucination": self.hallucinated / of,
            "consistency": 1 - self.inconsistent / of,
            "in_role": 1 - self.out_of_role / of,
            "rejected_per_turn": self.rejected / of,
            "fallback": self.fallbacks / of,
        }


def ablate(
    cases: Sequence[Case],
    *,
    patient: str,
    verifiers: Sequence[str],
    turns: int,
    auditor: str,
    sampling: Sampling = SAMPLING,
    verifier_tokens: int | None = None,
    noise: str = "random",
    seed: int = 0,
    out: Path | None = None,
    progress: Callable[[str, int], None] | None = None,
) -> list[Arm]:
    """Play every arm and audit it.

    Args:
        cases: Played in order, all questions each, until there are enough turns.
        patient: The model, as ``PROVIDER/MODEL``.
        verifiers: Names of the arms; see :func:`~bedside.verifier.engines.make_verifier`.
        turns: In each arm.
        auditor: Name of the verifier that judges what reached the doctor.
        sampling: How the patient speaks.
        verifier_tokens: The most that a model may write of the claims of an answer; by default what a large one needs.
        noise: Of the patients.
        seed: Of everything.
        out: Folder for the episodes, a JSONL file an arm.
        progress: Called with the arm and the number of turns done.

    Raises:
        ValueError: A name cannot be used, or credentialed cases would leave this machine.
        ChatError: A model could not be reached.
    """
    if patient == "embedded":
        raise ValueError("the ablation needs a patient PROVIDER/MODEL: the embedded one has no prompt to compare")
    judge = make_verifier(auditor, cases=cases)

    def play(name: str) -> Arm:
        engine = make_patient(patient, cases=cases, guided=name != "off", sampling=sampling)
        verifier = make_verifier(name, cases=cases, max_tokens=verifier_tokens)
        env = DiagnosisEnv(cases, patient=engine, verifier=verifier, noise=noise, max_turns=len(_QUESTIONS) + 1)
        arm = Arm(name)
        for episode in _episodes(env, cases, turns, seed):
            if out is not None:
                _append(out / f"{name.partition(':')[0]}.jsonl", episode, fresh=not arm.turns)
            audit(arm, episode, env.case, judge)
            if progress:
                progress(name, arm.turns)
        return arm

    # The arms wait for models, not for each other.
    with ThreadPoolExecutor(len(verifiers)) as pool:
        return list(pool.map(play, verifiers))


def _episodes(env: DiagnosisEnv, cases: Sequence[Case], turns: int, seed: int) -> Iterator[Episode]:
    """Ask the questions of case after case; an episode here is not finished, as no diagnosis is wanted."""
    left, number = turns, 0
    while left > 0:
        case = cases[number % len(cases)]
        env.reset(seed=seed + number, options={"case": case.id})
        for question in _QUESTIONS[:left]:
            env.step(question)
        yield env.episode
        left -= len(_QUESTIONS)
        number += 1


def audit(arm: Arm, episode: Episode, case: Case, auditor: Verifier) -> None:
    """Judge every answer of the patient that reached the doctor, and count it in an arm.

    Args:
        arm: Where to count.
        episode: What was said.
        case: The patient.
        auditor: Who judges.
    """
    grounded = ground(case, "interview")
    said = [episode.opening]
    for turn in episode.turns:
        verdict = auditor.verify(turn.patient, grounded, episode.persona.noise, said, turn.heard)
        arm.add(turn, verdict.violations)
        said.append(turn.patient)
    arm.usage += episode.usage


def _append(path: Path, episode: Episode, *, fresh: bool) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb" if fresh else "ab") as file:
        file.write(episode.to_json() + b"\n")


def ablation_table(arms: Sequence[Arm]) -> Table:
    """Return the arms side by side, a column each, as in table 4."""
    table = Table("", *(arm.verifier for arm in arms), box=box.SIMPLE)
    for column in table.columns[1:]:
        column.justify = "right"
    for name in arms[0].figures():
        spec = ".2f" if name == "rejected_per_turn" else ".1%"
        table.add_row(name.replace("_", " "), *(format(arm.figures()[name], spec) for arm in arms))
    for name in ("calls", "prompt_tokens", "completion_tokens"):
        table.add_row(name.replace("_", " "), *(f"{getattr(arm.usage, name):,}" for arm in arms))
    table.add_row("turns", *(str(arm.turns) for arm in arms))
    return table
