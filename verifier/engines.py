"""Verifiers by name, so that a command line, a configuration file and a record can say which one it was.

Models, their clients and the retriever are loaded when a name asks for one, and the retriever when it is first used:
opening it embeds the knowledge, which a run that is only being checked for mistakes should not pay for.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING

from bedside.chat.privacy import Licensed, keep_local
from bedside.verifier.ablation import Unverified
from bedside.verifier.ensemble import EnsembleVerifier
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.verifier import RulesVerifier, Verifier

if TYPE_CHECKING:
    from bedside.verifier.knowledge.retrieval import Evidence
    from bedside.verifier.llm.verifier import EvidenceSource, LLMVerifier

__all__ = ["KNOWN", "make_verifier"]

KNOWN = ("rules", "llm:PROVIDER/MODEL", "ensemble:PROVIDER/MODEL", "off", "prompt")
"""What :func:`make_verifier` understands."""


def make_verifier(
    name: str,
    *,
    cases: Iterable[Licensed] = (),
    retriever: "EvidenceSource | None" = None,
    max_tokens: int | None = None,
) -> Verifier:
    """Build a verifier.

    Args:
        name: ``rules``; ``llm:openai/gpt-4.1-mini`` or any other model string; ``ensemble:`` and a model string for
            rules and model together; ``off`` and ``prompt`` for the ablation only.
        cases: What will be verified; see :func:`~bedside.chat.privacy.keep_local`.
        retriever: Evidence for a model; by default the core knowledge, opened when first used.
        max_tokens: The most that a model may write of the claims of an utterance; by default what a large one needs.

    Raises:
        ValueError: There is no such verifier or model, or credentialed cases would leave this machine.
    """
    kind, _, model = name.partition(":")
    if name == "rules":
        return RulesVerifier()
    if name in ("off", "prompt"):
        return Unverified(name)
    if kind == "llm" and model:
        return _llm(model, cases, retriever, max_tokens)
    if kind == "ensemble" and model:
        return EnsembleVerifier(RulesVerifier(), _llm(model, cases, retriever, max_tokens))
    raise ValueError(f"unknown verifier {name!r}; known are {', '.join(KNOWN)}")


def _llm(
    name: str, cases: Iterable[Licensed], retriever: "EvidenceSource | None", max_tokens: int | None
) -> "LLMVerifier":
    from bedside.chat.providers import chat_model
    from bedside.verifier.llm.verifier import LLMVerifier

    model = chat_model(name)
    keep_local(model, cases)
    evidence = retriever or _CoreKnowledge()
    return LLMVerifier(model, evidence) if max_tokens is None else LLMVerifier(model, evidence, max_tokens)


class _CoreKnowledge:
    """The retriever over the core pack, opened when it is first asked."""

    def retrieve(self, claims: Sequence[str], grounded: GroundedCase) -> "list[tuple[Evidence, ...]]":
        return _opened().retrieve(claims, grounded)

    def describe(self, evidence: "Evidence") -> str:
        return _opened().describe(evidence)


def _opened() -> "EvidenceSource":
    # Encounters run side by side in threads; opened by all of them it would be opened many times.
    with _opening:
        return _open()


_opening = Lock()


@lru_cache(maxsize=1)
def _open() -> "EvidenceSource":
    from bedside.verifier.knowledge.retrieval import open_retriever

    return open_retriever(always_embed=True)
