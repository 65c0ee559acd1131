"""What decides the result of an evaluation besides its settings: cases, code, and versions of what runs it."""

import platform
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path

import bedside
from bedside.benchmarks.runs import RunConfig
from bedside.cases.case import Case

__all__ = ["hash_cases", "hash_code", "versions_of"]

# Torch and what stands on it look up claims whose words no table knows.
ALWAYS = ("bedside", "numpy", "torch", "sentence-transformers", "faiss-cpu")
RUNTIMES = {"hf": "transformers", "vllm": "vllm", "gguf": "xllamacpp", "smollm2": "xllamacpp"}
"""What runs a language model in this process, by the provider in its name."""


def hash_cases(cases: Sequence[Case]) -> str:
    """Hash the content of cases."""
    digest = blake2b(digest_size=8)
    for case in cases:
        digest.update(case.model_dump_json().encode() + b"\n")
    return digest.hexdigest()


@cache
def hash_code() -> str:
    """Hash everything in bedside that can change a result: its modules and the data they read."""
    digest = blake2b(digest_size=8)
    package = Path(str(files(bedside)))
    # Rooms are symlinks in a checkout, which rglob does not enter by itself.
    for room in sorted(package.iterdir()):
        if room.name == "training":
            continue
        root = room.resolve()
        for source in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if source.suffix in (".py", ".tsv", ".json", ".jsonl", ".toml", ".txt") and source.is_file():
                place = f"{room.name}/{source.relative_to(root).as_posix()}\n"
                digest.update(place.encode() + source.read_bytes())
    return digest.hexdigest()


def versions_of(config: RunConfig) -> dict[str, str]:
    """Return the versions of what decides a result, runtimes of language models only where one takes part.

    Args:
        config: The evaluation.
    """
    providers = {name.partition("?")[0].partition("/")[0] for name in config.engines}
    runtimes = {runtime for provider, runtime in RUNTIMES.items() if provider in providers}
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in (*ALWAYS, *sorted(runtimes)):
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found
