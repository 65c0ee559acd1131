"""The questionnaires that a judging model fills in: what is rated, on which scale, and what it is shown for that.

Each has its rubric in ``prompts/``, in our words, after the dimensions that the papers define. Which items apply to a
case is decided here from the case and not left to the judge.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bedside.cases.case import Case
from bedside.envs.episode import Episode
from bedside.rewards.checklist import applicable_fields
from bedside.rewards.coverage import WEIGHTS, applicable_questions
from bedside.rewards.judges.answers import LIKERT, MARKS, YES_NO, Item
from bedside.rewards.recall import applicable_areas

__all__ = ["INSTRUMENTS", "Instrument"]

Sheet = Mapping[str, tuple[Item, ...]]
"""Items by the score that they make up."""


@dataclass(frozen=True)
class Instrument:
    """One questionnaire.

    Attributes:
        prompt: Name of the file with its rubric.
        shown: What the judge gets to see; names of :data:`~bedside.rewards.judges.material.MATERIAL`.
        sheet: What is to be rated of an encounter; a score without items does not apply.
        empty: Why a score has no items, when it has none.
        encounters: Where it is used.
        quoted: True when credit needs a quotation from the clinician's turns.
    """

    prompt: str
    shown: tuple[str, ...]
    sheet: Callable[[Episode, Case], Sheet]
    empty: str = ""
    encounters: tuple[str, ...] = ("discharge",)
    quoted: bool = False


def _likert(**scores: str) -> Callable[[Episode, Case], Sheet]:
    """Return a sheet that is the same for every encounter: names of items by score."""
    sheet = {name: tuple(Item(item, LIKERT) for item in items.split()) for name, items in scores.items()}
    return lambda _episode, _case: sheet


def _of_summary(**scores: str) -> Callable[[Episode, Case], Sheet]:
    full = _likert(**scores)
    return lambda episode, case: full(episode, case) if (episode.summary or "").strip() else dict.fromkeys(scores, ())


def _topics(_episode: Episode, case: Case) -> Sheet:
    return {"tcs": tuple(Item(name, YES_NO, WEIGHTS[name]) for name in applicable_questions(case))}


def _recall(episode: Episode, case: Case) -> Sheet:
    answered = {answer.area for answer in episode.recall if answer.text.strip()}
    return {"scs": tuple(Item(area, MARKS) for area in applicable_areas(case) if area in answered)}


def _recall_before(episode: Episode, case: Case) -> Sheet:
    answered = {answer.area for answer in episode.recall_before if answer.text.strip()}
    return {"scs_before": tuple(Item(area, MARKS) for area in applicable_areas(case) if area in answered)}


def _checklist(episode: Episode, case: Case) -> Sheet:
    handed_in = bool((episode.checklist or "").strip())
    return {"checklist_accuracy": tuple(Item(name, MARKS) for name in applicable_fields(case) if handed_in)}


def _noise_fidelity(episode: Episode, _case: Case) -> Sheet:
    active = episode.persona.noise.active
    items = tuple(Item(pillar, LIKERT, about=f"assigned at level {level} of 4") for pillar, level in active.items())
    return {"noise_fidelity": items}


def _patient(_episode: Episode, _case: Case) -> Sheet:
    return {
        "patient_truth": (Item("truth", YES_NO),),
        "patient_realism": (Item("realism", LIKERT),),
        "clinical_utility": (Item("utility", LIKERT),),
    }


_BOTH = ("discharge", "diagnosis")

INSTRUMENTS: tuple[Instrument, ...] = (
    # DischargeBench, figures 3 and 22.
    Instrument(
        "conversation",
        ("plan", "patient", "talk"),
        _likert(conversation_quality="naturalness responsiveness clarity clinical_relevance"),
    ),
    # DischargeSim, section 3.1 and figure 14.
    Instrument(
        "delivery",
        ("patient", "talk"),
        _likert(
            language_delivery="linguistic_clarity coherence repetitiveness",
            human_centred="personalization_empathy interaction_appropriateness",
        ),
    ),
    # DischargeSim, figure 15.
    Instrument("content", ("plan", "talk"), _likert(content_rating="IRH MED DX PDT TDS FU")),
    # DischargeSim, section 2.2 and figure 16.
    Instrument("strategies", ("patient", "talk"), _likert(strategy_rating="FR GI PI DM EBC RE")),
    # DischargeBench, table 5.
    Instrument("topics", ("plan", "talk"), _topics, "the case has no discharge plan", quoted=True),
    # DischargeBench, table 6.
    Instrument("recall", ("plan", "answers"), _recall, "no recall question was answered"),
    Instrument("recall", ("plan", "answers_before"), _recall_before, "no recall question was answered"),
    # DischargeSim, section 3.2 and figures 17 and 18.
    Instrument(
        "summary_language",
        ("patient", "talk", "summary"),
        _of_summary(summary_language="fluency coherence informativeness personalization"),
        "no summary was handed in",
    ),
    Instrument(
        "summary_evidence",
        ("plan", "talk", "summary"),
        _of_summary(summary_evidence="semantic_coverage factuality relevance consistency"),
        "no summary was handed in",
    ),
    # DischargeSim, section 2.3 and table 1 (AHRQ ACC).
    Instrument("checklist", ("plan", "checklist"), _checklist, "no checklist was handed in"),
    # VeriSim, figure A7 and table A6.
    Instrument("patient", ("record", "patient", "talk"), _patient, encounters=_BOTH),
    Instrument(
        "noise_fidelity",
        ("record", "patient", "talk"),
        _noise_fidelity,
        "no pillar of noise is active",
        encounters=_BOTH,
    ),
)
"""All questionnaires of ratings, in the order in which their scores are reported."""
