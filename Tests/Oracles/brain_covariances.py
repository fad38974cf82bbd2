"""Covariances of EEG epochs by pyRiemann.

Writes brain_covariances.json into the folder argv[1]: simulated epochs of 2 to 32 channels and, where MAREY_DATA names the
public data, epochs of mental arithmetic (eegmat, 500 Hz, 19 channels).
"""
import json
import os
import pathlib
import sys

import numpy as np
from pyriemann.estimation import Covariances

rng = np.random.default_rng(11)


def simulated(channels, frames, count):
    """Epochs of noise that the channels share in part, with an offset as amplifiers have."""
    mixing = rng.standard_normal((channels, channels)) * rng.uniform(1, 20, (channels, 1))
    return np.array([mixing @ rng.standard_normal((channels, frames)) + 100 for _ in range(count)])


def recordings():
    for channels, frames in ((2, 512), (4, 512), (19, 250), (32, 200)):
        yield f"simulated {channels}", simulated(channels, frames, 3)
    edf = pathlib.Path(os.environ.get("MAREY_DATA", "")) / "eegmat" / "Subject00_2.edf"
    if edf.exists():
        import edfio
        x = np.array([s.data for s in edfio.read_edf(edf).signals[:19]])
        yield "eegmat", np.array([x[:, k:k + 1000] for k in range(5000, 11000, 2000)])


out = []
for name, epochs in recordings():
    epochs = epochs.astype(np.float32).astype(np.float64)
    matrices = Covariances("lwf").transform(epochs)
    out.append(dict(name=name, channels=epochs.shape[1], samples=[e.ravel().tolist() for e in epochs],
                    covariances=[c.ravel().tolist() for c in matrices]))
(pathlib.Path(sys.argv[1]) / "brain_covariances.json").write_text(json.dumps(out))
