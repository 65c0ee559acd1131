"""The verifier as a language model: call 1 finds the claims, retrieval brings evidence, call 2 judges them.

It fails closed. An answer that cannot be read after bounded retries, lacks a claim, judges one twice or cites what
does not exist is no verdict, and without a verdict nothing is said. What needs no model is not left to one: staying in
role, and giving the diagnosis away in so many words, are checked by the rules besides.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from bedside.cases.noise import NoiseProfile
from bedside.chat.delimited import check_key
from bedside.chat.model import ChatModel, Message, Sampling
from bedside.chat.privacy import keep_local
from bedside.chat.structured import Parsed, Tally, ask
from bedside.verifier.claim import Claim
from bedside.verifier.feedback import feedback
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.knowledge.index import TOP_K
from bedside.verifier.knowledge.retrieval import Evidence, Retriever
from bedside.verifier.llm.answers import Extraction, Judgments, check_judgments
from bedside.verifier.llm.claims import LIFE, claims_from, overlooked, statement_claim
from bedside.verifier.llm.messages import Spoken, extract_messages, judge_messages, key_of, record_ids
from bedside.verifier.verdict import Judgment, Verdict, Violation
from bedside.verifier.verifier import RulesVerifier

__all__ = ["EvidenceSource", "LLMVerifier"]

_MAX_TOKENS = 1536
_RETRIES = 2
_BY_RULES: tuple[Violation, ...] = ("ai_disclosure", "role_reversal", "helper_voice", "diagnosis_leak", "unreadable")


class EvidenceSource(Retriever, Protocol):
    """A retriever that can put its evidence into words."""

    def describe(self, evidence: Evidence) -> str:
        """Return one line for a judge's prompt."""


class LLMVerifier:
    """Judges with a chat model; one instance may serve any number of encounters.

    Attributes:
        engine: ``llm:`` and the model's name.
        usage: What the model was asked for so far.
        unreadable: How many utterances were rejected because no answer could be read.
    """

    def __init__(self, model: ChatModel, retriever: EvidenceSource, max_tokens: int = _MAX_TOKENS) -> None:
        """Make a verifier.

        Args:
            model: Who extracts and judges.
            retriever: Brings the evidence; see :func:`~bedside.verifier.knowledge.retrieval.open_retriever`.
            max_tokens: The most that the claims of an utterance may take; their judgments may take twice as much.
        """
        self.engine = f"llm:{model.name}"
        self.usage = Tally()
        self.unreadable = 0
        self._model, self._retriever = model, retriever
        self._extracting = Sampling(temperature=0.0, max_tokens=max_tokens)
        self._judging = Sampling(temperature=0.0, max_tokens=2 * max_tokens)
        self._rules = RulesVerifier()

    def verify(
        self,
        utterance: str,
        grounded: GroundedCase,
        noise: NoiseProfile,
        history: Sequence[str] = (),
        question: str = "",
    ) -> Verdict:
        """Judge an utterance; see :class:`~bedside.verifier.verifier.Verifier`.

        Raises:
            ChatError: The model could not be reached.
            ValueError: The case is credentialed and the model is not on this machine.
        """
        keep_local(self._model, (grounded.case,))
        spoken = Spoken(utterance, tuple(history), question)
        rules = self._rules.verify(utterance, grounded, noise, history, question)
        certain = [v for v in rules.violations if v in _BY_RULES]
        if not utterance.strip():
            return self._verdict((), certain, grounded)
        claims = self._extract(spoken, rules.judgments, grounded)
        if claims is None:
            return self._lost(certain, grounded)
        if not claims:
            return self._verdict((), certain, grounded)
        answer = self._judge(spoken, claims, grounded, noise)
        if answer is None:
            return self._lost(certain, grounded)
        judgments = _judgments(claims, answer, grounded)
        return self._verdict(judgments, [*_violations(judgments, answer, grounded), *certain], grounded)

    def judge_statements(
        self, texts: Sequence[str], grounded: GroundedCase, noise: NoiseProfile, utterance: str = "", question: str = ""
    ) -> tuple[Judgment, ...] | None:
        """Judge claims that somebody has written down, without extraction.

        Args:
            texts: One statement each.
            grounded: The case.
            noise: What the patient may bend.
            utterance: The words that they were taken from.
            question: What those answered.

        Returns:
            One judgment for each text, in order; None if no answer could be read, which is counted.

        Raises:
            ChatError: The model could not be reached.
            ValueError: The case is credentialed and the model is not on this machine.
        """
        keep_local(self._model, (grounded.case,))
        claims = [statement_claim(text, grounded) for text in texts]
        if not claims:
            return ()
        spoken = Spoken(utterance or " ".join(texts), (), question)
        # Whether such a claim is a denial is not known, so it cannot be held to name an entry.
        answer = self._judge(spoken, claims, grounded, noise, backed=False)
        if answer is None:
            self.unreadable += 1
            return None
        return _judgments(claims, answer, grounded)

    def _extract(self, spoken: Spoken, rules: Sequence[Judgment], grounded: GroundedCase) -> list[Claim] | None:
        key = key_of(spoken, grounded, "claims")

        def check(answer: Extraction) -> None:
            check_key(answer.key, key)
            certain = [j.claim for j in rules if j.label != "unverifiable" and j.claim.kind not in LIFE]
            if certain and not answer.claims:
                raise ValueError(f"No claim is listed, but {certain[0].surface!r} is one.")

        answer = self._ask(extract_messages(spoken, key), Extraction, self._extracting, check)
        if answer is None:
            return None
        claims = claims_from(answer.claims, spoken.utterance, grounded)
        return [*claims, *overlooked(rules, claims, grounded)]

    def _judge(
        self,
        spoken: Spoken,
        claims: Sequence[Claim],
        grounded: GroundedCase,
        noise: NoiseProfile,
        *,
        backed: bool = True,
    ) -> Judgments | None:
        key = key_of(spoken, grounded, "judgments")
        known = record_ids(grounded)

        def check(answer: Judgments) -> None:
            check_key(answer.key, key)
            check_judgments(answer, claims, known, backed=backed)

        found = self._retriever.retrieve([c.attributes["statement"] for c in claims], grounded)
        evidence = [[self._retriever.describe(item) for item in line[:TOP_K]] for line in found]
        messages = judge_messages(spoken, claims, evidence, grounded, noise, key)
        return self._ask(messages, Judgments, self._judging, check)

    def _ask(
        self, messages: Sequence[Message], schema: type[Parsed], sampling: Sampling, check: Callable[[Parsed], None]
    ) -> Parsed | None:
        answer, completions = ask(self._model, messages, schema, sampling, _RETRIES, check)
        self.usage.add(completions)
        return answer

    def _lost(self, certain: Iterable[Violation], grounded: GroundedCase) -> Verdict:
        self.unreadable += 1
        return self._verdict((), ["unreadable", *certain], grounded)

    def _verdict(
        self, judgments: tuple[Judgment, ...], violations: Iterable[Violation], grounded: GroundedCase
    ) -> Verdict:
        distinct = tuple(dict.fromkeys(violations))
        return Verdict(
            overall="regenerate" if distinct else "pass",
            judgments=judgments,
            violations=distinct,
            feedback=feedback(judgments, distinct, grounded),
            engine=self.engine,
        )


def _judgments(claims: Sequence[Claim], answer: Judgments, grounded: GroundedCase) -> tuple[Judgment, ...]:
    return tuple(
        Judgment(
            claim=claims[ruled.claim - 1],
            label=ruled.verdict,
            reason=" ".join(ruled.reason.split()),
            evidence=tuple(dict.fromkeys(entry for entry in ruled.evidence if entry in grounded.facts)),
        )
        for ruled in sorted(answer.verdicts, key=lambda ruled: ruled.claim)
    )


def _violations(judgments: Sequence[Judgment], answer: Judgments, grounded: GroundedCase) -> list[Violation]:
    found: list[Violation] = ["fabrication"] if any(j.label == "fabricated" for j in judgments) else []
    # At discharge the diagnosis is the patient's own to know.
    found += [v for v in answer.violations if v != "diagnosis_leak" or grounded.scope == "interview"]
    return found
