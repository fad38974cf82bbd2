"""Bad input ends in a frame without rows or in an error with Marey's message; never in a wrong number."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import marey


@pytest.mark.parametrize("function", [marey.beats, marey.hrv, marey.quality, marey.eda])
def test_empty_input_gives_an_empty_frame_with_a_reason(function: object) -> None:
    table = function([], sampling_rate=100)  # type: ignore[operator]
    assert len(table) == 0
    assert table.attrs["reason"]


def test_sampling_rate_has_no_default() -> None:
    with pytest.raises(marey.UsageError, match="sampling_rate is missing"):
        marey.beats(np.zeros(1000))


@pytest.mark.parametrize("rate", [0, -250, np.nan, np.inf])
def test_impossible_sampling_rates_are_refused(rate: float) -> None:
    with pytest.raises(marey.UsageError, match="sampling_rate"):
        marey.beats(np.zeros(1000), sampling_rate=rate)


def test_three_dimensions_are_refused() -> None:
    with pytest.raises(marey.UsageError, match="3 dimensions"):
        marey.beats(np.zeros((10, 2, 2)), sampling_rate=100)


def test_words_are_refused() -> None:
    with pytest.raises(marey.UsageError, match="numbers"):
        marey.beats(["a", "b"], sampling_rate=100)


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(marey.UsageError, match="expected one of ecg"):
        marey.beats(np.zeros(1000), sampling_rate=100, kind="emg")


@pytest.mark.parametrize("samples", [np.full(5000, np.nan), np.zeros(5000), np.ones(10)])
def test_signals_without_beats_give_no_beats(samples: np.ndarray) -> None:
    try:
        table = marey.beats(samples, sampling_rate=250)
    except marey.InputError as error:
        assert str(error)
    else:
        assert len(table) == 0


def test_messages_are_those_of_the_program(tmp_path: Path) -> None:
    with pytest.raises(marey.InputError, match="No such file") as caught:
        marey.beats(tmp_path / "absent.edf")
    assert caught.value.exit_code == 3
    with pytest.raises(marey.UsageError, match="alfaPower|rmsd|known"):
        marey.hrv(np.full(100, 800.0), kind="ibi", indexes=["rmsd"])


def test_unknown_parameters_are_named() -> None:
    with pytest.raises(marey.InputError, match="windo"):
        marey.hrv(np.full(100, 800.0), kind="ibi", parameters={"hrv.windo": 60})


def test_a_missing_program_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAREY_PROGRAM", "/nonexistent/marey")
    with pytest.raises(marey.ProgramNotFound, match="MAREY_PROGRAM"):
        marey.beats(np.zeros(1000), sampling_rate=100)
