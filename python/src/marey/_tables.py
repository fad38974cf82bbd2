"""Tables of Marey as data frames."""
from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


def read_table(path: Path) -> pandas.DataFrame:
    """Reads a table with its JSON sidecar.

    Returns:
        The rows; ``n/a`` is NaN. ``attrs["units"]``, ``attrs["definitions"]`` and ``attrs["references"]`` map column
        names to text.
    """
    import pandas

    frame = pandas.read_csv(path, sep="\t", na_values=["n/a"], keep_default_na=False)
    # A column that is missing throughout is a column of numbers.
    for name in frame.columns:
        if frame[name].isna().all():
            frame[name] = frame[name].astype("float64")
    describe(frame, sidecar(path))
    return frame


def sidecar(path: Path) -> dict[str, Any]:
    """Returns the content of the table's sidecar; empty without one."""
    name = path.name.removesuffix(".gz")
    file = path.with_name(name.removesuffix(".tsv") + ".json")
    if not file.exists():
        return {}
    content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return content


def describe(frame: pandas.DataFrame, columns: dict[str, Any]) -> None:
    """Puts units, definitions and references of the columns into ``attrs``."""
    for key, name in (("Units", "units"), ("Description", "definitions"), ("Reference", "references")):
        frame.attrs[name] = {
            column: entry[key]
            for column, entry in columns.items()
            if column in frame.columns and isinstance(entry, dict) and key in entry
        }
