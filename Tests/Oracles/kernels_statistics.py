"""Sliding and whole-array statistics by numpy and scipy. Writes kernels_statistics.json into the folder argv[1]."""
import json
import pathlib
import sys

import numpy as np
from scipy import stats

rng = np.random.default_rng(21)
sliding = []
x = (np.cumsum(rng.standard_normal(400)) + np.round(rng.standard_normal(400) * 3)).astype(np.float32)
for k in [1, 2, 3, 8, 25, 51, 399, 500]:
    windows = [x[max(0, i + 1 - k):i + 1] for i in range(len(x))]
    centred = [x[max(0, i - k // 2):i + k // 2 + 1] for i in range(len(x))] if k % 2 else []
    sliding.append(dict(
        window=k,
        median=[float(np.median(w)) for w in windows],
        centred=[float(np.median(w)) for w in centred],
        mad=[float(stats.median_abs_deviation(w)) for w in windows],
        quantile=[float(np.quantile(w.astype(float), 0.2)) for w in windows],
        minimum=[float(w.min()) for w in windows],
        maximum=[float(w.max()) for w in windows],
        sum=[float(w.astype(float).sum()) for w in windows],
    ))

arrays = []
for n in [1, 2, 3, 10, 101, 1000]:
    for scale, offset in [(1.0, 0.0), (1e-3, 1e6)]:
        v = rng.standard_normal(n) * scale + offset
        v[::7] = v[0]
        t = np.cumsum(rng.uniform(0.1, 2, n))
        fit = np.polyfit(t, v - offset, 1) if n > 1 else [0, 0]
        arrays.append(dict(
            values=v.tolist(), x=t.tolist(), mean=v.mean(), offset=offset,
            variance0=v.var(), variance1=v.var(ddof=1) if n > 1 else 0.0,
            median=float(np.median(v)), mad=float(stats.median_abs_deviation(v)),
            quantiles=[float(q) for q in np.quantile(v, [0, 0.05, 0.25, 1 / 3, 0.5, 0.9, 1])],
            trapezoid=float(np.trapezoid(v, t)), trapezoidSpaced=float(np.trapezoid(v, dx=0.25)),
            slope=float(fit[0]), intercept=float(fit[1])))
out = dict(x=x.astype(float).tolist(), sliding=sliding, arrays=arrays)
(pathlib.Path(sys.argv[1]) / "kernels_statistics.json").write_text(json.dumps(out))
