"""Judging circumstances: what worsens and eases, where it spreads, what it is like, what was measured and found."""

import re

from bedside.cases.fact import AnyFact, Medication, Symptom
from bedside.cases.noise import NoiseProfile
from bedside.verifier.claim import Claim
from bedside.verifier.claims.details import side_in
from bedside.verifier.claims.modifiers import conditions_in, kin_of
from bedside.verifier.claims.qualities import qualities_in
from bedside.verifier.grounding import GroundedCase
from bedside.verifier.judgment.places import meets, sites_in
from bedside.verifier.judgment.ruling import Ruling, rule, words_of
from bedside.verifier.judgment.tolerance import AMPLIFIED, PLAYED_DOWN
from bedside.verifier.language.natures import natures_in
from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.quantities import digits
from bedside.verifier.language.text import content_stems

__all__ = ["judge_circumstance"]

# How pain may be put without saying more than that there is pain.
_PLAIN_FEELS = frozenset(("dull", "aching", "pressing", "steady"))
_SAME_FEEL = {
    "dark": {"dark", "brown"},
    "brown": {"brown", "dark"},
    "sharp": {"sharp", "shooting", "electric"},
    "boring": {"boring"},
    "throbbing": {"throbbing"},
    "electric": {"electric", "shooting", "sharp"},
}
_PLAIN_LOOKS = frozenset(("clear", "white", "watery", "thick"))
_NORMAL = Pattern(r"\b(?:normal|clean|clear|negative|fine|okay|ok|good|nothing)\b", re.IGNORECASE)
# "High" says nothing unless it is said of the same test.
_READINGS = frozenset(
    s for w in "high low positive negative abnormal raised elevated bad off up down".split() for s in content_stems(w)
)
_HALF = 0.5
_TESTS = frozenset(s for w in "test tests lab labs blood result results work scan".split() for s in content_stems(w))
_UNDER = Pattern(
    r"\b(?:with|when|on|at|after|in|while|during|to|positional|exertional|nocturnal|morning|every) ?(.*)",
    re.IGNORECASE,
)
_BOTH = Pattern(r"\b(?:both|bilateral|each (?:side|eye|ear|arm|leg|foot|hand|knee|hip|shoulder))\b")
_ONLY = Pattern(r"\b(?:only|just)\b", re.IGNORECASE)
# Named in a question, these are anywhere.
_VAGUE = frozenset(
    ("sx:pain", "sx:discomfort", "sx:swelling", "sx:numbness", "sx:weakness", "sx:tingling", "sx:bruising")
)
_GAINS = Pattern(r"\b(?:gain\w*|put on|up|heavier)\b", re.IGNORECASE)
# What is said of anything that changes names no cause.
_OF_CHANGE = frozenset(
    s for w in "worse better help ease make get more time day go keep".split() for s in content_stems(w)
)
_TEMPERATURES = (94.0, 108.0)


def judge_circumstance(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    """Judge a claim about a circumstance."""
    believed = claim.certainty == "belief" and claim.kind in ("radiation", "modifier", "quality", "result")
    if claim.denied or claim.act != "statement" or claim.experiencer != "patient" or believed:
        return rule(claim, "unverifiable", "no circumstance that is stated")
    if claim.kind in ("radiation", "reading") and (told := _verbatim(claim, grounded)):
        return rule(claim, "supported", "in the words of the record", told[:1])
    judges = {
        "modifier": _modifier, "radiation": _radiation, "quality": _quality, "side": _side,
        "reading": _reading, "severity": _severity, "result": _result, "visit": _visit, "device": _device,
    }  # fmt: skip
    return judges[claim.kind](claim, grounded, noise)


def _verbatim(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    said = digits(claim.surface.lower())
    return tuple(g.fact for g in grounded.record if said in digits(words_of(g.fact).lower()))


def _symptoms(grounded: GroundedCase) -> tuple[Symptom, ...]:
    return tuple(g.fact for g in grounded.record if isinstance(g.fact, Symptom))


def _under(fact: Symptom) -> str:
    """Conditions that the name of a symptom tells: "burning when I pee", "shortness of breath on the stairs"."""
    return " | ".join(m[1] for text in (fact.text, *fact.lay, fact.character or "") for m in _UNDER.finditer(text))


def _named_so(fact: Symptom, grounded: GroundedCase) -> str:
    """Conditions that the names of a symptom tell: orthopnea is trouble breathing when lying flat."""
    concept = grounded.facts[fact.id].concept
    forms = grounded.lexicon[concept].forms if concept in grounded.lexicon else ()
    return " | ".join(m[1] for form in forms for m in _UNDER.finditer(form))


def _modifier(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    stated = set(claim.attributes["what"].split())
    worse = claim.attributes["way"] == "worse"
    said = set(content_stems(claim.surface)) - _OF_CHANGE
    opposite: list[AnyFact] = []
    for fact in _symptoms(grounded):
        same, other = (fact.aggravating, fact.relieving) if worse else (fact.relieving, fact.aggravating)
        contrary = any(name in conditions_in(" | ".join(other)) for name in stated)
        about = " | ".join(filter(None, (*same, fact.timing)))
        if worse:
            about = f"{about} | {_under(fact)} | {_named_so(fact, grounded)}"
        setting = conditions_in(f"{fact.setting or ''} | {fact.onset or ''}") if worse else frozenset[str]()
        if any(kin_of(name) & conditions_in(about) or name in setting for name in stated):
            return rule(claim, "supported", f"recorded of {fact.text}", (fact,))
        if contrary:
            opposite.append(fact)
        if set(content_stems(" | ".join(same))) & said:
            return rule(claim, "supported", f"in the words recorded of {fact.text}", (fact,))
    if any(name in conditions_in(grounded.case.chief_complaint) for name in stated):
        return rule(claim, "supported", "in the complaint")
    taken = tuple(g.fact for g in grounded.record if isinstance(g.fact, Medication))
    if not worse and "medicine" in stated and taken:
        return rule(claim, "unverifiable", "an impression of what a drug does", taken[:1])
    if opposite:
        return rule(claim, "fabricated", "the record says the opposite", tuple(opposite))
    return rule(claim, "fabricated", f"the record names nothing of the kind that makes it {claim.attributes['way']}")


def _radiation(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    stated = set(claim.attributes["to"].split()) - {"site:whole-body"}
    if not stated:
        return rule(claim, "unverifiable", "says no more than that it is everywhere")
    side = claim.attributes.get("side")
    wrong_side: Symptom | None = None
    for fact in _symptoms(grounded):
        words = " | ".join(filter(None, (fact.radiation, fact.site, fact.text, *fact.lay, fact.character, fact.timing)))
        if meets(stated, sites_in(words)):
            if side in ("left", "right") and side_in(words) not in (None, side, "both") and side not in words.lower():
                wrong_side = fact
                continue
            return rule(claim, "supported", f"recorded of {fact.text}", (fact,))
    if wrong_side:
        return rule(claim, "fabricated", f"the record says {wrong_side.radiation or wrong_side.site}", (wrong_side,))
    return rule(claim, "fabricated", "the record tells of no spreading there")


def _quality(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    look, feel = claim.attributes.get("look"), claim.attributes.get("feel")
    known = [(fact, qualities_in(f"{words_of(fact)}")) for fact in _symptoms(grounded)]
    name = look or feel or ""
    same = _SAME_FEEL.get(name, {name})
    for fact, qualities in known:
        if same & qualities:
            return rule(claim, "supported", f"recorded of {fact.text}", (fact,))
    if name in qualities_in(grounded.case.chief_complaint):
        return rule(claim, "supported", "in the complaint")
    if name == "burning" and (hot := _hot(grounded)):
        return rule(claim, "supported", f"recorded of {hot[0].text}", hot)
    if look:
        if look in _PLAIN_LOOKS:
            return rule(claim, "unverifiable", "says no more than that it is there")
        return rule(claim, "fabricated", f"the record tells of nothing {claim.surface}")
    described = [fact for fact, qualities in known if fact.character and qualities_in(fact.character)]
    if name in _PLAIN_FEELS:
        return rule(claim, "unverifiable", "a plain way to speak of it")
    if noise.emotional_state >= 2 and not described:
        return rule(claim, "unverifiable", "coloured by emotion, which the noise profile permits")
    if described:
        return rule(claim, "fabricated", f"the record says {described[0].character}", tuple(described[:1]))
    return rule(claim, "fabricated", f"the record gives no such quality: {claim.surface}")


def _hot(grounded: GroundedCase) -> tuple[Symptom, ...]:
    """Complaints that are recorded as hot where they are: a lump that burns, and no fever."""
    return tuple(
        fact
        for fact in _symptoms(grounded)
        if fact.site and "heat" in natures_in(" | ".join((fact.text, *fact.lay, fact.character or "")))
    )


def _side(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    stated = claim.attributes["side"]
    named = set(claim.attributes["of"].split())
    places = {c for c in named if c.startswith("site:")}
    # "The swelling in your neck" asks of the neck, whatever the record calls it.
    places |= {s for c in named if c in grounded.lexicon for s in grounded.lexicon[c].relations.get("site", ())}
    asked: list[AnyFact] = []
    told: list[AnyFact] = []
    for known in grounded.record:
        words = words_of(known.fact)
        if named & (known.broader | {known.concept}) or (places and _touches(places, words, grounded)):
            asked.append(known.fact)
        if side_in(_placing(known.fact)):
            told.append(known.fact)
    if "part" in claim.attributes:
        told = []  # "My right hand" is no answer to where it hurts
    if named - _VAGUE and not asked:
        return rule(claim, "unverifiable", "the record says nothing of this part")
    about = asked or told
    for fact in about:
        words = _placing(fact)
        if re.search(rf"\b{stated}\b", words) or (_BOTH.search(words) and not _ONLY.search(claim.surface)):
            return rule(claim, "supported", f"recorded of {fact.text}", (fact,))
    if sided := [fact for fact in about if side_in(_placing(fact))]:
        return rule(claim, "fabricated", f"the record says {side_in(_placing(sided[0]))}", tuple(sided[:1]))
    if "part" not in claim.attributes and any(isinstance(f, Symptom) and f.site for f in about):
        return rule(claim, "fabricated", "the record gives no side", tuple(about[:1]))
    if not about and any(isinstance(g.fact, Symptom) and g.fact.site for g in grounded.record):
        return (
            rule(claim, "unverifiable", "the record says nothing of this part")
            if "part" in claim.attributes
            else rule(claim, "fabricated", "the record gives no side")
        )
    return rule(claim, "unverifiable", "the record gives no place")


def _placing(fact: AnyFact) -> str:
    """What an entry says of where it is; lying on the left side eases a pain on the right."""
    names = ("site", "radiation", "result", "character", "setting")
    told = (fact.text, *fact.lay, *(getattr(fact, name, None) for name in names))
    return " | ".join(filter(None, told)).lower()


def _touches(places: set[str], words: str, grounded: GroundedCase) -> bool:
    """True when words name one of the places, or a part of it, or what it is a part of."""
    ancestors = grounded.lexicon.ancestors
    return any(a in ancestors(b) or b in ancestors(a) for a in places for b in sites_in(words))


def _severity(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    stated = min(10.0, float(claim.attributes["severity"]))
    named = set(claim.attributes["of"].split())
    rated = [(g, g.fact) for g in grounded.record if isinstance(g.fact, Symptom) and g.fact.severity is not None]
    about = [fact for g, fact in rated if named & g.broader] or [fact for _, fact in rated]
    if not about:
        return rule(claim, "unverifiable", "the record gives no severity")
    for fact in about:
        true = float(fact.severity or 0)
        if true - PLAYED_DOWN[noise.social_cultural] <= stated <= true + AMPLIFIED[noise.emotional_state]:
            return rule(claim, "supported", f"recorded of {fact.text}: {fact.severity}", (fact,))
    return rule(claim, "fabricated", f"the record says {about[0].severity} out of 10", tuple(about[:1]))


def _numbers(grounded: GroundedCase) -> set[float]:
    texts = [grounded.case.chief_complaint, *(words_of(g.fact) for g in grounded.record)]
    return {float(n) for text in texts for n in re.findall(r"\d+(?:\.\d+)?", digits(text))}


def _reading(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:
    stated = [float(n) for n in claim.attributes["numbers"].split()]
    recorded = _numbers(grounded)
    if claim.attributes["of"] == "weight" and not any(
        re.search(r"weight", words_of(f), re.IGNORECASE) for f in _symptoms(grounded)
    ):
        return rule(claim, "fabricated", "the record tells of no change of weight")
    if claim.attributes["of"] == "sleep":
        recorded = {
            float(n)
            for fact in _symptoms(grounded)
            if "sleep" in words_of(fact).lower()
            for n in re.findall(r"\d+(?:\.\d+)?", digits(words_of(fact)))
        }
        if not recorded:
            return rule(claim, "unverifiable", "the record counts no hours of sleep")
    if claim.attributes["of"] == "weeks" and not any("pregnan" in words_of(g.fact).lower() for g in grounded.record):
        return rule(claim, "unverifiable", "the record counts no weeks")
    if (
        claim.attributes["of"] == "weight"
        and (way := _GAINS.search(claim.surface))
        and not any("weight" in words_of(f).lower() and _GAINS.search(words_of(f)) for f in _symptoms(grounded))
    ):
        return rule(claim, "fabricated", f"the record tells of no weight {way.group()}")
    slack = 0.3 if _TEMPERATURES[0] <= stated[0] <= _TEMPERATURES[1] else 0.02 * stated[0]
    slack *= 1 + noise.memory_recall + (claim.certainty == "hedged")
    if all(any(abs(n - r) <= slack for r in recorded) for n in stated):
        return rule(claim, "supported", "a recorded reading")
    return rule(claim, "fabricated", f"the record holds no reading of {claim.attributes['numbers']}")


def _result(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    found = set(content_stems(claim.attributes["found"]))
    test = set(content_stems(claim.attributes["test"]))
    done = [g.fact for g in grounded.record if g.fact.kind in ("test", "procedure", "treatment")]
    told = tuple(f for f in done if not test or test & set(content_stems(words_of(f))))
    normal = bool(_NORMAL.search(claim.attributes["found"]))
    if normal:
        if abnormal := tuple(
            f for f in told if getattr(f, "result", None) and not _NORMAL.search(str(getattr(f, "result", "")))
        ):
            return rule(claim, "fabricated", f"the record says {getattr(abnormal[0], 'result', '')}", abnormal)
        return rule(claim, "unverifiable", "no result that the record gives", told)
    if found and len(found & set(content_stems(grounded.case.chief_complaint))) >= _HALF * len(found):
        return rule(claim, "supported", "in the complaint")
    for known in grounded.record:
        about = set(content_stems(words_of(known.fact)))
        if known.concept in grounded.lexicon:  # diabetes is known as high sugar
            about |= {s for form in grounded.lexicon[known.concept].forms for s in content_stems(form)}
        about |= {s for name in ("since", "when") for s in content_stems(getattr(known.fact, name, None) or "")}
        if found <= _READINGS and not (test - _TESTS) & about:
            continue
        if found and len(found & about) >= _HALF * len(found):
            return rule(claim, "supported", f"recorded: {known.fact.text}", (known.fact,))
    if not found:
        return rule(claim, "unverifiable", "tells no result")
    return rule(claim, "fabricated", "the record holds no such result")


def _visit(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    for known in grounded.record:
        if re.search(
            r"hospital|admi(?:t|ssion)|emergency|\bER\b|ambulance|intensive care|\bICU\b",
            f"{words_of(known.fact)}",
            re.IGNORECASE,
        ):
            return rule(claim, "supported", f"recorded: {known.fact.text}", (known.fact,))
    return rule(claim, "fabricated", "the record tells of no such stay or visit")


def _device(claim: Claim, grounded: GroundedCase, noise: NoiseProfile) -> Ruling:  # noqa: ARG001
    device = set(content_stems(claim.attributes["device"]))
    for known in grounded.record:
        if device & set(content_stems(words_of(known.fact))):
            return rule(claim, "supported", f"recorded: {known.fact.text}", (known.fact,))
    return rule(claim, "fabricated", f"the record names no {claim.attributes['device']}")
