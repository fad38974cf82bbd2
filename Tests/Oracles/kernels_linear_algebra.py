"""Linear algebra by numpy and scipy. Writes kernels_linear_algebra.json into the folder argv[1]."""
import json
import pathlib
import sys

import numpy as np
from scipy import linalg

rng = np.random.default_rng(24)
cases = []
for m, n in [(1, 1), (3, 2), (5, 5), (40, 7), (100, 32), (6, 9)]:
    a, b, y = rng.standard_normal((m, n)), rng.standard_normal((n, 4)), rng.standard_normal(m)
    v = rng.standard_normal(n)
    s = a.T @ a + 0.5 * np.eye(n)
    cases.append(dict(
        rows=m, columns=n, a=a.ravel().tolist(), b=b.ravel().tolist(), y=y.tolist(), v=v.tolist(),
        product=(a @ b).ravel().tolist(), image=(a @ v).tolist(), gram=(a.T @ a).ravel().tolist(),
        symmetric=s.ravel().tolist(), eigenvalues=np.linalg.eigvalsh(s).tolist(),
        solution=linalg.solve(s, v, assume_a="pos").tolist(),
        leastSquares=np.linalg.lstsq(a, y, rcond=None)[0].tolist() if m >= n else [],
        singular=np.linalg.svd(a, compute_uv=False).tolist()))
(pathlib.Path(sys.argv[1]) / "kernels_linear_algebra.json").write_text(json.dumps(cases))
