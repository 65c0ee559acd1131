"""Writing a curriculum as a dataset: shards played in parallel, then JSONL, Parquet and a card.

Ten thousand dialogues take minutes, and minutes get interrupted. So dialogues are written in shards, each of which
appears whole or not at all, and a run that is started again plays only the shards that are missing.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict
from hashlib import blake2b
from multiprocessing import get_context
from pathlib import Path
from shutil import rmtree
from statistics import fmean
from typing import Any

import orjson

from bedside.collector import settle_collector
from bedside.training.curriculum import Curriculum, DialogueMaker

__all__ = ["write_curriculum"]

_SHARD = 100
"""Dialogues that are written together, about."""

_maker: tuple[Curriculum, DialogueMaker] | None = None


def write_curriculum(
    curriculum: Curriculum,
    out: Path,
    *,
    split: str = "train",
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, int]:
    """Write a curriculum, or what is missing of it.

    Args:
        curriculum: What to write.
        out: The dataset's folder; other splits in it are left alone.
        split: Name of the split, which names the files.
        workers: Processes; the bytes do not depend on it.
        progress: Called with dialogues done and dialogues in all.

    Returns:
        Counts: ``played``, ``kept``, ``duplicates``.

    Raises:
        ValueError: The folder holds a curriculum of other settings, or a setting cannot be used.
        RuntimeError: A worker process died; what was played is kept, and the same call goes on.
    """
    maker = DialogueMaker(curriculum)  # whatever is wrong with the settings is told before anything is written
    out.mkdir(parents=True, exist_ok=True)
    _agree(out / f"{split}.settings.json", curriculum)
    folder = out / f"{split}.shards"
    folder.mkdir(exist_ok=True)
    shards = {folder / f"shard-{first:06d}.jsonl": numbers for first, numbers in enumerate(maker.shards(_SHARD))}
    missing = {path: numbers for path, numbers in shards.items() if not path.exists()}
    done = curriculum.count - sum(map(len, missing.values()))
    for played in _play(curriculum, missing, workers):
        done += played
        if progress:
            progress(done, curriculum.count)
    counts = _merge(shards, out, split)
    rmtree(folder)
    _write(out / "README.md", _card(out).encode())
    return counts


def _agree(path: Path, curriculum: Curriculum) -> None:
    settings = orjson.loads(orjson.dumps(asdict(curriculum)))
    if path.exists():
        if orjson.loads(path.read_bytes()) != settings:
            raise ValueError(f"{path.parent} holds a curriculum of other settings ({path.name}); give another --out")
        return
    _write(path, orjson.dumps(settings, option=orjson.OPT_INDENT_2) + b"\n")


def _play(curriculum: Curriculum, missing: Mapping[Path, Sequence[int]], workers: int) -> Iterator[int]:
    if workers <= 1 or len(missing) <= 1:
        for path, numbers in missing.items():
            yield _play_shard(curriculum, numbers, path)
        return
    for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=settle_collector) as pool:
        jobs = [pool.submit(_play_shard, curriculum, numbers, path) for path, numbers in missing.items()]
        try:
            for job in as_completed(jobs):
                yield job.result()
        except BrokenProcessPool as error:
            raise RuntimeError("a worker process died; run the same command again to go on") from error
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _play_shard(curriculum: Curriculum, numbers: Sequence[int], path: Path) -> int:
    global _maker
    if _maker is None or _maker[0] != curriculum:
        _maker = curriculum, DialogueMaker(curriculum)
    rows = [_maker[1].row(number) for number in numbers]
    _write(path, b"".join(orjson.dumps(row, option=orjson.OPT_SORT_KEYS) + b"\n" for row in rows))
    return len(numbers)


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)


def _merge(shards: Mapping[Path, Sequence[int]], out: Path, split: str) -> dict[str, int]:
    """Put the shards together in the order of the numbers, without dialogues that say the same word for word."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    seen: set[bytes] = set()
    kept = 0
    lines_part, table_part = out / f"{split}.jsonl.part", out / f"{split}.parquet.part"
    writer: pq.ParquetWriter | None = None
    places = _places(shards)
    with lines_part.open("wb") as file:
        for first in range(0, len(places), _SHARD):
            rows = []
            for number in range(first, min(first + _SHARD, len(places))):
                line = _line(*places[number])
                row = orjson.loads(line)
                digest = blake2b(orjson.dumps(row["messages"]), digest_size=16).digest()
                if digest in seen:
                    continue
                seen.add(digest)
                file.write(line)
                rows.append(row)
            kept += len(rows)
            table = pa.Table.from_pylist(rows, schema=writer.schema if writer else None)
            writer = writer or pq.ParquetWriter(table_part, _nullable(table.schema))
            writer.write_table(table.cast(writer.schema))
    if writer is not None:
        writer.close()
    lines_part.replace(out / f"{split}.jsonl")
    table_part.replace(out / f"{split}.parquet")
    return {"played": len(places), "kept": kept, "duplicates": len(places) - kept}


def _places(shards: Mapping[Path, Sequence[int]]) -> dict[int, tuple[Path, int, int]]:
    """Return the file of each dialogue, and where its line begins and ends."""
    places = {}
    for path, numbers in shards.items():
        start = 0
        for number, line in zip(numbers, path.read_bytes().splitlines(keepends=True), strict=True):
            places[number] = path, start, start + len(line)
            start += len(line)
    return places


def _line(path: Path, start: int, end: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read(end - start)


def _nullable(schema: Any) -> Any:
    """A score that no dialogue of the first shard has is read as null; it is a number all the same."""
    import pyarrow as pa

    def mended(kind: Any) -> Any:
        if pa.types.is_null(kind):
            return pa.float64()
        if pa.types.is_struct(kind):
            return pa.struct([field.with_type(mended(field.type)) for field in kind])
        return kind

    return pa.schema([field.with_type(mended(field.type)) for field in schema])


def _card(out: Path) -> str:
    """Return the dataset card of all splits in a folder."""
    splits = sorted(path.stem for path in out.glob("*.parquet"))
    files = "".join(f"  - split: {split}\n    path: {split}.parquet\n" for split in splits)
    head = f"---\nlicense: cc-by-4.0\nlanguage: en\nconfigs:\n- config_name: default\n  data_files:\n{files}---\n\n"
    parts = [
        "# Verified dialogues with noisy patients\n",
        "Simulated encounters from easy to hard. Every patient turn was checked against its record before the\n"
        "clinician heard it. `messages` is what a trainer takes: the briefing as system message, the patient as user,\n"
        "the clinician as assistant. No real patient's data is in it.\n",
    ]
    parts += [_counted(out, split) for split in splits]
    return head + "\n".join(parts)


def _counted(out: Path, split: str) -> str:
    settings = orjson.loads((out / f"{split}.settings.json").read_bytes())
    with (out / f"{split}.jsonl").open("rb") as file:
        rows = [_counts_of(orjson.loads(line)) for line in file]
    stages: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        stages.setdefault(row["stage"], []).append(row)
    lines = [
        f"## {split}\n",
        f"{len(rows)} dialogues of {len({row['case'] for row in rows})} cases ({settings['cases']}), "
        f"seed {settings['seed']}, clinicians {', '.join(settings['policies'])}, persona {settings['persona']}, "
        f"briefing {settings['briefing']}.\n",
        "| stage | dialogues | turns | rejected drafts | fallbacks | mean reward |",
        "|---|---|---|---|---|---|",
    ]
    for stage in settings["stages"]:
        found = stages.get(stage, [])
        rewards = [row["reward"] for row in found if row["reward"] is not None]
        totals = Counter[str]()
        for row in found:
            totals.update({name: row[name] for name in ("turns", "rejected", "fallbacks")})
        mean = f"{fmean(rewards):.3f}" if rewards else "unscored"
        lines.append(
            f"| {stage} | {len(found)} | {totals['turns']} | {totals['rejected']} | {totals['fallbacks']} | {mean} |"
        )
    return "\n".join(lines) + "\n"


def _counts_of(row: dict[str, Any]) -> dict[str, Any]:
    return {name: row[name] for name in ("case", "stage", "turns", "rejected", "fallbacks", "reward")}
