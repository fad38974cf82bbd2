"""Call Marey from Python: heart beats, HRV, skin conductance, respiration, EEG and quality as data frames.

Every function takes an array, a pandas object, an MNE ``Raw`` or the path of a recording, and returns one
``pandas.DataFrame``. Its ``attrs`` hold the units and definitions of the columns. Numbers equal those of the
command line.

>>> import marey, numpy
>>> intervals = marey.hrv(numpy.full(300, 800.0) + numpy.arange(300) % 7, kind="ibi")
>>> intervals.attrs["units"]["rmssd"]
'ms'
"""
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import plot
    from ._analysis import beats, eda, eeg, hrv, motion, quality, respiration, rhythm
    from ._batch import analyze, batch, results
    from ._errors import InputError, MareyError, ProgramNotFound, UsageError
    from ._program import program, version
    from ._recording import Gap, Marker, Recording, Stream, read

__all__ = [
    "Gap", "InputError", "MareyError", "Marker", "ProgramNotFound", "Recording", "Stream", "UsageError",
    "analyze", "batch", "beats", "eda", "eeg", "hrv", "motion", "plot", "program", "quality", "read", "respiration",
    "results", "rhythm", "version",
]

# numpy, pandas and matplotlib take most of a second to load; each is loaded at the first use.
_MODULES = {
    "_analysis": ("beats", "eda", "eeg", "hrv", "motion", "quality", "respiration", "rhythm"),
    "_batch": ("analyze", "batch", "results"),
    "_errors": ("InputError", "MareyError", "ProgramNotFound", "UsageError"),
    "_program": ("program", "version"),
    "_recording": ("Gap", "Marker", "Recording", "Stream", "read"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> object:
    if name == "plot":
        return import_module("marey.plot")
    if name not in _HOMES:
        raise AttributeError(f"module 'marey' has no attribute {name!r}")
    value: object = getattr(import_module(f"marey.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
