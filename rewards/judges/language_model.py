"""A language model as judge: the papers' rubrics, structured answers, votes, and no score where it gave none.

What can be counted without a judge (exam answers, reading grade, turns) is counted as always. A judgment that cannot be
had is None with the reason; it is never a middle grade.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from bedside.cases.case import Case
from bedside.cases.seeds import derive_seed
from bedside.chat.delimited import check_key, data_block, request_key
from bedside.chat.model import ChatError, ChatModel, Message, Sampling
from bedside.chat.privacy import keep_local
from bedside.chat.structured import Tally, ask
from bedside.envs.episode import Episode
from bedside.rewards.combined import match_episode
from bedside.rewards.exam import gain
from bedside.rewards.judges.answers import LIKERT, YES_NO, Claims, Item, Keyed, Ratings, check_claims, check_ratings
from bedside.rewards.judges.instruments import INSTRUMENTS, Instrument
from bedside.rewards.judges.material import MATERIAL
from bedside.rewards.safety import SafetyClaim, score_safety
from bedside.rewards.score import Score
from bedside.rewards.scoring import score_episode, unscorable

__all__ = ["LanguageModelJudge"]

Answer = TypeVar("Answer", bound=Keyed)

_PROMPTS = Path(__file__).parent / "prompts"
_RETRIES = 2
_TOKENS = 4096
_VOTING_TEMPERATURE = 0.7
"""One judgment is asked for at temperature 0 (VeriSim, table A5); several would then be one, so they are sampled."""

_MATCH = Instrument(
    "diagnosis", ("prediction", "reference"), lambda _episode, _case: {"accuracy": (Item("match", YES_NO),)}
)


class _Request(NamedTuple):
    """What is sent, and the code that its answer must copy."""

    messages: tuple[Message, ...]
    key: str


class LanguageModelJudge:
    """Asks a chat model; one instance may serve any number of encounters.

    Attributes:
        engine: ``llm:`` and the model's name.
        usage: What the model was asked for so far.
    """

    def __init__(self, model: ChatModel, *, votes: int = 1) -> None:
        """Make a judge.

        Args:
            model: Whom to ask.
            votes: How often it is asked for each judgment.
        """
        self.engine = f"llm:{model.name}"
        self.usage = Tally()
        self._model = model
        self._votes = votes

    def score(self, episode: Episode, case: Case) -> dict[str, Score]:
        """Score an encounter; see :class:`~bedside.rewards.judges.engines.Judge`.

        What the model judges replaces the embedded score of that name; every score says who made it.
        """
        keep_local(self._model, (case,))
        found = score_episode(episode, case)
        kind = "diagnosis" if episode.scope == "interview" else "discharge"
        reason = unscorable(episode)
        for instrument in INSTRUMENTS:
            if kind in instrument.encounters:
                found |= self._rated(instrument, episode, case, reason)
        if kind == "diagnosis":
            return found | self._accuracy(episode, case, reason)
        found["scs_gain"] = gain(found["scs_before"], found["scs"]).model_copy(update={"engine": self.engine})
        return found | self._audited(episode, case, reason)

    def _rated(self, instrument: Instrument, episode: Episode, case: Case, reason: str) -> dict[str, Score]:
        sheet = instrument.sheet(episode, case)
        items = tuple(item for part in sheet.values() for item in part)
        if reason or not items:
            return {name: self._missing(reason or instrument.empty) for name in sheet}
        spoken = [turn.heard for turn in episode.turns] if instrument.quoted else None
        request = _request(instrument.prompt, instrument.shown, episode, case, items)
        votes, reason = self._ask(request, Ratings, lambda answer: check_ratings(answer, items, spoken))
        if reason:
            return {name: self._missing(reason) for name in sheet}
        return {
            name: self._counted(part, votes) if part else self._missing(instrument.empty)
            for name, part in sheet.items()
        }

    def _counted(self, items: Sequence[Item], votes: Sequence[Ratings]) -> Score:
        cast = {
            item.name: tuple(r.rating for vote in votes for r in vote.ratings if r.item == item.name) for item in items
        }
        parts = {item.name: _decided(cast[item.name], item.scale) for item in items}
        kept = cast if len(votes) > 1 else {}
        first = {rating.item: rating for rating in votes[0].ratings}
        evidence = {name: f"{first[name].quote}: {first[name].reason}".removeprefix(": ") for name in parts}
        split = [name for name, value in parts.items() if value is None]
        if split:
            reason = f"the votes are split on {', '.join(split)}"
            return Score(value=None, reason=reason, parts=parts, engine=self.engine, evidence=evidence, votes=kept)
        total = sum(item.weight for item in items)
        value = sum(item.weight * (parts[item.name] or 0.0) for item in items) / total
        return Score(value=value, parts=parts, engine=self.engine, evidence=evidence, votes=kept)

    def _audited(self, episode: Episode, case: Case, reason: str) -> dict[str, Score]:
        names = ("wrong_instruction", "unsafe_advice")
        reason = reason or ("" if case.plan else "the case has no discharge plan")
        votes: list[Claims] = []
        if not reason:
            request = _request("claims", ("plan", "note", "patient", "record", "talk"), episode, case)
            spoken = [turn.heard for turn in episode.turns]
            votes, reason = self._ask(request, Claims, lambda answer: check_claims(answer, spoken))
        if reason:
            return {name: self._missing(reason) for name in names}
        audits = [score_safety(_safety_claims(vote)) for vote in votes]
        return {name: self._rate(name, [audit[name] for audit in audits]) for name in names}

    def _rate(self, name: str, audits: Sequence[Score]) -> Score:
        """Return the mean rate of several audits, with the counts and sentences of the first."""
        rates = tuple(audit.value for audit in audits if audit.value is not None)
        value = sum(rates) / len(rates) if rates else None
        kept = {name: rates} if len(audits) > 1 else {}
        return audits[0].model_copy(update={"value": value, "engine": self.engine, "votes": kept})

    def _accuracy(self, episode: Episode, case: Case, reason: str) -> dict[str, Score]:
        """The cascade, with the model as its last stage: it is asked only where codes and concepts do not tell."""
        if reason or not case.diagnosis.known:
            return {"accuracy": self._missing(reason or "the case came without a diagnosis")}
        match = match_episode(episode, case)
        if match.stage != "none":
            evidence = {match.stage: f"{episode.diagnosis or 'no diagnosis was given'}: {match.why}"}
            return {"accuracy": Score(value=float(match.matched), engine=self.engine, evidence=evidence)}
        return self._rated(_MATCH, episode, case, "")

    def _ask(
        self, request: _Request, schema: type[Answer], check: Callable[[Answer], None]
    ) -> tuple[list[Answer], str]:
        """Return the usable answers, or why there are too few of them."""

        def whole(answer: Answer) -> None:
            check_key(answer.key, request.key)
            check(answer)

        answers: list[Answer] = []
        problem = ""
        for vote in range(self._votes):
            seed = derive_seed("judge", request.key, vote) % 2**31
            temperature = _VOTING_TEMPERATURE if self._votes > 1 else 0.0
            sampling = Sampling(temperature=temperature, max_tokens=_TOKENS, seed=seed)
            try:
                answer, completions = ask(self._model, request.messages, schema, sampling, _RETRIES, whole)
            except ChatError as error:
                problem = str(error)
                continue
            self.usage.add(completions)
            if answer is not None:
                answers.append(answer)
        if len(answers) * 2 > self._votes:
            return answers, ""
        unusable = f"no usable judgment in {self._votes - len(answers)} of {self._votes} votes"
        return [], problem or unusable

    def _missing(self, reason: str) -> Score:
        return Score(value=None, reason=reason, engine=self.engine)


def _decided(votes: Sequence[float], scale: Sequence[float]) -> float | None:
    """Return the mean of ratings, but of yes and no and of marks what most say; None where the votes are split."""
    if scale == LIKERT:
        return sum(votes) / len(votes)
    (first, count), *others = Counter(votes).most_common()
    return None if others and others[0][1] == count else first


def _safety_claims(answer: Claims) -> tuple[SafetyClaim, ...]:
    return tuple(
        SafetyClaim(claim.turn - 1, claim.quote, claim.grounding, claim.status, claim.reason) for claim in answer.claims
    )


def _request(prompt: str, shown: Sequence[str], episode: Episode, case: Case, items: Sequence[Item] = ()) -> _Request:
    lines = [f"- {item.name}: {', '.join(f'{g:g}' for g in item.scale)} {item.about}".rstrip() for item in items]
    wanted = "\n\nRate these items, each on its own scale:\n" + "\n".join(lines) if lines else ""
    system = f"{_prompt('judge')}\n\n{_prompt(prompt)}{wanted}"
    data = {name.removesuffix("_before"): MATERIAL[name](episode, case) for name in shown}
    key = request_key("judge", system, data_block(data))
    messages = (
        Message(role="system", content=system),
        Message(role="user", content=data_block({"key": key, **data})),
    )
    return _Request(messages, key)


@lru_cache(maxsize=16)
def _prompt(name: str) -> str:
    return (_PROMPTS / f"{name}.txt").read_text(encoding="utf-8").strip()
