"""ICD-9-CM: the chapter of an old code, its place in ICD-10-CM, and the leading zeros that spreadsheets eat.

Half of MIMIC is coded in ICD-9. ``data/icd9.tsv`` lists every valid code of its last edition (CMS, version 32) with the
three-character ICD-10-CM category that the general equivalence mappings of CMS give it, where they agree on one.
"""

import csv
from functools import lru_cache
from pathlib import Path

__all__ = ["category_of_icd9", "chapter_of_icd9", "readings_of_icd9"]

_TABLE = Path(__file__).parent / "data" / "icd9.tsv"
_CHAPTERS = (
    (139, "INF"), (239, "NEO"), (279, "END"), (289, "BLD"), (319, "MEN"), (389, "NER"), (459, "CIR"), (519, "RES"),
    (579, "DIG"), (679, "GEN"), (709, "SKN"), (739, "MUS"), (779, "CON"), (799, "SYM"), (999, "INJ"),
)  # fmt: skip
"""Last category of each chapter; pregnancy is merged with the genitourinary chapter, perinatal with congenital."""


@lru_cache(maxsize=1)
def _categories() -> dict[str, str]:
    with _TABLE.open(encoding="utf-8", newline="") as file:
        return {row["code"]: row["category"] for row in csv.DictReader(file, delimiter="\t")}


def readings_of_icd9(code: str) -> list[str]:
    """Return the valid codes that a number may have been before it lost leading zeros, itself included.

    Args:
        code: As in MIMIC, without its dot: ``0088``, or ``88`` where a spreadsheet took it for a number. "311" may be
            depression, or 031.1.
    """
    plain = code.strip().upper().replace(".", "")
    return [zeros + plain for zeros in ("", "0", "00") if zeros + plain in _categories()]


def chapter_of_icd9(code: str) -> str | None:
    """Return the merged chapter of a complete ICD-9-CM code without its dot, or None if it is none."""
    plain = code.strip().upper().replace(".", "")
    if plain[:1] == "E" and plain[1:].isdigit():
        return "INJ"
    if plain[:1] == "V" and plain[1:].isdigit():
        return "FHS"
    if not plain.isdigit() or len(plain) < 3 or plain.startswith("000"):
        return None
    return next(chapter for last, chapter in _CHAPTERS if int(plain[:3]) <= last)


def category_of_icd9(code: str) -> str | None:
    """Return the three-character ICD-10-CM category of a complete ICD-9-CM code, if it has exactly one."""
    return _categories().get(code.strip().upper().replace(".", "")) or None
