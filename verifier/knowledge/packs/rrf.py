"""The umls pack from the files of a release: MRCONSO, MRSTY, MRSAT and MRREL, in Rich Release Format.

The files are larger than memory, so they are read line by line into a scratch database, one file a transaction. A
build that was stopped goes on with the file it was at.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from bedside.verifier.knowledge.packs.entry import Entry, Form, atoms_from
from bedside.verifier.knowledge.packs.pack import Pack, PackError, write_pack
from bedside.verifier.knowledge.packs.umls import (
    RELATED_SOURCES,
    category_of,
    relation_name,
    spoken,
    umls_source,
    wanted_term,
)

__all__ = ["ReleaseFiles", "build_from_release"]

READER = "1"
_FILES = ("MRSTY.RRF", "MRCONSO.RRF", "MRSAT.RRF", "MRREL.RRF")
_COLUMNS = {"MRSTY.RRF": 6, "MRCONSO.RRF": 18, "MRSAT.RRF": 13, "MRREL.RRF": 16}
_KEPT = "N"  # anything else in SUPPRESS is obsolete or suppressible
_SCHEMA = """
CREATE TABLE stage (name TEXT PRIMARY KEY);
CREATE TABLE type (cui TEXT, tui TEXT, PRIMARY KEY (cui, tui)) WITHOUT ROWID;
CREATE TABLE atom (aui TEXT PRIMARY KEY, cui TEXT, sab TEXT, tty TEXT, code TEXT, text TEXT, folded TEXT) WITHOUT ROWID;
CREATE TABLE chosen (cui TEXT PRIMARY KEY, category TEXT) WITHOUT ROWID;
CREATE TABLE edge (cui TEXT, name TEXT, target TEXT, PRIMARY KEY (cui, name, target)) WITHOUT ROWID;
CREATE TABLE strength (cui TEXT, value TEXT, PRIMARY KEY (cui, value)) WITHOUT ROWID;
CREATE TABLE name (cui TEXT PRIMARY KEY, text TEXT, rank INTEGER) WITHOUT ROWID;
"""

Progress = Callable[[str, int, int], None]


class ReleaseFiles:
    """A release on disk and the scratch database it is read into."""

    def __init__(self, folder: Path, work: Path, seeds: frozenset[str] | None, progress: Progress) -> None:
        """Open the release.

        Args:
            folder: The ``META`` folder.
            work: Where the scratch database goes.
            seeds: Lower-case names and CUIs to start from; None takes every concept with a category.
            progress: Told the file, the bytes read and the bytes in all.

        Raises:
            PackError: If a file is missing.
        """
        if missing := [name for name in _FILES if not (folder / name).is_file()]:
            raise PackError(f"{folder} lacks {', '.join(missing)}")
        self.folder, self.seeds, self._progress = folder, seeds, progress
        self.version = _release(folder)
        self._db = self._scratch(work)

    def close(self) -> None:
        """Close the scratch database."""
        self._db.close()

    def _scratch(self, work: Path) -> sqlite3.Connection:
        """Open the database that belongs to these very files and seeds; another one starts empty."""
        sizes = [
            (name, (self.folder / name).stat().st_size, (self.folder / name).stat().st_mtime_ns) for name in _FILES
        ]
        key = hashlib.sha256(repr((READER, sizes, sorted(self.seeds or ()))).encode()).hexdigest()[:16]
        work.mkdir(parents=True, exist_ok=True)
        path = work / f"release-{key}.sqlite"
        for attempt in (1, 2):
            db = sqlite3.connect(path, isolation_level=None)
            try:
                if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'stage'").fetchone():
                    db.executescript(f"BEGIN; {_SCHEMA} COMMIT;")
                if db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",):
                    return db
            except sqlite3.DatabaseError:
                pass
            db.close()
            if attempt == 1:
                path.unlink()
        raise PackError(f"no database can be made at {path}")

    def read(self) -> None:
        """Read whatever has not been read yet."""
        stages: tuple[tuple[str, Callable[[], None]], ...] = (
            ("types", self._read_types),
            ("atoms", self._read_atoms),
            ("attributes", self._read_attributes),
            ("choice", self._choose),
            ("edges", self._read_edges),
            ("names", self._read_names),
        )
        for name, run in stages:
            if self._db.execute("SELECT 1 FROM stage WHERE name = ?", (name,)).fetchone():
                continue
            self._db.execute("BEGIN IMMEDIATE")
            try:
                run()
                self._db.execute("INSERT INTO stage VALUES (?)", (name,))
            except BaseException:
                self._db.rollback()
                raise
            self._db.commit()

    def _rows(self, name: str) -> Iterator[list[str]]:
        path, columns = self.folder / name, _COLUMNS[name]
        size, done = path.stat().st_size, 0
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                row = line.decode("utf-8").rstrip("\r\n").split("|")
                if len(row) <= columns:
                    raise PackError(f"{path}, line {number}: {columns} columns expected; the file may be cut off")
                done += len(line)
                if number % 100_000 == 0:
                    self._progress(name, done, size)
                yield row
        self._progress(name, size, size)

    def _read_types(self) -> None:
        rows = ((row[0], row[1]) for row in self._rows("MRSTY.RRF"))
        self._db.executemany("INSERT OR IGNORE INTO type VALUES (?, ?)", rows)

    def _read_atoms(self) -> None:
        rows = (
            (row[7], row[0], row[11], row[12], row[13], row[14], row[14].lower())
            for row in self._rows("MRCONSO.RRF")
            if row[1] == "ENG" and row[16] == _KEPT and wanted_term(row[11], row[12])
        )
        self._db.executemany("INSERT OR REPLACE INTO atom VALUES (?, ?, ?, ?, ?, ?, ?)", rows)

    def _read_attributes(self) -> None:
        """Drop what its source has retired, and learn the strengths of drugs.

        MRSAT may hang an attribute on the atom or on its code; the column METAUI names the atom either way.
        """
        for row in self._rows("MRSAT.RRF"):
            cui, aui, code, attribute, source, value = row[0], row[3], row[5], row[8], row[9], row[10]
            if row[11] != _KEPT:
                continue
            if (source, attribute, value) == ("SNOMEDCT_US", "ACTIVE", "0") or (source, attribute) == (
                "RXNORM",
                "RXN_OBSOLETED",
            ):
                where = "aui = ?" if aui.startswith("A") else "sab = ? AND code = ? AND cui = ?"
                given = (aui,) if aui.startswith("A") else (source, code, cui)
                self._db.execute(f"DELETE FROM atom WHERE {where}", given)  # noqa: S608 - one of two constants
            elif source == "RXNORM" and attribute in ("RXN_STRENGTH", "RXN_AVAILABLE_STRENGTH"):
                self._db.execute("INSERT OR IGNORE INTO strength VALUES (?, ?)", (cui, value))

    def _choose(self) -> None:
        self._db.execute("CREATE INDEX atom_cui ON atom (cui)")
        if self.seeds is None:
            self._db.execute("CREATE TEMP TABLE start AS SELECT DISTINCT cui FROM atom")
        else:
            self._db.execute("CREATE TEMP TABLE seed (text TEXT PRIMARY KEY)")
            self._db.executemany("INSERT INTO seed VALUES (?)", ((seed.lower(),) for seed in sorted(self.seeds)))
            self._db.execute(
                "CREATE TEMP TABLE start AS SELECT DISTINCT cui FROM atom "
                "WHERE folded IN (SELECT text FROM seed) OR lower(cui) IN (SELECT text FROM seed)"
            )
        rows = self._db.execute(
            "SELECT start.cui, (SELECT group_concat(DISTINCT sab) FROM atom WHERE atom.cui = start.cui),"
            " (SELECT group_concat(tui) FROM type WHERE type.cui = start.cui) FROM start"
        )
        for cui, sources, types in rows:
            if category := _category(sources.split(","), frozenset((types or "").split(","))):
                self._db.execute("INSERT INTO chosen VALUES (?, ?)", (cui, category))
        self._db.execute("DROP TABLE start")
        self._db.execute("DROP TABLE IF EXISTS seed")

    def _read_edges(self) -> None:
        """Read relations. MRREL reads from right to left: CUI2 has the relation RELA to CUI1."""
        chosen = self._db.cursor()
        for row in self._rows("MRREL.RRF"):
            target, subject, label, source = row[0], row[4], row[7], row[10]
            if not label or row[14] != _KEPT or source not in RELATED_SOURCES or target == subject:
                continue
            found = chosen.execute("SELECT category FROM chosen WHERE cui = ?", (subject,)).fetchone()
            if found and (name := relation_name(found[0], label)):
                self._db.execute("INSERT OR IGNORE INTO edge VALUES (?, ?, ?)", (subject, name, target))

    def _read_names(self) -> None:
        """Name what relations point to: by the preferred English name, or else by any."""
        self._db.execute("CREATE TEMP TABLE target AS SELECT DISTINCT target AS cui FROM edge")
        self._db.execute("CREATE INDEX target_cui ON target (cui)")
        for row in self._rows("MRCONSO.RRF"):
            if row[1] != "ENG" or row[16] != _KEPT:
                continue
            rank = 0 if (row[2], row[4], row[6]) == ("P", "PF", "Y") else 1
            self._db.execute(
                "INSERT INTO name SELECT ?1, ?2, ?3 WHERE ?1 IN (SELECT cui FROM target) "
                "ON CONFLICT (cui) DO UPDATE SET text = excluded.text, rank = excluded.rank "
                "WHERE excluded.rank < name.rank",
                (row[0], spoken(row[11], row[12], row[14]), rank),
            )
        self._db.execute("DROP TABLE target")

    def entries(self) -> Iterator[Entry]:
        """Yield the chosen concepts in the order of their CUIs."""
        for cui, category in self._db.execute("SELECT cui, category FROM chosen ORDER BY cui"):
            rows = self._db.execute("SELECT sab, tty, code, text FROM atom WHERE cui = ? ORDER BY aui", (cui,))
            forms = sorted(
                (Form(spoken(sab, tty, text), tty, tty == "BN", True, sab, code) for sab, tty, code, text in rows),
                key=lambda form: form.term_type not in ("PT", "IN"),
            )
            if forms:
                yield Entry(f"umls:{cui}", category, "UMLS", cui, tuple(forms), self._relations(cui))

    def _relations(self, cui: str) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        rows = self._db.execute(
            "SELECT edge.name, coalesce(name.text, edge.target) FROM edge LEFT JOIN name ON name.cui = edge.target "
            "WHERE edge.cui = ? ORDER BY 1, 2",
            (cui,),
        )
        for name, target in rows:
            found[name] = (*found.get(name, ()), target)
        strengths = self._db.execute("SELECT value FROM strength WHERE cui = ? ORDER BY 1", (cui,)).fetchall()
        if strengths:
            found["strength"] = tuple(value for (value,) in strengths)
        return found


def _category(sources: Iterable[str], types: frozenset[str]) -> str | None:
    found = {category for source in sources if (category := category_of(source, types))}
    return next((name for name in ("medication", "procedure", "condition", "symptom") if name in found), None)


def _release(folder: Path) -> str:
    """Return the release's name, from ``release.dat`` or the folder that META usually lies in."""
    for place in (folder / "release.dat", folder.parent / "release.dat"):
        if place.is_file():
            for line in place.read_text(encoding="utf-8").splitlines():
                if line.startswith("umls.release.name="):
                    return line.partition("=")[2].strip()
    return folder.parent.name or "unknown"


def build_from_release(
    folder: Path,
    out: Path,
    work: Path,
    seeds: frozenset[str] | None = None,
    progress: Progress = lambda *_: None,
) -> Pack:
    """Build the umls pack from a release; see :class:`ReleaseFiles` for the arguments.

    Returns:
        The pack, as written to ``out``.
    """
    release = ReleaseFiles(folder, work, seeds, progress)
    try:
        release.read()
        return write_pack(
            out, "umls", f"{READER}-{release.version}", atoms_from(release.entries()), (umls_source(release.version),)
        )
    finally:
        release.close()
