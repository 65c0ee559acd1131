"""Atoms: single surface forms with their metadata, the unit that the index stores and retrieval returns.

A concept has many names. Retrieval compares names, not concepts, so that a patient's words meet the words that other
people use for the same thing; what the name means, and whether this patient has it, travels along as metadata.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

__all__ = ["Atom", "Relations"]

Relations = Mapping[str, tuple[str, ...]]
_NONE: Relations = MappingProxyType({})


class Atom(NamedTuple):
    """One surface form of one concept.

    Attributes:
        text: The words.
        concept: Id of the concept they name: ``sx:chest-pain``, ``hpo:HP:0100749``, ``umls:C0008031``.
        category: ``symptom``, ``condition``, ``medication``, ``drug_class``, ``procedure``, ``allergy``, …
        lay: True when patients rather than clinicians say it.
        source: Vocabulary that asserts the form.
        term_type: Its role there: ``PT`` preferred, ``SY`` synonym, ``BN`` brand name, ``LAY``, …
        code: The vocabulary's own code, where it has one.
        relations: What is known of the concept (``drug_class``, ``may_treat``, ``finding_site``, ``is_a``, ``icd10``,
            …); shared by the atoms of a concept, never changed.
        in_history: True when a patient's record holds the concept.
        patient: Whose record; None for general knowledge.
    """

    text: str
    concept: str
    category: str
    lay: bool = False
    source: str = "core"
    term_type: str = "PT"
    code: str = ""
    relations: Relations = _NONE
    in_history: bool = False
    patient: str | None = None
