"""The errors of the package, each with Marey's own message."""
from __future__ import annotations


class MareyError(Exception):
    """Marey refused the input or stopped.

    Attributes:
        exit_code: the program's exit code; None where the program did not run.
        command: the command line that was run.
    """

    def __init__(self, message: str, exit_code: int | None = None, command: list[str] | None = None) -> None:
        super().__init__(message)
        self.exit_code = exit_code
        self.command = command or []


class UsageError(MareyError):
    """An argument is wrong (exit code 2)."""


class InputError(MareyError):
    """The input cannot be used (exit codes 1 and 3)."""


class ProgramNotFound(MareyError):
    """The program ``marey`` is not installed."""
