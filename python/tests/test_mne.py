"""MNE objects in both directions."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import marey

mne = pytest.importorskip("mne")


def test_raw_gives_the_features_of_its_samples() -> None:
    random = np.random.default_rng(3)
    samples = np.cumsum(random.normal(0, 2, (2560, 4)), axis=0)
    samples -= samples.mean(axis=0)
    channels = ["TP9", "AF7", "AF8", "TP10"]
    raw = mne.io.RawArray(samples.T * 1e-6, mne.create_info(channels, 256, "eeg"), verbose="error")
    of_raw = marey.eeg(raw)
    of_array = marey.eeg(samples, sampling_rate=256, channels=channels)
    assert of_raw["channel"].tolist() == of_array["channel"].tolist()
    numbers = of_raw.select_dtypes("number").columns
    np.testing.assert_allclose(of_raw[numbers], of_array[numbers], rtol=1e-6)


def test_recording_becomes_a_raw_with_gaps_and_volts(recording: Path) -> None:
    read = marey.read(recording)
    raw = read.to_mne("ecg")
    assert raw.info["sfreq"] == 250 and raw.n_times == 300 * 250
    bad = [one for one in raw.annotations if one["description"].startswith("BAD_")]
    assert len(bad) == 1 and bad[0]["onset"] == pytest.approx(100, abs=0.01)
    first = read["ecg"].samples[:1000, 0]
    np.testing.assert_allclose(raw.get_data()[0, :1000], first * 1e-3, rtol=1e-6)
