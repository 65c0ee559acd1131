"""Write rewards/data/icd_terms.tsv: what ICD-10-CM calls diseases, and their codes.

The tabular list is in the public domain; it comes with the package simple-icd-10-cm
(`pip install 'bedside[knowledge]'`). Kept are names that a doctor would give as a diagnosis: titles and inclusion terms
of chapters A to R, of injuries and of allergic shock, without "unspecified", sides and encounters, and without what is
defined by what it is not ("other", "elsewhere").

    python scripts/build_icd_terms.py
"""

import re
from collections.abc import Iterator
from pathlib import Path

import simple_icd_10_cm as icd

OUT = Path(__file__).parents[1] / "rewards" / "data" / "icd_terms.tsv"
LONGEST = 6
"""Words of a name; longer ones are descriptions."""

_PART = (
    r"(?: (?:eye|ear|arm|leg|hand|foot|ankle|knee|hip|shoulder|elbow|wrist|breast|ovary|lung|kidney|side|limb|site)s?)?"
)
_BOILERPLATE = re.compile(
    r",? (?:initial|subsequent) encounter.*|,? sequela$|\bNOS\b|\bunspecified (?=\w)|"
    rf",? (?:unspecified|left|right|bilateral)\b{_PART}|,? (?:unspecified|first|second|third) trimester",
    re.IGNORECASE,
)
_BRACKETS = re.compile(r"\s*\[[^]]*\]|\s*\([^)]*\)")
_BY_WHAT_IT_IS_NOT = re.compile(
    r"\b(?:other|elsewhere|specified|not|following|unspecified|history|mention|accidental|assault|intentional|undetermined)\b",
    re.IGNORECASE,
)
_CHAPTERS = re.compile(r"[A-R]|S|T7")


def names() -> Iterator[tuple[str, str]]:
    """Yield names in lower case with their codes, the shortest code of a name first."""
    for code in sorted(icd.get_all_codes(), key=lambda code: (len(code), code)):
        if icd.is_chapter_or_block(code) or not _CHAPTERS.match(code):
            continue
        for term in (icd.get_description(code), *icd.get_inclusion_term(code)):
            short = _BOILERPLATE.sub("", term)
            for name in (_BRACKETS.sub("", short), *re.findall(r"\[([^]]*)\]", short)):
                tidy = " ".join(name.split()).strip(" ,").lower()
                if len(tidy) > 2 and len(tidy.split()) <= LONGEST and not _BY_WHAT_IT_IS_NOT.search(tidy):
                    yield tidy, code


def main() -> None:
    """Write the table, sorted by name; of names that stand for several categories none is kept."""
    found: dict[str, list[str]] = {}
    for name, code in names():
        found.setdefault(name, []).append(code)
    clear = {name: codes[0] for name, codes in found.items() if len({code[:3] for code in codes}) == 1}
    OUT.write_text("name\ticd10\n" + "".join(f"{name}\t{clear[name]}\n" for name in sorted(clear)), encoding="utf-8")
    print(f"{len(clear):,} names, {len(found) - len(clear)} ambiguous ones left out: {OUT.name}")


if __name__ == "__main__":
    main()
