"""ICD-10-CM titles and inclusion terms, from the tabular list that ``simple-icd-10-cm`` carries.

The XML is read directly: the package builds an object for each of its 98,505 codes, of which we keep a tenth. Codes
beyond four characters mostly add the side and the encounter, which nobody says.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from bedside.verifier.knowledge.packs.entry import Entry, Form, sites_in
from bedside.verifier.knowledge.packs.pack import Source

__all__ = ["entries", "source"]

_LONGEST_CODE = 4
# Diseases, findings and injuries; external causes, provisional codes and administrative reasons are no claims.
_CHAPTERS = "ABCDEFGHIJKLMNOPQRST"
_NOT_SAID = re.compile(r",? (?:NOS|NEC|unspecified|not elsewhere classified|not otherwise specified)\b", re.IGNORECASE)
_REMARK = re.compile(r"(?:(?<!\s)\s++)?[\[(][^\])]*[\])]")
_VAGUE = re.compile(
    r"\b(?:other|unspecified|elsewhere|following|specified|conditions? (?:in|listed)|code)\b", re.IGNORECASE
)


def source(version: str) -> Source:
    """Say where the codes come from."""
    return Source(
        name="ICD10CM",
        version=f"simple-icd-10-cm {version}",
        licence="public domain (CMS and NCHS)",
        attribution="ICD-10-CM, National Center for Health Statistics and Centers for Medicare & Medicaid Services.",
    )


def entries(path: Path) -> Iterator[Entry]:
    """Yield codes in the order of the tabular list."""
    # The file comes from an installed package, not from a stranger.
    root = ElementTree.parse(path).getroot()  # noqa: S314
    for chapter in root.iter("chapter"):
        title = _plain(chapter.findtext("desc", ""))
        for category in chapter.iterfind("section/diag"):
            yield from _diagnoses(category, "", title)


def _diagnoses(diagnosis: ElementTree.Element, parent: str, chapter: str) -> Iterator[Entry]:
    code = diagnosis.findtext("name", "")
    if code[:1] not in _CHAPTERS:
        return
    kept = len(code.replace(".", "")) <= _LONGEST_CODE
    if kept and (forms := tuple(_forms(diagnosis, deep=len(code) > len("A00")))):
        relations: dict[str, tuple[str, ...]] = {"icd10": (code,), "chapter": (chapter,)}
        if parent:
            relations["is_a"] = (f"icd10:{parent}",)
        if sites := sites_in(forms[0].text):
            relations["finding_site"] = sites
        category = "symptom" if code.startswith("R") else "condition"
        yield Entry(f"icd10:{code}", category, "ICD10CM", code, forms, relations)
    for narrower in diagnosis.iterfind("diag"):
        yield from _diagnoses(narrower, code, chapter)


def _forms(diagnosis: ElementTree.Element, deep: bool) -> Iterator[Form]:
    """Title, then inclusion terms; below four characters those of the narrower codes count as narrower terms."""
    title = _plain(diagnosis.findtext("desc", ""))
    yield Form(title, "PT", exact=not _VAGUE.search(title))
    for tag in ("inclusionTerm", "includes"):
        for note in diagnosis.iterfind(f"{tag}/note"):
            if (text := _plain(note.text or "")) and not _VAGUE.search(text):
                yield Form(text, "ET", exact=False)
    for narrower in diagnosis.iterfind(".//diag") if deep else ():
        for note in narrower.iterfind("inclusionTerm/note"):
            if (text := _plain(note.text or "")) and not _VAGUE.search(text):
                yield Form(text, "NT", exact=False)


def _plain(title: str) -> str:
    """Leave out what a code needs and a name does not: "NOS", "unspecified", remarks in brackets."""
    plain = _NOT_SAID.sub("", _REMARK.sub("", title)).strip(" ,;")
    return re.sub(r"^Unspecified (\w)", lambda match: match[1].upper(), plain)
