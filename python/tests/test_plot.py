"""Plots take axes and return them."""
from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402

import marey  # noqa: E402
import marey.plot  # noqa: E402


def test_every_plot_draws_on_the_axes_it_is_given(recording: Path) -> None:
    stream = marey.read(recording)["ecg"]
    samples = stream.samples[: 20 * 250, 0]
    beats = marey.beats(samples, sampling_rate=250)
    for draw in (
        lambda ax: marey.plot.signal(samples, sampling_rate=250, beats=beats, unit="mV", ax=ax),
        lambda ax: marey.plot.tachogram(beats, ax=ax),
        lambda ax: marey.plot.poincare(beats, ax=ax),
        lambda ax: marey.plot.quality(marey.quality(samples, sampling_rate=250), ax=ax),
    ):
        figure, ax = plt.subplots()
        assert draw(ax) is ax
        assert ax.lines
        plt.close(figure)


def test_nothing_found_is_drawn_as_nothing() -> None:
    table = marey.beats([], sampling_rate=100)
    figure, ax = plt.subplots()
    assert marey.plot.signal([0.0, 1.0], sampling_rate=1, beats=table, ax=ax) is ax
    plt.close(figure)
