"""EEG band-passed by scipy as MNE does it, for Tests/BrainTests. Writes brain_cleaning.json into the folder argv[1]."""
import json
import pathlib
import sys

import numpy as np
from scipy import signal

rng = np.random.default_rng(31)
cases = []
for rate, lowest, highest, seconds in [(256.0, 1.0, 45.0, 12), (500.0, 0.5, 40.0, 14), (128.0, 1.0, 30.0, 3)]:
    n = int(rate * seconds)
    x = np.cumsum(rng.standard_normal(n)) * 2 + 10 * np.sin(2 * np.pi * 10 * np.arange(n) / rate) + 850.0
    x = x.astype(np.float32).astype(float)
    transition = min(lowest, 2.0)
    taps = int(np.ceil(3.3 * rate / transition)) | 1
    h = signal.firwin(taps, [lowest - transition / 2, highest + transition / 2], window="hamming", pass_zero=False, fs=rate)
    half = taps // 2
    # The ends are reflected at their first and last sample; a constant changes nothing behind a high-pass.
    y = x - x[0]
    before, after = y[np.minimum(np.arange(half, 0, -1), n - 1)], y[np.maximum(n - 1 - np.arange(1, half + 1), 0)]
    extended = np.concatenate([2 * y[0] - before, y, 2 * y[-1] - after])
    cases.append(dict(rate=rate, lowest=lowest, highest=highest, x=x.tolist(),
                      filtered=np.convolve(extended, h, mode="valid").tolist()))
out = pathlib.Path(sys.argv[1]) / "brain_cleaning.json"
out.write_text(json.dumps(cases))
