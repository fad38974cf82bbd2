"""Runs the program ``marey``."""
from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path

from ._errors import InputError, MareyError, ProgramNotFound, UsageError


def program() -> str:
    """Returns the path of the program.

    The environment variable ``MAREY_PROGRAM`` comes first, then the program that the package brings, then the ``PATH``.

    Raises:
        ProgramNotFound: there is none.
    """
    named = os.environ.get("MAREY_PROGRAM")
    if named:
        if os.access(named, os.X_OK):
            return named
        raise ProgramNotFound(f"MAREY_PROGRAM={named}: there is no program there that can be run")
    bundled = Path(__file__).with_name("bin") / "marey"
    if os.access(bundled, os.X_OK):
        return str(bundled)
    found = shutil.which("marey")
    if found:
        return found
    raise ProgramNotFound("the program marey is not on the PATH; install it, or name it in MAREY_PROGRAM")


@lru_cache(maxsize=4)
def _version(path: str) -> str:
    return run(["--version"], path=path).strip()


def version() -> str:
    """Returns the program's version, such as ``0.1.0``."""
    return _version(program())


def run(
    arguments: Sequence[str], *, path: str | None = None, progress: Callable[[str], None] | None = None,
    accept: Sequence[int] = (0,),
) -> str:
    """Runs the program and returns its standard output.

    Args:
        arguments: the command line without the program's name.
        path: the program; None: that of ``program()``.
        progress: is called with each line of standard error while the program runs.
        accept: exit codes that are no error.

    Raises:
        UsageError: exit code 2.
        InputError: exit codes 1 and 3.
        MareyError: any other exit code.
    """
    command = [path or program(), *arguments]
    if progress is None:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, encoding="utf-8")
        output, messages, code = done.stdout, done.stderr, done.returncode
    else:
        output, messages, code = _follow(command, progress)
    if code in accept:
        return output
    text = "\n".join(line.removeprefix("marey: ") for line in messages.splitlines() if line.strip())
    kind = {1: InputError, 2: UsageError, 3: InputError}.get(code, MareyError)
    raise kind(text or f"marey ended with exit code {code}", code, command)


def _follow(command: list[str], progress: Callable[[str], None]) -> tuple[str, str, int]:
    """Runs a command and hands over the lines of its standard error as they come."""
    lines: list[str] = []
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        import threading

        output: list[str] = []
        reader = threading.Thread(target=lambda: output.append(process.stdout.read() if process.stdout else ""))
        reader.start()
        for line in process.stderr:
            lines.append(line)
            progress(line.rstrip("\n"))
        reader.join()
        code = process.wait()
    return output[0] if output else "", "".join(lines), code
