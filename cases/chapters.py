"""From an ICD-10-CM code to one of the 16 merged chapters.

Scores are reported by chapter, and every source codes its diagnoses differently; here the merging is
decided once: perinatal conditions join the congenital ones, pregnancy the genitourinary system, eye and ear
the nervous system, external causes the injuries, and the codes for special purposes (U07.1 is COVID-19) the
infections.
"""

import re

__all__ = ["chapter_of"]

_CODE = re.compile(r"([A-Z])([0-9])[0-9A-Z](?:\.?[0-9A-Z]{1,4})?")

_BY_LETTER = {
    "A": "INF",
    "B": "INF",
    "C": "NEO",
    "E": "END",
    "F": "MEN",
    "G": "NER",
    "H": "NER",
    "I": "CIR",
    "J": "RES",
    "K": "DIG",
    "L": "SKN",
    "M": "MUS",
    "N": "GEN",
    "O": "GEN",
    "P": "CON",
    "Q": "CON",
    "R": "SYM",
    "S": "INJ",
    "T": "INJ",
    "U": "INF",
    "V": "INJ",
    "W": "INJ",
    "X": "INJ",
    "Y": "INJ",
    "Z": "FHS",
}


def chapter_of(icd10: str | None) -> str | None:
    """Return the key of the merged chapter that a code belongs to.

    Args:
        icd10: An ICD-10-CM code, with or without its dot, in any case.

    Returns:
        A key of :data:`bedside.cases.case.CHAPTERS`, or None if this is no ICD-10-CM code.
    """
    match = _CODE.fullmatch((icd10 or "").strip().upper())
    if match is None:
        return None
    letter, digit = match.groups()
    if letter == "D":  # shared by neoplasms (D00-D49, also D3A) and blood (D50-D89)
        return "NEO" if digit < "5" else "BLD"
    return _BY_LETTER[letter]
