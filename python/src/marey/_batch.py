"""Whole recordings and data sets."""
from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ._program import run
from ._tables import read_table

if TYPE_CHECKING:
    import pandas


def analyze(
    recording: str | os.PathLike[str], output: str | os.PathLike[str] | None = None, *, options: Sequence[str] = (),
    progress: Callable[[str], None] | None = None,
) -> dict[str, pandas.DataFrame]:
    """Analyzes a recording: tables, provenance and a page.

    Args:
        recording: the path of the recording.
        output: the folder of results; None: ``NAME_marey`` in the working folder.
        options: further options of ``marey analyze``.
        progress: is called with each line that the program writes while it works.

    Returns:
        The tables, as ``results`` does.
    """
    source = Path(recording)
    place = Path(output) if output is not None else Path(f"{source.name.split('.')[0]}_marey")
    run(["analyze", str(source), "--output", str(place), "--force", *options], progress=progress)
    return results(place)


def batch(
    dataset: str | os.PathLike[str], output: str | os.PathLike[str], *, workers: int | None = None,
    group: bool = True, options: Sequence[str] = (), progress: Callable[[str], None] | None = None,
) -> dict[str, pandas.DataFrame]:
    """Analyzes a data set; what is up to date is not computed again.

    Args:
        dataset: a BIDS data set, or a folder with a ``study.yaml`` that describes it.
        output: the folder of results.
        workers: processes; None: one per core.
        group: also compute tables over the group.
        options: further options of ``marey batch``.
        progress: is called with each line that the program writes while it works.

    Returns:
        The tables of the group, by their names.

    Raises:
        InputError: no recording could be analyzed. Failures of some are in the
            table of ``marey batch status``.
    """
    arguments = ["batch", str(dataset), str(output), "participant"]
    if workers is not None:
        arguments += ["--n-cpus", str(workers)]
    if group:
        arguments.append("--then-group")
    run([*arguments, *options], progress=progress, accept=(0, 1))
    return results(Path(output) / "group") if group else results(output)


def results(folder: str | os.PathLike[str]) -> dict[str, pandas.DataFrame]:
    """Reads the tables of a folder of results and of the folders below it.

    Returns:
        The tables by their paths below `folder`, without ``.tsv``, in alphabetical order.
    """
    root = Path(folder)
    if not root.is_dir():
        raise FileNotFoundError(f"{root}: there is no such folder")
    tables = sorted(path for path in root.rglob("*.tsv") if not any(part.startswith(".") for part in path.parts))
    return {str(path.relative_to(root)).removesuffix(".tsv"): read_table(path) for path in tables}
