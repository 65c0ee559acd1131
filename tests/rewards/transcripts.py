"""Encounters written by hand or from a plan, as episodes that never ran."""

from collections.abc import Sequence
from functools import lru_cache

from bedside.cases.case import Case
from bedside.cases.fact import FollowUp, Instruction, Medication, Procedure, ReturnSign, Test, Treatment
from bedside.cases.persona import Persona
from bedside.cases.sources import load_cases
from bedside.envs.episode import Answer, Episode, Option, Recollection, StopReason, Turn
from bedside.verifier.verdict import Verdict

ORDER: tuple[Option, Option, Option] = ("answer", "distractor", "irrelevant")


@lru_cache(maxsize=1)
def open_cases() -> tuple[Case, ...]:
    return tuple(load_cases("open"))


def open_case(case_id: str) -> Case:
    return next(case for case in open_cases() if case.id.startswith(case_id))


def turns_of(texts: Sequence[str], answers: Sequence[str] = ()) -> tuple[Turn, ...]:
    replies = [*answers, *["Okay."] * (len(texts) - len(answers))]
    return tuple(
        Turn(clinician=text, heard=text, patient=reply, verdict=Verdict(overall="pass"))
        for text, reply in zip(texts, replies, strict=True)
    )


def exam_of(case: Case, right: int) -> tuple[Answer, ...]:
    """An exam with the first ``right`` questions answered rightly."""
    return tuple(
        Answer(question=question.id, order=ORDER, chosen="answer" if number < right else "distractor")
        for number, question in enumerate(case.questions)
    )


def recall_of(**answers: str) -> tuple[Recollection, ...]:
    return tuple(Recollection(area=area, text=text) for area, text in answers.items())


UNKNOWING = recall_of(
    diagnosis="I don't know.",
    treatments="I don't remember.",
    post_discharge="I'm not sure.",
    follow_up="Nobody told me.",
    return_signs="I don't know.",
    medications="I can't remember.",
)


def talk(case: Case, texts: Sequence[str], answers: Sequence[str] = (), **fields: object) -> Episode:
    """A finished discharge talk, by default one that left the patient as it was."""
    given: dict[str, object] = {
        "exam_before": exam_of(case, 3),
        "exam": exam_of(case, 3),
        "recall_before": UNKNOWING,
        "recall": UNKNOWING,
        "stop": StopReason.COMPLETE,
    }
    episode = Episode(
        env="bedside/Discharge-v0",
        case=case.id,
        persona=Persona(),
        policy="by-hand",
        seed=0,
        turns=turns_of(texts, answers),
    )
    return Episode.model_validate({**dict(episode), **given, **fields})


def interview(case: Case, diagnosis: str | None, turns: int = 5, **fields: object) -> Episode:
    episode = Episode(
        env="bedside/Diagnosis-v0",
        scope="interview",
        case=case.id,
        persona=Persona(),
        policy="by-hand",
        seed=0,
        turns=turns_of(["Does it hurt when you breathe in?"] * turns),
        stop=StopReason.DIAGNOSED,
        diagnosis=diagnosis,
    )
    return Episode.model_validate({**dict(episode), **fields})


def gold_lesson(case: Case) -> list[str]:
    """A complete and correct talk, one turn a topic, in sentences made from the plan."""
    turns: dict[str, list[str]] = {}
    for fact in case.plan:
        turns.setdefault(fact.kind if fact.kind != "medication" else f"drug {fact.id}", []).extend(_lines(fact))
    return [" ".join(lines) for lines in turns.values()]


def _lines(fact: object) -> list[str]:
    match fact:
        case Medication(change="stopped"):
            return [f"Stop taking {fact.text}."]
        case Medication():
            how = " ".join(filter(None, (fact.dose, fact.route, fact.frequency, fact.duration)))
            lines = [f"Take {fact.text} {how}."]
            if fact.purpose:
                lines.append(f"{fact.text} is for {fact.purpose}.")
            return lines + [f"About {fact.text}: {p[0].lower()}{p[1:]}" for p in fact.precautions]
        case ReturnSign():
            where = {
                "911": "Call 911",
                "emergency": "Come back to the emergency room",
                "clinic": "Call the clinic",
            }
            return [f"{where[fact.urgency]} right away for {fact.text}."]
        case FollowUp():
            return [f"You will see {fact.text} {fact.when or ''} for {fact.purpose or 'a visit'}."]
        case Instruction():
            return [fact.text]
        case Test() | Procedure():
            return [
                f"We did this in the hospital: {fact.text}."
                + (f" It showed this: {fact.result}." if fact.result else "")
            ]
        case Treatment():
            return [f"In the hospital you were given {fact.text}."]
        case _:
            return [f"You were in the hospital because you have {fact.text}."]  # type: ignore[attr-defined]


def gold_recall(case: Case) -> tuple[Recollection, ...]:
    """What a patient with a perfect memory would say."""

    def joined(*kinds: str) -> str:
        return ". ".join(f.text.rstrip(".") for f in case.plan if f.kind in kinds) + "."

    drugs = [f for f in case.plan if isinstance(f, Medication) and f.change != "stopped"]
    return recall_of(
        diagnosis=f"I have {next(f.text for f in case.plan if f.kind == 'condition')}.",
        treatments=joined("treatment", "procedure", "test"),
        post_discharge=joined("instruction"),
        follow_up=joined("follow_up"),
        return_signs=joined("return_sign"),
        medications=" ".join(f"I take {d.text} {d.dose or ''} {d.route or ''}." for d in drugs),
    )
