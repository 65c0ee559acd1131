"""What a drug is, whatever its brand, salt and form, so that two lists can be compared."""

import re
from functools import lru_cache
from importlib.resources import files

from bedside.cases.formulary import formulary

__all__ = ["ingredient_of", "is_known", "usual_unit"]

_NEEDS_COMPANION = frozenset({"sodium", "calcium", "potassium", "magnesium", "ferrous", "zinc", "iron", "lithium"})
_SALTS = frozenset(
    "sodium hydrochloride hcl sulfate sulphate tartrate succinate besylate maleate fumarate mesylate potassium "
    "calcium acetate citrate "
    "phosphate bromide chloride propionate furoate gluconate monohydrate xinafoate bitartrate hydrobromide "
    "mononitrate dinitrate "
    "disoproxil dihydrate pamoate hyclate nitrate lactate carbonate trihydrate medoxomil etexilate palmitate "
    "valerate".split()
)
_FORMS = re.compile(
    r"\b(?:xl|xr|er|ec|sr|cr|dr|ds|la|cd|ir|hfa|odt|inhaler|neb(?:ulizer)?|patch|cream|ointment|gel|nasal|spray|oral|"
    r"ophth\w*|drops?|"
    r"solution|suspension|liquid|powder|extended|delayed|immediate|release|enteric[- ]coated|coated|chewable|"
    r"tablets?|capsules?|"
    r"human|recombinant|injection|kwikpen|flexpen|pen|with|w/)\b\.?",
    re.IGNORECASE,
)


def ingredient_of(*names: str | None) -> str:
    """Return the generic name of a drug.

    Args:
        *names: What it is called, and its second name where there is one; the first that is known counts.
    """
    bare = [_bare(name) for name in names if name]
    for name in bare:
        if known := _generic_names().get(_ABBREVIATED.get(name, name)):
            return known
    return bare[0]


def is_known(name: str) -> bool:
    """Say whether a text is the name of a drug that ships with the project, or a brand of one."""
    bare = _bare(name)
    return _ABBREVIATED.get(bare, bare) in _generic_names()


def usual_unit(name: str, number: float) -> str | None:
    """Return the unit in which a number of a drug can be meant, or None if there is not just one.

    Args:
        name: As :func:`ingredient_of` takes it; "Lasix 40" can only be 40 mg.
        number: The dose without its unit.
    """
    usual = [amount for regimen in formulary().regimens.get(ingredient_of(name), ()) for amount in regimen.doses]
    units = {amount.unit for amount in usual if amount.low / _FAR <= number <= amount.high * _FAR}
    return units.pop() if len(units) == 1 else None


_FAR = 2
"""How far beyond its usual range a number is still taken for a dose."""

_ABBREVIATED = {
    "asa": "aspirin",
    "apap": "acetaminophen",
    "hctz": "hydrochlorothiazide",
    "ntg": "nitroglycerin",
    "mvi": "multivitamin",
    "kcl": "potassium chloride",
}


def _bare(name: str) -> str:
    words = re.sub(r"[^a-z0-9 -]", " ", _FORMS.sub(" ", name.lower())).split()
    while len(words) > 1 and words[-1] in _SALTS and words[0] not in _NEEDS_COMPANION:
        words.pop()
    return " ".join(words)


@lru_cache(maxsize=1)
def _generic_names() -> dict[str, str]:
    """Return the generic name by brand and by generic, from the table of drugs that ships with the project."""
    names: dict[str, str] = {}
    # The table is the verifier's and only data here; a second list of brands would soon say something else.
    table = files("bedside").joinpath("verifier/data/core/drugs.tsv").read_text(encoding="utf-8")
    header, *rows = (line.split("\t") for line in table.splitlines())
    name, brands = header.index("name"), header.index("brands")
    for row in rows:
        for brand in (row[name], *row[brands].split("|")):
            if brand:
                names.setdefault(_bare(brand), _bare(row[name]))
    return names
