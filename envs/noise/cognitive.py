"""Cognitive noise: a theory from the internet, held with more and more conviction.

The theory is never the hidden diagnosis or another name for it, never something the record holds, and always
worded as a belief.
"""

import csv
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bedside.cases.seeds import stream
from bedside.envs.noise.scene import Scene
from bedside.envs.speech.plan import Plan, Say
from bedside.envs.speech.record import Record
from bedside.verifier.text import content_stems

__all__ = ["belief_of", "bend"]

_TABLE = Path(__file__).parent.parent / "data" / "beliefs.tsv"
_OFTEN = (0.0, 0.12, 0.3, 0.45, 0.6)
_PROVOKED = (0.0, 0.4, 0.7, 0.9, 1.0)


class _Theory(NamedTuple):
    name: str
    when: frozenset[str]


@lru_cache(maxsize=1)
def _theories() -> tuple[_Theory, ...]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(_Theory(row["name"], frozenset(row["when"].split("|"))) for row in rows)


@lru_cache(maxsize=1024)
def belief_of(record: Record, seed: int) -> str:
    """Return the illness that this patient believes in."""
    stems = {s for symptom in record.symptoms for text in (symptom.text, *symptom.lay) for s in content_stems(text)}
    allowed = [theory for theory in _theories() if not _touches_truth(theory.name, record)]
    fitting = [t for t in allowed if {s for word in t.when for s in content_stems(word)} & stems]
    return stream(seed, "belief").choice(fitting or allowed).name


def _touches_truth(name: str, record: Record) -> bool:
    """True when a name is the diagnosis, kin to it, shares a word with it, or is in the record."""
    grounded = record.grounded
    truth = record.case.diagnosis
    told = {s for text in (truth.text, *truth.synonyms) for s in content_stems(text)}
    if told & set(content_stems(name)):
        return True
    hidden = grounded.diagnosis.union(*(grounded.broader(c) for c in grounded.diagnosis))
    for concept in grounded.lexicon.named(name):
        line = grounded.broader(concept)
        if line & hidden or any(concept in grounded.broader(c) for c in grounded.diagnosis):
            return True
        if any(g.concept in line or concept in g.broader for g in grounded.record):
            return True
    return any(set(content_stems(name)) <= set(content_stems(f.text)) for f in record.facts)


def bend(plan: Plan, scene: Scene) -> Plan:
    """Bring up the theory; defend it against another diagnosis."""
    level = scene.persona.noise.cognitive_processing
    if not level:
        return plan
    provoked = scene.wants("chief_complaint", "anything_else", "explanation", "diagnosis_statement", "advice") or any(
        i.concept == "topic:ideas" for i in scene.intents
    )
    # Said a few times already, it comes up less by itself.
    often = _PROVOKED[level] if provoked else _OFTEN[level] / (1 + scene.state.beliefs / (1 + level))
    if not scene.voice.chance(often):
        return plan
    key = f"belief.defend.{level}" if scene.wants("diagnosis_statement") else f"belief.{level}"
    theory = Say("believe", attribute=key, words=belief_of(scene.record, scene.seed), core=False)
    reacts = scene.wants("diagnosis_statement", "advice", "explanation")
    return (theory,) if reacts and level >= 3 else (*plan, theory)
