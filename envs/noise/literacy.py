"""Health literacy: which words are known for body and illness, and whether numbers are used.

Level 0 has the clinical words, 1 plain accurate ones, 2 common words only, 3 points and avoids numbers, 4 has
hardly any words for it. Unknown jargon, and questions that are long, are asked back.
"""

import re

from bedside.cases.fact import Condition, Medication, Procedure, Symptom
from bedside.envs.intents import Intent
from bedside.envs.noise.levels import LITERACY
from bedside.envs.noise.scene import OPEN, Scene, coloured, evadable, unanswered
from bedside.envs.speech.plan import Plan, Say

__all__ = ["bend", "is_jargon"]

_JARGON = re.compile(
    r"\b(?:\w{3,}(?:emia|uria|algia|pnea|pnoea|plegia|rrhagia|rrhoea|rrhea|pathy|ectomy|otomy|emesis|"
    r"phoresis|phagia|phasia|rrhaphy|dynia|stenosis|plasty|"
    r"itis|osis|penia|megaly|edema|tropic|tension|lithiasis|copy)|syncop\w+|palpitations|radiat\w+|"
    r"exacerbat\w+|productive cough|orthostatic|febrile|malaise|"
    r"pruritus|melena|ascites|intermittent|nocturia|cardiac|renal|hepatic|gastric|pulmonary|abdominal|"
    r"chronic|acute|comorbid\w*|incontinence)\b"
)
_EVERYONE_KNOWS = re.compile(r"^(?:diarrhea|arthritis|bronchitis|hypertension|diagnosis|hepatitis)$")


# How often somebody with full literacy uses the clinical word, by education.
_CLINICAL = {1: 0.0, 2: 0.1, 3: 0.5}
_PLACES = ("site", "character", "radiation")
_LONG_WORD = 9
_EASY = 0.5
"""Share of the chance of asking back that is left for a short question in short words."""


def is_jargon(words: str) -> bool:
    """Return True for words that a patient of little health literacy would not know."""
    return any(not _EVERYONE_KNOWS.match(m[0]) for m in _JARGON.finditer(words.lower()))


def bend(plan: Plan, scene: Scene) -> Plan:
    """Choose plainer words, avoid numbers; ask back what was not understood."""
    level = scene.persona.noise.health_literacy
    if level < 2 and scene.persona.literacy == "low":
        level = 2
    if level >= 2 and (unknown := _unknown(scene)) is not None:
        return (Say("askback", words=unknown.target or ""),)
    table = LITERACY[level]
    if scene.wants(*OPEN):
        plan = _merged(plan, scene, table.merges)
    elif evadable(plan, scene):
        if _of_place(plan) and scene.fails("literacy", plan, table.wordless):
            told = "place" if any(say.attribute == "site" for say in plan) else "like"
            return unanswered(plan, scene, f"literacy.wordless.{told}")
        if scene.fails("literacy", plan, table.askback * (1.0 if _hard(scene) else _EASY)):
            return unanswered(plan, scene, f"literacy.askback.{_lost(scene)}")
    own = scene.persona.noise.health_literacy
    if own and _bodily(plan):
        plan = coloured(plan, scene, "literacy", own, after=f"literacy.words.{own}")
    if level == 0 and not scene.voice.chance(_CLINICAL[scene.persona.education]):
        level = 1
    return tuple(_worded(say, scene, level) for say in plan) if level != 1 else plan


def _bodily(plan: Plan) -> bool:
    """True for answers that take words for the body, its illnesses or their remedies."""
    return any(
        isinstance(say.fact, Symptom | Condition | Medication | Procedure)
        and (say.move != "detail" or say.attribute in (*_PLACES, "timing"))
        for say in plan
    )


def _lost(scene: Scene) -> str:
    """What it is about a question that was not understood."""
    if scene.wants("medications", "dose", "allergies"):
        return "drug" if any(i.target for i in scene.questions) else "plain"
    return "list" if len(scene.questions) > 1 else "plain"


def _of_place(plan: Plan) -> bool:
    """True for answers that need words for where and what like."""
    return any(say.move == "detail" and say.attribute in _PLACES for say in plan)


def _hard(scene: Scene) -> bool:
    """True for a question with a long word or many things in it."""
    asked = scene.questions
    named = " ".join(intent.target or "" for intent in asked)
    return len(asked) > 1 or any(len(word) >= _LONG_WORD for word in named.split()) or is_jargon(named)


def _merged(plan: Plan, scene: Scene, chance: float) -> Plan:
    """Let an open answer shrink to what there is a word for."""
    symptoms = [say for say in plan if say.move == "affirm" and isinstance(say.fact, Symptom)]
    dropped = [say for say in symptoms if scene.fails("literacy", (say,), chance)]
    if not dropped:
        return plan
    kept = tuple(say for say in plan if say not in dropped)
    if any(say.core for say in kept):
        return kept
    return (Say("phrase", attribute="literacy.merged", core=False),)


def _worded(say: Say, scene: Scene, level: int) -> Say:
    # A drug named by its purpose must not name what the doctor is to find.
    if isinstance(say.fact, Medication) and scene.record.gives_away(say.fact.purpose):
        return say
    return say._replace(plain=level)


def _unknown(scene: Scene) -> Intent | None:
    """The jargon in a question that asks one thing only, unless the patient asked about it before."""
    asked = [i for i in scene.intents if i.asked]
    if len(asked) != 1 or not asked[0].target or asked[0].target in scene.state.asked_back:
        return None
    return asked[0] if is_jargon(asked[0].target) else None
