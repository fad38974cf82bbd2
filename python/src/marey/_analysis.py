"""One function per kind of result; each runs the verb of the same name."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import UsageError
from ._input import folder, intervals, is_path, recording
from ._program import run
from ._tables import read_table

if TYPE_CHECKING:
    import pandas



def beats(
    signal: Any, *, sampling_rate: float | None = None, kind: str = "ecg", unit: str | None = None,
    parameters: Mapping[str, Any] | None = None, stream: str | None = None,
) -> pandas.DataFrame:
    """Detects heart beats: R peaks in an ECG, systolic peaks in a PPG.

    Args:
        signal: samples (one dimension), samples × leads, a pandas object, an MNE ``Raw`` or the path of a recording.
        sampling_rate: samples per second; required for arrays and pandas objects.
        kind: ``ecg`` or ``ppg``.
        unit: unit of the samples, such as ``mV`` or ``uV``; the default is ``mV`` for an ECG.
        parameters: parameters that differ from the defaults, such as ``{"ecg.fiducial": "rPeak"}``.
        stream: of a path with several streams, the stream's name or kind.

    Returns:
        One row per beat: ``onset`` (s), ``sample`` (index from 0), ``kind``, ``confidence`` (0 to 1), ``ibi`` (s).

    Raises:
        InputError: the signal cannot be analyzed.
        UsageError: an argument is wrong.
    """
    return _table("beats", signal, kind, sampling_rate, unit, parameters, stream)


def hrv(
    data: Any, *, sampling_rate: float | None = None, kind: str = "ecg", unit: str | None = None,
    window: float | None = None, step: float | None = None, indexes: Sequence[str] | None = None,
    parameters: Mapping[str, Any] | None = None, stream: str | None = None,
) -> pandas.DataFrame:
    """Computes heart-rate variability.

    Args:
        data: as for ``beats``; with ``kind="ibi"`` intervals between beats in milliseconds.
        sampling_rate: samples per second; required for arrays and pandas objects that are no intervals.
        kind: ``ecg``, ``ppg`` or ``ibi``.
        unit: unit of the samples.
        window: length of the windows in seconds; None: one window over the whole recording.
        step: distance of the windows in seconds.
        indexes: the indexes to compute, such as ``["rmssd", "sdnn"]``; None: all.
        parameters: parameters that differ from the defaults.
        stream: of a path with several streams, the stream's name or kind.

    Returns:
        One row per window. ``attrs["reasons"]`` says why an index is missing, by the row's number and the index's name.

    Raises:
        InputError: the data cannot be analyzed.
        UsageError: an argument is wrong.
    """
    options = ["--window", "whole" if window is None else repr(float(window))]
    if step is not None:
        options += ["--step", repr(float(step))]
    if indexes is not None:
        options += ["--indexes", ",".join(indexes)]
    return _table("hrv", data, kind, sampling_rate, unit, parameters, stream, options)


def rhythm(
    data: Any, *, sampling_rate: float | None = None, kind: str = "ecg", unit: str | None = None,
    parameters: Mapping[str, Any] | None = None, stream: str | None = None,
) -> pandas.DataFrame:
    """Describes the rhythm in segments; no diagnosis. Arguments as for ``hrv``; one row per segment."""
    return _table("rhythm", data, kind, sampling_rate, unit, parameters, stream)


def respiration(
    signal: Any, *, sampling_rate: float | None = None, kind: str = "rsp", unit: str | None = None,
    parameters: Mapping[str, Any] | None = None, stream: str | None = None,
) -> pandas.DataFrame:
    """Estimates the respiration rate from a belt (``kind="rsp"``), an ECG, a PPG or intervals.

    Returns:
        One row per window and method: ``respirationRate`` (breaths per minute) and ``respirationQuality``.
    """
    return _table("respiration", signal, kind, sampling_rate, unit, parameters, stream)


def eda(
    signal: Any, *, sampling_rate: float | None = None, unit: str | None = None, table: str = "responses",
    parameters: Mapping[str, Any] | None = None, stream: str | None = None,
) -> pandas.DataFrame:
    """Separates skin conductance into level and responses.

    Args:
        signal: skin conductance in µS, as for ``beats``.
        sampling_rate: samples per second; required for arrays and pandas objects.
        unit: unit of the samples; the default is ``uS``.
        table: ``responses`` (one row per response), ``samples`` (tonic and phasic parts) or ``windows`` (one row per
            minute).
        parameters: parameters that differ from the defaults.
        stream: of a path with several streams, the stream's name.
    """
    options = [] if table == "responses" else ["--table", table]
    return _table("eda", signal, "eda", sampling_rate, unit, parameters, stream, options)


def eeg(
    signal: Any, *, sampling_rate: float | None = None, channels: Sequence[str] | None = None,
    unit: str | None = None, table: str = "features", parameters: Mapping[str, Any] | None = None,
    stream: str | None = None,
) -> pandas.DataFrame:
    """Cleans an EEG and computes features of 2-s epochs.

    Args:
        signal: samples × channels (or channels × samples with more samples than channels), a data frame whose columns
            are channels, an MNE ``Raw`` or a path.
        sampling_rate: samples per second; required for arrays and data frames.
        channels: names of the channels, such as ``["TP9", "AF7", "AF8", "TP10"]``.
        unit: unit of the samples; the default is ``uV`` (of MNE objects volts).
        table: ``features``, ``pairs``, ``eyes``, ``blinks`` or ``covariances``.
        parameters: parameters that differ from the defaults.
        stream: of a path with several streams, the stream's name.

    Returns:
        ``features``: one row per epoch and channel.
    """
    options = [] if table == "features" else ["--table", table]
    return _table("eeg", signal, "eeg", sampling_rate, unit, parameters, stream, options, channels)


def motion(
    signal: Any, *, sampling_rate: float | None = None, unit: str | None = None,
    parameters: Mapping[str, Any] | None = None, stream: str | None = None,
) -> pandas.DataFrame:
    """Summarizes acceleration (samples × 3, in g unless `unit` says otherwise) in epochs of 5 s."""
    return _table("motion", signal, "acceleration", sampling_rate, unit, parameters, stream)


def quality(
    signal: Any, *, sampling_rate: float | None = None, kind: str = "ecg", unit: str | None = None,
    channels: Sequence[str] | None = None, parameters: Mapping[str, Any] | None = None, stream: str | None = None,
) -> pandas.DataFrame:
    """Judges the signal in windows of 10 s.

    Returns:
        One row per window: ``quality`` (0 to 1) and ``reasons``.
    """
    return _table("quality", signal, kind, sampling_rate, unit, parameters, stream, (), channels)


def _table(
    verb: str, data: Any, kind: str, sampling_rate: float | None, unit: str | None,
    parameters: Mapping[str, Any] | None, stream: str | None, options: Sequence[str] = (),
    channels: Sequence[str] | None = None,
) -> pandas.DataFrame:
    """Runs a verb and reads its table."""
    import pandas

    is_intervals = kind == "ibi" and not is_path(data)
    if not is_path(data) and not hasattr(data, "get_data") and np.size(data) == 0:
        frame = pandas.DataFrame()
        frame.attrs["reason"] = "the input is empty"
        return frame
    source = intervals(data) if is_intervals else recording(data, kind, sampling_rate, unit, channels)
    with source as file, folder() as place:
        output = place / "table.tsv"
        arguments = [verb, str(file), "--output", str(output), *options]
        if stream is not None:
            arguments += ["--stream", stream]
        elif is_path(data) and verb in ("beats", "hrv", "rhythm", "respiration", "quality"):
            named = {"ppg": "bvp", "rsp": "respiration"}.get(kind, kind)
            # The default kind is no wish: a path is analyzed by what it holds.
            if named not in ("ecg", "respiration"):
                arguments += ["--stream", named]
        if parameters:
            arguments += ["--config", str(_config(place, parameters))]
        run(arguments)
        frame = read_table(output)
        if verb == "hrv":
            frame.attrs["reasons"] = _reasons(arguments, place, frame)
    frame.attrs["source"] = str(data) if is_path(data) else kind
    return frame


def _reasons(arguments: list[str], place: Path, frame: pandas.DataFrame) -> dict[tuple[int, str], str]:
    """Why indexes are missing; one more run, only where one is."""
    known = set(frame.attrs.get("units", {})) | set(frame.attrs.get("definitions", {}))
    if not any(name in known and frame[name].isna().any() for name in frame.columns):
        return {}
    output = place / "why.tsv"
    with_why = [str(output) if word.endswith("table.tsv") else word for word in arguments] + ["--why"]
    run(with_why)
    rows = read_table(output)
    numbers = {onset: number for number, onset in enumerate(frame["onset"])}
    reasons: dict[tuple[int, str], str] = {}
    for onset, index, reason in zip(rows["onset"], rows["index"], rows["reason"], strict=True):
        if onset in numbers:
            reasons[numbers[onset], str(index)] = str(reason)
    return reasons


def _config(place: Path, parameters: Mapping[str, Any]) -> Path:
    """A file of parameters; dotted names become nested keys. JSON is YAML."""
    import json

    tree: dict[str, Any] = {}
    for name, value in parameters.items():
        branch = tree
        *above, last = name.split(".")
        for key in above:
            branch = branch.setdefault(key, {})
            if not isinstance(branch, dict):
                raise UsageError(f"parameters: {name} is below a value")
        branch[last] = dict(value) if isinstance(value, Mapping) else value
    file = place / "parameters.yaml"
    file.write_text(json.dumps(tree), encoding="utf-8")
    return file
