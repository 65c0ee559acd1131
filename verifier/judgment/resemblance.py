"""Which facts a complaint may render that has none of its own: of the same nature, or called so by people."""

from bedside.cases.fact import AnyFact, Symptom
from bedside.verifier.claim import Claim, concepts_of
from bedside.verifier.claims.qualities import qualities_in
from bedside.verifier.grounding import GroundedCase, mentions_in
from bedside.verifier.judgment.places import meets, sites_in
from bedside.verifier.language.lexicon import alike
from bedside.verifier.language.natures import natures_in

__all__ = ["as_people_say", "of_the_place"]

_PAIN = "sx:pain"
# What different things are counted among: flashes are no blur, voices are no visions.
_GROUPS = frozenset({"sx:vision-change", "sx:hallucinations"})
# What comes out of the body is not where the complaint is: who coughs up blood does not bleed after the birth.
_FLUIDS = frozenset({"site:blood"})


def as_people_say(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Facts that people do not tell apart from what is claimed, or of the same nature at the same place."""
    near = {other for concept in concepts_of(claim) for other in alike(concept)}
    natures = natures_in(claim.surface)
    # "Like an electric shock in my cheek" compares.
    feels = qualities_in(claim.surface) if _PAIN in grounded.broader(claim.concept) else frozenset()
    places = (frozenset(claim.attributes.get("at", "").split()) or _places_of(claim, grounded)) - _FLUIDS
    found = []
    for known in grounded.record:
        if not (claim.kind == "symptom" or near) or not isinstance(known.fact, Symptom):
            continue
        names = " | ".join((known.fact.text, *known.fact.lay, known.fact.site or ""))
        here = any(q in grounded.broader(p) for p in places for q in sites_in(names))
        here = here or (claim.kind == "condition" and meets(places, sites_in(names)))
        felt = feels & qualities_in(f"{names} | {known.fact.character or ''}")
        if (near & known.broader and (here or not places)) or (here and (natures & natures_in(names) or felt)):
            found.append(known.fact)
    return tuple(found)


def _places_of(claim: Claim, grounded: GroundedCase) -> frozenset[str]:
    """The parts of the body in a name, unless it is a figure of speech: "dead on my feet" is nowhere."""
    concept = grounded.lexicon.concepts.get(claim.concept)
    return sites_in(claim.surface) if concept is None or concept.relations.get("site") else frozenset()


def of_the_place(claim: Claim, grounded: GroundedCase) -> tuple[AnyFact, ...]:
    """Facts of the same nature at the same place: "my foot is numb" for "numbness in the left foot".

    A kind of pain without a place renders any recorded pain; what it feels like is judged by itself.
    """
    lexicon = grounded.lexicon
    if claim.concept not in lexicon:
        return ()
    line = lexicon.ancestors(claim.concept) - {claim.concept}
    places = frozenset(lexicon[claim.concept].relations.get("site", ()))
    found = []
    for known in grounded.record:
        if not isinstance(known.fact, Symptom):
            continue
        shared = (line & known.broader) - _GROUPS
        if not shared:
            continue
        if not places:
            if shared == {_PAIN} or _PAIN in line:
                found.append(known.fact)
            continue
        where = " | ".join(filter(None, (known.fact.text, *known.fact.lay, known.fact.site)))
        told = {b for c in mentions_in(lexicon, where) if c.startswith("site:") for b in lexicon.ancestors(c)}
        if meets(places, told):
            found.append(known.fact)
    return tuple(found)
