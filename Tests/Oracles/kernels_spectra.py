"""Welch, periodogram and Lomb-Scargle spectra by scipy. Writes kernels_spectra.json into the folder argv[1]."""
import json
import pathlib
import sys
import warnings

import numpy as np
from scipy import signal

warnings.simplefilter("ignore")
rng = np.random.default_rng(22)
x = np.cumsum(rng.standard_normal(1500)) * 0.2 + 5 + np.sin(np.arange(1500) * 0.3)
WINDOWS = {"hann": "hann", "hamming": "hamming", "blackman": "blackman", "rectangular": "boxcar",
           "kaiser": ("kaiser", 6.5)}
welch = []
for segment, overlap, transform in [(256, 128, 256), (255, 100, 255), (300, 299 - 150, 512), (1500, 0, 1500), (64, 60, 100)]:
    for name, window in WINDOWS.items():
        for detrend in ["constant", "linear", "none"]:
            f, p = signal.welch(x, 4.0, window, segment, overlap, transform, False if detrend == "none" else detrend)
            welch.append(dict(segment=segment, overlap=overlap, transform=transform, window=name, detrend=detrend,
                              frequencies=f.tolist(), density=p.tolist()))
periodogram = []
for n in [1, 2, 17, 1000, 1021]:
    f, p = signal.periodogram(x[:n], 4.0)
    periodogram.append(dict(count=n, frequencies=f.tolist(), density=p.tolist()))
lomb = []
for n in [3, 50, 333]:
    t = 1000 + np.cumsum(rng.uniform(0.5, 1.2, n))
    y = 0.8 + 0.05 * np.sin(2 * np.pi * 0.1 * t) + 0.02 * rng.standard_normal(n)
    first, step, count = 0.0013, 0.00021, 2200
    grid = first + step * np.arange(count)
    # scipy's phase reference changes nothing in exact arithmetic; near times keep its rounding small.
    lomb.append(dict(times=t.tolist(), values=y.tolist(), first=first, step=step, count=count,
                     power=signal.lombscargle(t - t[0], y, 2 * np.pi * grid).tolist(),
                     centred=signal.lombscargle(t - t[0], y - y.mean(), 2 * np.pi * grid).tolist()))
out = dict(x=x.tolist(), welch=welch, periodogram=periodogram, lomb=lomb)
(pathlib.Path(sys.argv[1]) / "kernels_spectra.json").write_text(json.dumps(out))
