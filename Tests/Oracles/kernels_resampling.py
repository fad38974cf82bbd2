"""Splines and polyphase resampling by scipy. Writes kernels_resampling.json into the folder argv[1]."""
import json
import pathlib
import sys

import numpy as np
from scipy import interpolate, signal

rng = np.random.default_rng(23)
splines = []
for n in [2, 3, 4, 5, 50, 400]:
    x = 3 + np.cumsum(rng.uniform(0.2, 1.5, n))
    y = np.cumsum(rng.standard_normal(n))
    at = np.sort(rng.uniform(x[0], x[-1], 300))
    at[0], at[-1] = x[0], x[-1]
    splines.append(dict(x=x.tolist(), y=y.tolist(), at=at.tolist(),
                        notAKnot=interpolate.CubicSpline(x, y)(at).tolist(),
                        natural=interpolate.CubicSpline(x, y, bc_type="natural")(at).tolist(),
                        linear=np.interp(at, x, y).tolist()))
resampled = []
signals = np.cumsum(rng.standard_normal(900)) * 0.1 + 2
for up, down in [(1, 1), (2, 1), (1, 2), (3, 2), (25, 36), (128, 125), (32, 45), (4, 1), (1, 7), (6, 4)]:
    for n in [1, 2, 30, 900]:
        resampled.append(dict(up=up, down=down, count=n, values=signal.resample_poly(signals[:n], up, down).tolist()))
out = dict(splines=splines, signal=signals.tolist(), resampled=resampled)
(pathlib.Path(sys.argv[1]) / "kernels_resampling.json").write_text(json.dumps(out))
