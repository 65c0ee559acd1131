"""Every score of one encounter: the one entry, a pure function of the episode and its case.

Nothing is run again and nothing is drawn, so a transcript from anywhere is scored like one of our own, and a score
can be checked years later from the line that holds the episode.
"""

from bedside.cases.case import Case
from bedside.envs.episode import Episode, StopReason
from bedside.rewards.checklist import score_checklist
from bedside.rewards.combined import EncounterReward, match_episode
from bedside.rewards.content import score_content
from bedside.rewards.delivery import score_jargon_load, score_repetitiveness
from bedside.rewards.exam import gain, score_exam
from bedside.rewards.safety import score_safety
from bedside.rewards.score import Score
from bedside.rewards.strategies import score_strategies
from bedside.rewards.summary import SUMMARY_SCORES, score_summary
from bedside.rewards.talk import Talk

__all__ = ["DIAGNOSIS_SCORES", "DISCHARGE_SCORES", "score_episode", "unscorable"]

DISCHARGE_SCORES = (
    "exam",
    "exam_before",
    "exam_gain",
    "tcs",
    "scs",
    "scs_before",
    "scs_gain",
    "wrong_instruction",
    "unsafe_advice",
    "readability",
    "jargon_load",
    "repetitiveness",
    "content_coverage",
    "strategy_use",
    "exam_summary",
    *SUMMARY_SCORES,
    "checklist_accuracy",
    "turns",
    "fallback_rate",
    "reward",
)
DIAGNOSIS_SCORES = ("accuracy", "turns", "fallback_rate", "reward")


def score_episode(episode: Episode, case: Case) -> dict[str, Score]:
    """Score an encounter.

    Args:
        episode: A finished encounter. One that broke off by a fault, or still runs, has no score but its turns.
        case: The case it was played with.

    Returns:
        Scores by name, :data:`DISCHARGE_SCORES` or :data:`DIAGNOSIS_SCORES` according to the episode's environment. A
        score that cannot be determined has value None and says why.

    Raises:
        ValueError: The episode belongs to another case.
    """
    if episode.case != case.id:
        raise ValueError(f"the episode is of case {episode.case!r}, not {case.id!r}")
    interview = episode.scope == "interview"
    names = DIAGNOSIS_SCORES if interview else DISCHARGE_SCORES
    turns = Score(value=float(len(episode.turns)))
    if reason := unscorable(episode):
        return {name: turns if name == "turns" else Score(value=None, reason=reason) for name in names}
    found = _interview(episode, case) if interview else _talk(episode, case)
    found |= {"turns": turns, "fallback_rate": _fallback_rate(episode)}
    return {name: found[name] for name in names}


def unscorable(episode: Episode) -> str:
    """Return why an encounter has no scores at all; empty if it has."""
    if episode.stop is None:
        return "the encounter has not ended"
    if episode.stop is StopReason.FAULT:
        return episode.fault or "the encounter broke off by a fault"
    return ""


def _talk(episode: Episode, case: Case) -> dict[str, Score]:
    talk = Talk(episode, case)
    spoken = {
        "readability": talk.readability,
        "jargon_load": score_jargon_load(episode.turns),
        "repetitiveness": score_repetitiveness(episode.turns),
    }
    if not case.plan:
        missing = Score(value=None, reason="the case has no discharge plan")
        return dict.fromkeys(DISCHARGE_SCORES, missing) | spoken | {"strategy_use": score_strategies(episode.turns)}
    return {
        "exam": talk.exam,
        "exam_before": talk.exam_before,
        "exam_gain": gain(talk.exam_before, talk.exam),
        "tcs": talk.coverage,
        "scs": talk.recall,
        "scs_before": talk.recall_before,
        "scs_gain": gain(talk.recall_before, talk.recall),
        **score_safety(talk.claims),
        **spoken,
        "content_coverage": score_content(talk.lesson),
        "strategy_use": score_strategies(episode.turns, talk.lesson),
        **_documents(episode, case),
        "reward": EncounterReward().of_talk(talk),
    }


def _documents(episode: Episode, case: Case) -> dict[str, Score]:
    """Score what was handed in after the talk (DischargeSim, section 2.3)."""
    summary = Score(value=None, reason="no summary was handed in")
    return {
        "exam_summary": summary if episode.summary is None else score_exam(episode.exam_summary, case),
        **score_summary(episode.summary, case),
        "checklist_accuracy": score_checklist(episode.checklist, case),
    }


def _interview(episode: Episode, case: Case) -> dict[str, Score]:
    if not case.diagnosis.known:
        return dict.fromkeys(("accuracy", "reward"), Score(value=None, reason="the case came without a diagnosis"))
    match = match_episode(episode, case)
    said = episode.diagnosis or "no diagnosis was given"
    accuracy = Score(value=float(match.matched), evidence={match.stage: f"{said}: {match.why}"})
    return {"accuracy": accuracy, "reward": EncounterReward().score(episode, case)}


def _fallback_rate(episode: Episode) -> Score:
    """Share of turns in which no draft of the patient was fit to be heard (VeriSim, section 3.2)."""
    if not episode.turns:
        return Score(value=None, reason="there was no turn")
    return Score(value=sum(turn.fallback for turn in episode.turns) / len(episode.turns))
