"""No text may hang the environment: a policy in training writes whatever it likes, for as long as it likes.

Python's regular expressions backtrack. Where neighbours can share a run of characters in many ways, a run that does
not match in the end is divided in all of them: a word of sixty letters, or a page of blanks, then takes hours.
"""

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import bedside
from bedside.verifier.language.pattern import Pattern

LENGTH = 800
BOUND = 1.0
"""Seconds of processor time for one search; a sound expression takes hundredths."""

RUNS = (
    "a",
    "1",
    " ",
    "\n",
    ".",
    "-",
    "*",
    "_",
    "'",
    "(",
    "?",
    "ab ",
    "ab, ",
    "a'",
    "a-",
    "1 ",
    "1. ",
    "1/2 ",
    "- ab\n",
)
"""What a text repeats: words, numbers, blanks and marks that go on and on, and lists of them."""

BLANKS = 20_000
AT_ONCE = 0.25
"""Seconds for one search through so many blanks: they are looked at once each, not once from each of them."""

HEARING = ("verifier",)
"""Rooms whose texts come as they were spoken."""

OWN_WORDS = 2
"""Words of an expression itself that are repeated, and that stand before a run of blanks."""

_PACKAGE = Path(bedside.__file__).parent
_INLINE = frozenset(("search", "match", "fullmatch", "finditer", "findall", "split", "sub"))
_AT_START = frozenset(("match", "fullmatch"))
_SCANS = re.compile(r"\b(\w+)\.(?:search|finditer|findall|split|subn?)\(")
_LETTERS = re.compile(r"[a-z]{3,}")


def _modules() -> Iterator[tuple[str, str]]:
    """Yield the name and the source of each module that holds expressions."""
    for room in sorted(_PACKAGE.iterdir()):  # a room is a link, which a search from above would not follow
        for path in sorted(room.rglob("*.py")) if room.is_dir() else [room]:
            if path.suffix == ".py" and re.search(r"\bre\.|\bPattern\(", source := path.read_text("utf-8")):
                yield ".".join(("bedside", *path.relative_to(_PACKAGE).with_suffix("").parts)), source


def _within(thing: object) -> Iterator[re.Pattern[str]]:
    """Yield the expressions in a value of a module: itself, or what its tables hold."""
    if isinstance(thing, Pattern):
        yield thing._regex  # a hostile text also holds the words without which it would not be tried
    elif isinstance(thing, re.Pattern):
        yield thing
    elif isinstance(thing, dict):
        yield from _within(tuple(thing.values()))
    elif isinstance(thing, tuple | list | frozenset):
        for part in thing:
            yield from _within(part)


def _inline(source: str, *, scanning: bool = False) -> Iterator[re.Pattern[str]]:
    """Yield the expressions that are written where they are used, or those of them that are looked for all over."""
    for call in ast.walk(ast.parse(source)):
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re"), attr=used), args=[ast.Constant(value=str(written)), *_]
            ) if used in _INLINE and not (scanning and used in _AT_START):
                yield re.compile(written, re.IGNORECASE if "IGNORECASE" in ast.unparse(call) else 0)


def _expressions(rooms: tuple[str, ...] = ("",)) -> dict[re.Pattern[str], str]:
    """Return every expression of the package, or of some rooms, once, and where it stands."""
    found: dict[re.Pattern[str], str] = {}
    for name, source in _modules():
        if not name.removeprefix("bedside.").startswith(rooms):
            continue
        for key, value in vars(importlib.import_module(name)).items():
            for pattern in _within(value):
                found.setdefault(pattern, f"{name}.{key}")
        for pattern in _inline(source):
            found.setdefault(pattern, name)
    return found


def _hostile(written: str) -> Iterator[str]:
    yield from ((run * LENGTH)[:LENGTH] for run in RUNS)
    for word in list(dict.fromkeys(_LETTERS.findall(written)))[:OWN_WORDS]:
        yield (f"{word} " * LENGTH)[:LENGTH]
        yield word + " " * LENGTH + "x"


def test_no_expression_hangs_on_a_hostile_text(within):
    slow = []
    for pattern, where in _expressions().items():
        for text in _hostile(pattern.pattern):
            try:
                with within(BOUND):
                    pattern.search(text)
            except TimeoutError:
                slow.append(f"{where} on {text[:12]!r} repeated")
    assert not slow


def _scanned() -> set[str]:
    """Return where expressions stand that are looked for all over a text; others are tried at its beginning alone."""
    found = {f"{module}.{name}" for module, source in _modules() for name in _SCANS.findall(source)}
    return found | {name.rpartition(".")[2] for name in found if not name.rpartition(".")[2].startswith("_")}


def test_no_run_of_blanks_is_looked_through_again_from_each_of_them(within):
    slow, scanned = [], _scanned()
    inline = {pattern.pattern for _, source in _modules() for pattern in _inline(source, scanning=True)}
    for pattern, where in _expressions(HEARING).items():
        name = where.rpartition(".")[2]
        if (name.isupper() and scanned.isdisjoint((where, name))) or (name.islower() and pattern.pattern not in inline):
            continue
        for blank in " \n":
            try:
                with within(AT_ONCE):
                    pattern.search(f"x{blank * BLANKS}x")
            except TimeoutError:
                slow.append(f"{where} on {blank!r} repeated")
    assert not slow
