"""Run a command line so that whatever the user got wrong is one plain line and an exit code."""

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.main import get_command

from bedside.chat.privacy import FLAG
from bedside.collector import seldom_collecting

__all__ = ["AllowRemote", "complain", "console_width", "invoke"]

AllowRemote = Annotated[
    bool,
    typer.Option(FLAG, help="Let models that are not on this machine see credentialed cases (MIMIC)."),
]
"""The option of every command that may send cases to a language model."""

# Click's base class of usage errors. Typer carries a click of its own since 0.2x, an installed one before
# that, so the way to it that holds for both is through what typer exports.
USAGE_ERROR: Any = typer.BadParameter.__mro__[2]


# Where no terminal tells a width: a table in a log file should not be folded.
LOG_WIDTH = 220


def console_width() -> int | None:
    """Return the width to lay tables out for; None leaves it to the terminal."""
    return None if sys.stdout.isatty() else LOG_WIDTH


def complain(message: str, code: int) -> int:
    """Print one error line on stderr and return the exit code."""
    typer.echo(f"error: {' '.join(message.split())}", err=True)
    return code


def invoke(app: typer.Typer, args: Sequence[str], name: str) -> int:
    """Run an application.

    Args:
        app: What to run.
        args: Its arguments.
        name: What it is called in its help.

    Returns:
        The exit code: 0 done, 2 for arguments that cannot be used, else what the command chose.
    """
    try:
        with seldom_collecting():
            code = get_command(app).main(args=list(args), prog_name=name, standalone_mode=False)
    except USAGE_ERROR as error:
        where = error.ctx.command_path if error.ctx else name
        return complain(f"{error.format_message().rstrip('.')}; see {where} --help", error.exit_code)
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0
