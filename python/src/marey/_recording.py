"""Recordings: streams as NumPy arrays, gaps and markers."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _xdf
from ._input import folder
from ._program import run

if TYPE_CHECKING:
    import pandas


@dataclass
class Gap:
    """Missing time: `onset` and `duration` in seconds, and why."""

    onset: float
    duration: float
    reason: str


@dataclass
class Marker:
    """An event: `onset` and `duration` in seconds from the recording's start."""

    onset: float
    duration: float
    label: str
    stream: str | None = None


@dataclass
class Stream:
    """One stream.

    Attributes:
        name: the stream's name.
        kind: ``ecg``, ``bvp``, ``ibi``, ``eda``, ``eeg``, ``respiration``, ``acceleration`` …
        labels: names of the channels.
        units: units of the channels.
        sampling_rate: samples per second; 0 for irregular streams.
        samples: frames × channels.
        times: seconds from the recording's start, one per frame.
        gaps: missing time.
    """

    name: str
    kind: str
    labels: list[str]
    units: list[str]
    sampling_rate: float
    samples: NDArray[Any]
    times: NDArray[np.float64]
    gaps: list[Gap] = field(default_factory=list)

    def to_frame(self) -> pandas.DataFrame:
        """Returns the samples with the time in seconds as index and the channels as columns."""
        import pandas

        frame = pandas.DataFrame(self.samples, index=pandas.Index(self.times, name="time"), columns=self.labels)
        frame.attrs["units"] = dict(zip(self.labels, self.units, strict=True))
        frame.attrs["sampling_rate"] = self.sampling_rate
        return frame


@dataclass
class Recording:
    """A recording: its streams, markers and notes."""

    path: Path
    format: str
    duration: float | None
    start: str | None
    streams: list[Stream]
    markers: list[Marker]
    notes: list[str]

    def __getitem__(self, name: str) -> Stream:
        """Returns the stream of this name, or the first of this kind."""
        for stream in self.streams:
            if stream.name == name:
                return stream
        for stream in self.streams:
            if stream.kind == name:
                return stream
        known = ", ".join(f"{stream.name} ({stream.kind})" for stream in self.streams)
        raise KeyError(f"no stream {name!r}; there are {known}")

    def to_mne(self, stream: str = "eeg") -> Any:
        """Returns a stream as ``mne.io.RawArray`` in volts, with gaps and markers as annotations."""
        import mne

        chosen = self[stream]
        kinds = {"eeg": "eeg", "ecg": "ecg", "eda": "gsr", "respiration": "resp", "temperature": "temperature"}
        factors = {"uV": 1e-6, "µV": 1e-6, "mV": 1e-3, "nV": 1e-9, "V": 1.0, "uS": 1e-6, "µS": 1e-6}
        info = mne.create_info(chosen.labels, chosen.sampling_rate, kinds.get(chosen.kind, "misc"))
        count = round((chosen.times[-1] - chosen.times[0]) * chosen.sampling_rate) + 1 if len(chosen.times) else 0
        data = np.zeros((len(chosen.labels), count))
        first = float(chosen.times[0]) if len(chosen.times) else 0.0
        place = np.rint((chosen.times - first) * chosen.sampling_rate).astype(int)
        scale = np.array([factors.get(unit, 1.0) for unit in chosen.units])
        data[:, place] = (np.nan_to_num(chosen.samples.astype(np.float64)) * scale).T
        raw = mne.io.RawArray(data, info, verbose="error")
        marks = [(marker.onset - first, marker.duration, marker.label) for marker in self.markers]
        marks += [(gap.onset - first, gap.duration, f"BAD_{gap.reason}") for gap in chosen.gaps]
        if marks:
            raw.set_annotations(mne.Annotations(*map(list, zip(*sorted(marks), strict=True))), verbose="error")
        return raw


def read(path: str | os.PathLike[str]) -> Recording:
    """Reads a recording of any format that Marey reads.

    Raises:
        InputError: the file cannot be read.
    """
    source = Path(path)
    told = json.loads(run(["info", str(source), "--json"]))
    with folder() as place:
        copy = place / "copy.xdf"
        run(["convert", str(source), str(copy)])
        samples = [stream for stream in _xdf.read(copy) if not stream.texts]
    header = told["header"]
    streams = [_stream(entry, samples) for entry in told["streams"]]
    markers = [
        Marker(float(one["onset"]), float(one.get("duration", 0)), str(one["label"]), one.get("stream"))
        for one in told["markers"]
    ]
    return Recording(
        source, header["format"], header.get("duration"), header.get("start"), streams, markers, header["notes"]
    )


def _stream(entry: dict[str, Any], samples: list[_xdf.XDFStream]) -> Stream:
    labels = [channel["label"] for channel in entry["channels"]]
    found = next((one for one in samples if one.name == entry["name"]), None)
    values = found.samples if found is not None else np.empty((0, len(labels)), dtype=np.float32)
    times = found.times if found is not None else np.empty(0)
    gaps = [Gap(float(gap["onset"]), float(gap["duration"]), str(gap["reason"])) for gap in entry["gaps"]]
    return Stream(
        entry["name"], entry["kind"], labels, [channel["unit"] for channel in entry["channels"]],
        float(entry["sampleRate"]), values, times, gaps,
    )
