"""The commands of ``benchmarks/agreement.py``: sheets out, ratings in, a judge's own ratings, and the table of all."""

import csv
import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import orjson
import typer

from bedside.benchmarks.agreement import COLUMNS, report
from bedside.benchmarks.annotation import Filled, blind, judged
from bedside.benchmarks.command import complain
from bedside.benchmarks.runs import RunError
from bedside.benchmarks.sheets import read_filled, read_key, sheet_bytes
from bedside.benchmarks.transcript import read_episodes
from bedside.cases.jsonl import CaseError
from bedside.cases.sources import load_cases
from bedside.envs.episode import Episode
from bedside.rewards.foreign import episode_of, read_transcripts
from bedside.rewards.judges import make_judge

__all__ = ["build_app"]

Result = TypeVar("Result")
Cases = Annotated[str, typer.Option(help="Their cases: open, FILE.jsonl, …")]
KeyFile = Annotated[Path, typer.Argument(metavar="KEY.json", help="The key that export wrote.")]
Ratings = Annotated[Path, typer.Option(help="File of ratings; new rows are added to what it holds.")]


def build_app() -> typer.Typer:
    """Put the commands together."""
    app = typer.Typer(add_completion=False, no_args_is_help=True)

    @app.callback()
    def _about() -> None:
        """Compare judges with people: export sheets, import ratings, let a judge rate the same, report agreement."""

    app.command("export")(export)
    app.command("import")(take_in)
    app.command("judge")(judge)
    app.command("report")(report)
    return app


def export(
    sources: Annotated[
        list[Path], typer.Argument(metavar="RUN|TRANSCRIPTS.jsonl...", help="Run folders, or dialogues from elsewhere.")
    ],
    out: Annotated[Path, typer.Option(help="The sheet: .csv or .json. Its key stands beside it, in NAME.key.json.")],
    form: Annotated[Literal["pairwise", "conversation", "patient"], typer.Option(help="What is asked.")] = "pairwise",
    items: Annotated[int | None, typer.Option(min=1, help="How many to draw; all by default.")] = None,
    seed: Annotated[int, typer.Option(help="Of the draw, the order and the sides.")] = 0,
    cases: Cases = "open",
) -> None:
    """Write a blinded sheet for raters, and its key, which they must not see."""
    key_file = out.with_suffix(".key.json")

    def write() -> str:
        if out.suffix not in (".csv", ".json"):
            raise ValueError(f"{out}: a sheet ends in .csv or .json")
        sheet, key = blind(_episodes(sources, cases), form, count=items, seed=seed)
        _write(out, sheet_bytes(sheet, as_json=out.suffix == ".json"))
        _write(key_file, key.model_dump_json().encode() + b"\n")
        return f"{len(sheet.pages)} items in {out}; key in {key_file}"

    _told(write)


def take_in(
    key: KeyFile,
    sheets: Annotated[list[Path], typer.Argument(metavar="SHEET...", help="Filled sheets, one a rater, named so.")],
    out: Ratings = Path("ratings.csv"),
    spans: Annotated[Path | None, typer.Option(help="Write highlighted words here, one JSON object a line.")] = None,
) -> None:
    """Read filled sheets; the rater is called as the file, without its ending."""

    def read() -> str:
        unblinded = read_key(key)
        rows: list[tuple[str, ...]] = []
        marked = []
        for sheet in sheets:
            filled, found = read_filled(sheet, unblinded)
            rows += _rows(filled, sheet.stem, "human")
            marked += [{"rater": sheet.stem, **span._asdict()} for span in found]
        _add(out, rows)
        if spans is not None:
            _write(spans, b"".join(orjson.dumps(span) + b"\n" for span in marked))
        return f"{len(rows)} ratings added to {out}" + (f"; {len(marked)} spans in {spans}" if spans else "")

    _told(read)


def judge(
    key: KeyFile,
    judge: Annotated[str, typer.Option(metavar="ENGINE", help="A language model as provider/model.")],
    out: Ratings = Path("ratings.csv"),
    votes: Annotated[int, typer.Option(help="How often the model is asked for each judgment; odd.")] = 1,
    cases: Cases = "open",
) -> None:
    """Let a language model rate the items of a key, so that it can be compared with people."""

    def rate() -> str:
        unblinded = read_key(key)
        by_id = {case.id: case for case in load_cases(cases)}
        met = {episode.case for item in unblinded.items for episode in item.episodes}
        if unknown := sorted(met - by_id.keys()):
            raise ValueError(f"{key}: no case {unknown[0]!r} among the {len(by_id)} loaded; give --cases")
        engine = make_judge(judge, votes=votes, cases=[by_id[name] for name in sorted(met)])
        rows: list[tuple[str, ...]] = []
        for item in unblinded.items:
            scores = [engine.score(episode, by_id[episode.case]) for episode in item.episodes]
            rows += _rows(judged(item, unblinded.form, scores), engine.engine, "judge")
        if not rows:
            raise ValueError(f"{engine.engine} scored nothing that the form {unblinded.form} asks for")
        _add(out, rows)
        return f"{len(rows)} ratings added to {out}"

    _told(rate)


def _told(work: Callable[[], str]) -> None:
    """Run a command's work; whatever the user got wrong is one line."""
    try:
        typer.echo(work(), err=True)
    except (ValueError, CaseError, RunError) as error:
        raise typer.Exit(complain(str(error), 2)) from error
    except OSError as error:
        raise typer.Exit(complain(f"{error.filename}: {error.strerror}", 2)) from error


def _episodes(sources: list[Path], cases: str) -> list[Episode]:
    """Read encounters; where two sources have the same policy, its name gets the source's in front."""
    read = {source: list(_read(source, cases)) for source in sources}
    holders: dict[str, set[Path]] = {}
    for source, episodes in read.items():
        for episode in episodes:
            holders.setdefault(episode.policy, set()).add(source)
    return [
        episode.model_copy(update={"policy": f"{source.stem}:{episode.policy}"})
        if len(holders[episode.policy]) > 1
        else episode
        for source, episodes in read.items()
        for episode in episodes
    ]


def _read(source: Path, cases: str) -> Iterable[Episode]:
    if source.is_dir():
        return read_episodes(source)
    by_id = {case.id: case for case in load_cases(cases)}
    return (episode_of(line).model_copy(update={"policy": source.stem}) for line in read_transcripts(source, by_id))


def _rows(filled: Iterable[Filled], rater: str, role: str) -> list[tuple[str, ...]]:
    return [(rating.item, rating.dimension, rater, role, f"{rating.rating:g}") for rating in filled]


def _add(path: Path, rows: list[tuple[str, ...]]) -> None:
    before = path.read_text(encoding="utf-8-sig") if path.exists() else ",".join(COLUMNS) + "\n"
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    _write(path, (before if before.endswith("\n") else before + "\n").encode() + text.getvalue().encode())


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)
