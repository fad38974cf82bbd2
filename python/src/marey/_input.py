"""Recordings from arrays, pandas objects, MNE objects and paths."""
from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import UsageError
from ._xdf import XDFStream, write

#: kind: (type in XDF, unit of the samples unless another is given)
KINDS: dict[str, tuple[str, str]] = {
    "ecg": ("ECG", "mV"), "ppg": ("PPG", ""), "bvp": ("PPG", ""), "eda": ("EDA", "uS"), "rsp": ("Respiration", ""),
    "eeg": ("EEG", "uV"), "acceleration": ("ACC", "g"), "temperature": ("Temperature", "C"),
}

#: The unit that values in volts or siemens are converted to, by kind.
_FROM_SI = {"eeg": "uV", "ecg": "uV", "eda": "uS"}


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A temporary folder in memory where the system has one."""
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="marey-", dir=base) as path:
        yield Path(path)


def is_path(data: Any) -> bool:
    """Tells whether `data` names a file."""
    return isinstance(data, (str, os.PathLike))


def frames(data: Any, kind: str) -> tuple[NDArray[np.float32], list[str] | None]:
    """Returns samples × channels, and the names of the channels where the data have names.

    Raises:
        UsageError: `data` has more than two dimensions, or holds other things than numbers.
    """
    labels: list[str] | None = None
    if hasattr(data, "columns") and hasattr(data, "to_numpy"):
        labels = [str(name) for name in data.columns]
    elif hasattr(data, "to_numpy") and getattr(data, "name", None) is not None:
        labels = [str(data.name)]
    try:
        array = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise UsageError(f"the {kind} must hold numbers: {error}") from error
    if array.ndim == 1:
        array = array[:, np.newaxis]
    if array.ndim != 2:
        raise UsageError(f"the {kind} has {array.ndim} dimensions; expected samples, or samples × channels")
    # An array that is wider than long is channels × samples, as in MNE.
    if labels is None and kind == "eeg" and array.shape[0] < array.shape[1]:
        array = array.T
    with np.errstate(over="ignore"):
        return array.astype(np.float32), labels


def rate(value: float | None, kind: str) -> float:
    """Returns the sampling rate in Hz.

    Raises:
        UsageError: it is missing, not finite or not above 0. There is no default: a wrong rate gives wrong numbers.
    """
    if value is None:
        raise UsageError(f"sampling_rate is missing: give the samples per second of the {kind}")
    if not np.isfinite(value) or value <= 0:
        raise UsageError(f"sampling_rate is {value}; expected samples per second above 0")
    return float(value)


@contextlib.contextmanager
def recording(
    data: Any, kind: str, sampling_rate: float | None, unit: str | None, channels: Sequence[str] | None
) -> Iterator[Path]:
    """A file with the data, which is deleted afterwards; the file itself where `data` is a path."""
    if is_path(data):
        yield Path(data)
        return
    if hasattr(data, "get_data") and hasattr(data, "info"):  # MNE Raw
        sampling_rate = float(data.info["sfreq"])
        channels = list(data.ch_names) if channels is None else list(channels)
        data = data.get_data(picks=channels).T
        if unit is None and kind in _FROM_SI:
            # MNE has volts and siemens; their numbers lose less as 32-bit floats in the field's units.
            data, unit = data * 1e6, _FROM_SI[kind]
    name = "bvp" if kind == "ppg" else kind
    if kind not in KINDS:
        raise UsageError(f"kind is {kind!r}; expected one of {', '.join(KINDS)}")
    samples, labels = frames(data, kind)
    labels = list(channels) if channels is not None else labels or defaults(kind, samples.shape[1])
    if len(labels) != samples.shape[1]:
        raise UsageError(f"{len(labels)} channel names for {samples.shape[1]} channels")
    type_, usual = KINDS[kind]
    units = [usual if unit is None else unit] * len(labels)
    with folder() as path:
        file = path / "recording.xdf"
        write(file, [XDFStream(name, type_, labels, units, rate(sampling_rate, kind), samples)])
        yield file


def defaults(kind: str, count: int) -> list[str]:
    """Names of channels that have none."""
    return [kind] if count == 1 else [f"{kind}{number}" for number in range(1, count + 1)]


@contextlib.contextmanager
def intervals(data: Any) -> Iterator[Path]:
    """A text file of RR intervals in milliseconds."""
    if is_path(data):
        yield Path(data)
        return
    values = np.asarray(data, dtype=np.float64).ravel()
    with folder() as path:
        file = path / "intervals.csv"
        file.write_text("RR (ms)\n" + "".join(f"{value!r}\n" for value in values.tolist()), encoding="utf-8")
        yield file
