"""Kinds of one disease that exclude each other: a viral pneumonia is no bacterial one, hepatitis A is not hepatitis B.

The knowledge holds "pneumonia" for both, so that names alone would match them. What parts the kinds is a word of a
family such as cause or course; two names that hold different words of one family are different diseases.
"""

import re

__all__ = ["excluded_by"]

_FAMILIES: tuple[dict[str, str], ...] = (
    {
        "viral": r"viral|virus|influenzal?|covid(?:-19)?|herpe\w*|enterovir\w*|norovirus|rotavirus|rsv|cmv|aseptic",
        "bacterial": r"bacterial|pneumococcal|meningococcal|staphylococcal|streptococcal|staph|strep|salmonella|"
        r"campylobacter|shigella|listeria|legionella|mycoplasma|klebsiella|e\.? ?coli|escherichia|pseudomonas|"
        r"haemophilus|gonococcal|clostridi\w+|c\.? ?diff\w*|pyogenic|septic|mrsa",
        "fungal": r"fungal|candid\w+|cryptococcal|pneumocystis|aspergill\w+|histoplasm\w+|yeast|coccidioid\w+",
        "tuberculous": r"tubercul\w+|tb",
        "parasitic": r"parasitic|amebic|amoebic|giardia\w*|malarial?",
        "allergic": r"allergic|contact|atopic",
        "from aspiration": r"aspiration",
        "autoimmune": r"autoimmune",
        "alcoholic": r"alcohol\w*",
        "from a drug": r"drug-induced|methamphetamine|cocaine|substance-induced|medication-induced",
        "ischemic": r"ischa?emic",
        "cardiac": r"cardiac|cardiogenic",
        "rheumatoid": r"rheumatoid",
        "psoriatic": r"psoria\w+",
        "gouty": r"gout\w*",
        "from reflux": r"reflux|peptic",
        "degenerative": r"degenerative|osteoarthritis",
    },
    {letter: rf"(?:hepatitis|influenza|hemophilia) {letter}" for letter in "ABCDE"},
    {"type 1": r"type (?:1|i|one)", "type 2": r"type (?:2|ii|two)", "gestational": r"gestational|pregnancy"},
    {"acute": r"acute(?! (?:on|exacerbation))", "chronic": r"(?<!acute on )(?<!exacerbation of )chronic"},
    {"ischemic": r"ischa?emic|infarct\w*", "hemorrhagic": r"ha?emorrhag\w+|bleed\w*"},
    {"small cell": r"(?<!non-)(?<!non )small[- ]cell", "other than small cell": r"non-?\s?small[- ]cell"},
    {"lymphocytic": r"lympho(?:cyt|blast)ic", "myeloid": r"myelo(?:id|blastic|genous)"},
    {"obstructive": r"(?<!non)(?<!non-)obstructive", "restrictive": r"restrictive"},
    {
        "of the thigh": r"femur|femoral|hip|intertrochanteric",
        "of the upper arm": r"humer\w+|shoulder",
        "of the forearm": r"radius|radial|ulnar?|wrist|colles'?",
        "of the ankle": r"ankle|\w*malleol\w+|fibula\w*",
        "of the shin": r"tibi\w+",
        "of the spine": r"vertebra\w*|spinal|lumbar|thoracic",
        "of the ribs": r"ribs?",
        "of the pelvis": r"pelvi\w+",
        "of the skull": r"skull",
        "of the collarbone": r"clavic\w+|collarbone",
    },
    {"postpartum": r"postpartum|postnatal|peripartum", "recurrent": r"recurrent"},
)
"""Families of kinds; of each, the words that name it."""

_COMPILED = tuple(
    {kind: re.compile(rf"\b(?:{words})\b", re.IGNORECASE) for kind, words in family.items()} for family in _FAMILIES
)


def excluded_by(said: str, true: str) -> tuple[str, str] | None:
    """Return the kinds by which two names of a disease exclude each other; None if they do not.

    Args:
        said: A diagnosis as it was put.
        true: The reference.
    """
    for family in _COMPILED:
        one = [kind for kind, words in family.items() if words.search(said)]
        other = [kind for kind, words in family.items() if words.search(true)]
        if one and other and not set(one) & set(other):
            return one[0], other[0]
    return None
