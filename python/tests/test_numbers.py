"""Numbers equal those of the command line, whatever way the samples take."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas
import pytest

import marey
from marey._program import run


def command_line(verb: str, path: Path, folder: Path, *options: str) -> pandas.DataFrame:
    output = folder / "expected.tsv"
    run([verb, str(path), "-o", str(output), "--force", *options])
    return pandas.read_csv(output, sep="\t", na_values=["n/a"], keep_default_na=False)


def equal(found: pandas.DataFrame, expected: pandas.DataFrame) -> None:
    assert list(found.columns) == list(expected.columns)
    assert len(found) == len(expected) > 0
    for name in found.columns:
        if pandas.api.types.is_numeric_dtype(found[name]):
            np.testing.assert_array_equal(found[name].to_numpy(), expected[name].to_numpy(dtype=float), err_msg=name)
        else:
            assert found[name].fillna("").tolist() == expected[name].fillna("").tolist(), name


@pytest.mark.parametrize(
    ("verb", "options"),
    [("beats", []), ("hrv", ["--window", "whole"]), ("rhythm", []), ("quality", []), ("respiration", [])],
)
def test_path_gives_the_table_of_the_command_line(
    verb: str, options: list[str], recording: Path, tmp_path: Path
) -> None:
    function = getattr(marey, verb)
    found = function(recording, kind="ecg") if verb != "respiration" else function(recording)
    equal(found, command_line(verb, recording, tmp_path, *options))


@pytest.mark.parametrize(
    ("verb", "kind"), [("beats", "ecg"), ("beats", "bvp"), ("hrv", "ecg"), ("hrv", "bvp"), ("quality", "ecg")]
)
def test_array_gives_the_numbers_of_the_file(verb: str, kind: str, recording: Path, tmp_path: Path) -> None:
    stream = marey.read(recording)[kind]
    samples = np.full(round(300 * stream.sampling_rate), np.nan)
    samples[np.rint(stream.times * stream.sampling_rate).astype(int)] = stream.samples[:, 0]
    options = ["--window", "whole"] if verb == "hrv" else []
    expected = command_line(verb, recording, tmp_path, "--stream", kind, *options)
    found = getattr(marey, verb)(
        samples, sampling_rate=stream.sampling_rate, kind={"bvp": "ppg"}.get(kind, kind), unit=stream.units[0]
    )
    equal(found, expected)


@pytest.mark.parametrize("wrap", [list, pandas.Series, lambda x: pandas.DataFrame({"II": x}), np.asarray])
def test_lists_series_and_frames_are_equal(wrap: object, recording: Path) -> None:
    stream = marey.read(recording)["ecg"]
    samples = stream.samples[:5000, 0]
    expected = marey.beats(samples, sampling_rate=250)
    found = marey.beats(wrap(samples), sampling_rate=250)  # type: ignore[operator]
    equal(found, expected)


def test_intervals_give_rmssd_and_mean() -> None:
    intervals = 800 + 40 * np.sin(np.arange(400) / 3)
    table = marey.hrv(intervals, kind="ibi", parameters={"correction.method": "none"})
    assert table["rmssd"][0] == pytest.approx(np.sqrt(np.mean(np.diff(intervals) ** 2)), rel=1e-6)
    assert table["meanNN"][0] == pytest.approx(intervals.mean(), rel=1e-6)
    assert table.attrs["units"]["rmssd"] == "ms"


def test_reasons_say_why_an_index_is_missing() -> None:
    table = marey.hrv(np.full(20, 800.0) + np.arange(20) % 3, kind="ibi")
    assert np.isnan(table["lf"][0])
    assert (0, "lf") in table.attrs["reasons"]


def test_skin_conductance_finds_planted_responses() -> None:
    time = np.arange(0, 240, 0.25)
    level = np.full(time.shape, 4.0)
    onsets = np.arange(20, 220, 20)
    for onset in onsets:
        age = np.clip(time - onset, 0, None)
        level += 0.5 * (np.exp(-age / 2) - np.exp(-age / 0.7))
    responses = marey.eda(level, sampling_rate=4)
    assert len(responses) == len(onsets)
    np.testing.assert_allclose(responses["onset"], onsets, atol=1.0)
    windows = marey.eda(level, sampling_rate=4, table="windows")
    assert windows["meanSCL"].between(3.5, 4.5).all()


def test_results_of_a_recording_are_its_tables(recording: Path, tmp_path: Path) -> None:
    tables = marey.analyze(recording, tmp_path / "out")
    beats = next(table for name, table in tables.items() if "recording-ecg_desc-beats" in name)
    equal(beats, command_line("beats", recording, tmp_path))
    assert set(marey.results(tmp_path / "out")) == set(tables)


def test_recording_has_gaps_and_true_times(recording: Path) -> None:
    stream = marey.read(recording)["ecg"]
    (gap,) = stream.gaps
    assert gap.onset == pytest.approx(100, abs=0.01) and gap.duration == pytest.approx(8, abs=0.01)
    assert not ((stream.times > 100.01) & (stream.times < 107.99)).any()
    assert stream.times[-1] == pytest.approx(300 - 1 / 250, abs=1e-6)
