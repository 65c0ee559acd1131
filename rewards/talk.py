"""What is measured of one discharge talk, each measure once: the scores and the training reward share them."""

from functools import cached_property

from bedside.cases.case import Case
from bedside.envs.episode import Episode
from bedside.rewards.coverage import score_coverage
from bedside.rewards.exam import score_exam
from bedside.rewards.lesson import Lesson, lesson_of
from bedside.rewards.readability import score_readability
from bedside.rewards.recall import score_recall
from bedside.rewards.safety import SafetyClaim, audit
from bedside.rewards.score import Score

__all__ = ["Talk"]


class Talk:
    """A finished talk and what it came to, measured when it is asked for.

    Args:
        episode: The encounter.
        case: Its case, with a discharge plan.
    """

    def __init__(self, episode: Episode, case: Case) -> None:
        self.episode = episode
        self.case = case

    @cached_property
    def lesson(self) -> Lesson:
        """What was taught."""
        return lesson_of(self.episode, self.case)

    @cached_property
    def coverage(self) -> Score:
        """The Topic Checklist Score."""
        return score_coverage(self.lesson)

    @cached_property
    def claims(self) -> tuple[SafetyClaim, ...]:
        """Every medical claim of the educator."""
        return audit(self.episode, self.lesson)

    @cached_property
    def exam_before(self) -> Score:
        """The exam of the untaught patient."""
        return score_exam(self.episode.exam_before, self.case)

    @cached_property
    def exam(self) -> Score:
        """The exam after the talk."""
        return score_exam(self.episode.exam, self.case)

    @cached_property
    def recall_before(self) -> Score:
        """What the untaught patient could tell."""
        return score_recall(self.episode.recall_before, self.case)

    @cached_property
    def recall(self) -> Score:
        """What the patient could tell after the talk."""
        return score_recall(self.episode.recall, self.case)

    @cached_property
    def readability(self) -> Score:
        """Reading grade of the educator's turns."""
        return score_readability(self.episode.turns)
