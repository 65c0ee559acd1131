"""Cognitive noise: a theory from the internet, held with more and more conviction.

The theory is never the hidden diagnosis or another name for it, never something the record holds, and always
worded as a belief.
"""

import csv
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from bedside.cases.fact import Symptom
from bedside.cases.seeds import stream
from bedside.envs.noise.levels import COGNITION
from bedside.envs.noise.scene import OPEN, Scene, coloured, evadable, unanswered
from bedside.envs.speech.plan import Plan, Say
from bedside.envs.speech.record import Record
from bedside.verifier.language.text import content_stems

__all__ = ["belief_of", "bend"]

_TABLE = Path(__file__).parent.parent / "data" / "beliefs.tsv"


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
    """Bring up the theory; defend it against another diagnosis; see in questions and symptoms what fits it."""
    level = scene.persona.noise.cognitive_processing
    if not level:
        return plan
    table = COGNITION[level]
    name = belief_of(scene.record, scene.seed)
    if scene.wants(*OPEN):
        plan = _selected(plan, scene, name, table.selects)
    elif (
        evadable(plan, scene)
        and not _fits(_words(plan, scene), name)
        and scene.fails("cognitive", plan, table.dismisses)
    ):
        return unanswered(plan, scene, "cognitive.dismiss", *_theory(scene, level, name))
    return _spoken(plan, scene, level, name)


def _spoken(plan: Plan, scene: Scene, level: int, name: str) -> Plan:
    table = COGNITION[level]
    provoked = scene.wants("chief_complaint", "anything_else", "explanation", "diagnosis_statement", "advice") or any(
        i.concept == "topic:ideas" for i in scene.intents
    )
    # Said a few times already, it comes up less by itself.
    often = table.provoked if provoked else table.speaks / (1 + scene.state.beliefs / (1 + level))
    if not scene.voice.chance(often):
        return coloured(plan, scene, "cognitive", level, after=f"cognitive.frame.{level}")
    key = f"belief.defend.{level}" if scene.wants("diagnosis_statement") else f"belief.{level}"
    theory = Say("believe", attribute=key, words=name, core=False)
    reacts = scene.wants("diagnosis_statement", "advice", "explanation")
    return (theory,) if reacts and level >= 3 else (*plan, theory)


def _theory(scene: Scene, level: int, name: str) -> Plan:
    """What a dismissal may go on with."""
    return (Say("believe", attribute=f"belief.{level}", words=name, core=False),) if scene.voice.chance(0.4) else ()


def _words(plan: Plan, scene: Scene) -> str:
    asked = (intent.target or "" for intent in scene.questions)
    told = (word for say in plan if say.fact for word in (say.fact.text, *say.fact.lay))
    return " ".join((*asked, *told)).lower()


def _fits(words: str, name: str) -> bool:
    """True when a theory explains what the words are about."""
    theory = next((t for t in _theories() if t.name == name), None)
    return theory is not None and any(sign in words for sign in theory.when)


def _selected(plan: Plan, scene: Scene, name: str, chance: float) -> Plan:
    """Leave out of an open answer what the theory does not explain."""
    kept = tuple(
        say
        for say in plan
        if not (
            say.move == "affirm"
            and isinstance(say.fact, Symptom)
            and not _fits(_words((say,), scene), name)
            and scene.fails("cognitive", (say,), chance)
        )
    )
    return kept or (Say("believe", attribute=f"belief.{max(1, scene.persona.noise.cognitive_processing)}", words=name),)
