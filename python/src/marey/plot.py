"""Pictures with matplotlib. Every function takes ``ax=`` and returns it."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas

#: Colours that people with colour-blindness tell apart (Wong 2011, Nat Methods 8:441).
BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#6b6b6b"


def _axes(ax: Any, size: tuple[float, float] = (9.0, 2.8)) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot

    return matplotlib.pyplot.subplots(figsize=size, layout="constrained")[1]


def signal(
    samples: Any, *, sampling_rate: float, beats: pandas.DataFrame | None = None, start: float = 0.0,
    duration: float | None = None, unit: str = "", ax: Any = None,
) -> Any:
    """Draws a signal with its beats.

    Args:
        samples: one channel.
        sampling_rate: samples per second.
        beats: the table of ``marey.beats``.
        start: where the picture begins, in seconds.
        duration: how many seconds it shows; None: all.
        unit: unit of the samples.
        ax: axes to draw on.
    """
    ax = _axes(ax)
    values = np.asarray(samples, dtype=float).ravel()
    times = np.arange(len(values)) / sampling_rate
    shown = (times >= start) & (times < (np.inf if duration is None else start + duration))
    ax.plot(times[shown], values[shown], color=BLUE, linewidth=0.9)
    if beats is not None and len(beats):
        places = beats["sample"].to_numpy(dtype=int)
        inside = places[(places < len(values)) & (places >= 0)]
        inside = inside[shown[inside]]
        ax.plot(inside / sampling_rate, values[inside], "v", color=ORANGE, markersize=5, label="beats")
        ax.legend(frameon=False, loc="upper right")
    ax.set(xlabel="Time (s)", ylabel=unit or "device units")
    return ax


def tachogram(beats: pandas.DataFrame, *, ax: Any = None) -> Any:
    """Draws the intervals between beats over time; a gap ends the line."""
    ax = _axes(ax)
    onset = beats["onset"].to_numpy(dtype=float)
    ax.plot(onset, beats["ibi"].to_numpy(dtype=float) * 1000, color=BLUE, linewidth=0.9, marker=".", markersize=3)
    ax.set(xlabel="Time (s)", ylabel="Interval (ms)")
    return ax


def poincare(beats: pandas.DataFrame, *, ax: Any = None) -> Any:
    """Draws each interval over the one before it; no pair spans a gap."""
    ax = _axes(ax, (4.0, 4.0))
    intervals = beats["ibi"].to_numpy(dtype=float) * 1000
    first, second = intervals[:-1], intervals[1:]
    pairs = np.isfinite(first) & np.isfinite(second)
    ax.plot(first[pairs], second[pairs], ".", color=BLUE, markersize=4)
    if pairs.any():
        bounds = [float(np.nanmin(intervals)), float(np.nanmax(intervals))]
        ax.plot(bounds, bounds, "--", color=GREY, linewidth=0.8)
    ax.set(xlabel="Interval (ms)", ylabel="Next interval (ms)")
    ax.set_aspect("equal", adjustable="datalim")
    return ax


def eda(samples: pandas.DataFrame, responses: pandas.DataFrame | None = None, *, ax: Any = None) -> Any:
    """Draws skin conductance with its tonic part and the peaks of responses.

    Args:
        samples: ``marey.eda(…, table="samples")``.
        responses: ``marey.eda(…)``.
        ax: axes to draw on.
    """
    ax = _axes(ax)
    time = samples["onset"].to_numpy(dtype=float)
    recorded = "conductance" if "conductance" in samples else "raw"
    ax.plot(time, samples[recorded], color=GREY, linewidth=0.9, label="recorded")
    ax.plot(time, samples["tonic"], color=BLUE, linewidth=1.4, label="tonic")
    if responses is not None and len(responses) and "peak" in responses:
        peaks = responses["peak"].to_numpy(dtype=float)
        ax.plot(peaks, np.interp(peaks, time, samples[recorded]), "v", color=ORANGE, markersize=5, label="responses")
    ax.set(xlabel="Time (s)", ylabel="Skin conductance (µS)")
    ax.legend(frameon=False, loc="upper right")
    return ax


def quality(windows: pandas.DataFrame, *, ax: Any = None) -> Any:
    """Draws quality over time, with the limit below which a window is unusable."""
    ax = _axes(ax, (9.0, 1.8))
    middle = windows["onset"] + windows["duration"] / 2
    ax.plot(middle, windows["quality"], color=GREEN, linewidth=1.2)
    ax.axhline(0.5, color=ORANGE, linestyle="--", linewidth=0.9)
    ax.set(xlabel="Time (s)", ylabel="Quality", ylim=(-0.03, 1.03))
    return ax
