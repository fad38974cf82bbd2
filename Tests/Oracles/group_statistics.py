"""Comparisons, mixed models, agreement and adjusted p values by scipy and statsmodels, for Tests/GroupStatisticsTests.
Writes group_statistics.json into the folder argv[1]."""
import json
import pathlib
import sys
import warnings

import numpy as np
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.multitest import multipletests

warnings.simplefilter("ignore")
rng = np.random.default_rng(7)
out = {"t": [], "f": [], "normal": [], "paired": [], "independent": [], "ranks": [], "fdr": [], "mixed": [],
       "icc": []}

for df in [1, 2, 3.7, 10, 59, 1e4]:
    for t in [0.0, 0.3, -1.96, 5.0, 40.0]:
        out["t"].append(dict(df=df, t=t, p=2 * stats.t.sf(abs(t), df)))
for n, m in [(1, 1), (3, 17), (23.5, 4), (100, 1000)]:
    for f in [0.0, 0.4, 1.0, 3.3, 60.0]:
        out["f"].append(dict(n=n, m=m, f=f, p=stats.f.sf(f, n, m), q=stats.f.ppf(0.975, n, m)))
for p in [1e-9, 0.01, 0.3, 0.5, 0.975]:
    out["normal"].append(dict(p=p, z=stats.norm.ppf(p)))


def hedges(df):
    from scipy.special import gammaln
    return float(np.exp(gammaln(df / 2) - gammaln((df - 1) / 2)) / np.sqrt(df / 2))


def wilcoxon(d):
    """scipy's p; up to 50 differences that are not 0 the exact one also with ties and zeros, for which scipy goes over to
    the normal approximation from 14 on: by the sums of all patterns of signs, counted by convolution."""
    d = d[d != 0]
    if len(d) > 50:
        return float(stats.wilcoxon(d).pvalue)
    halves = np.rint(2 * stats.rankdata(np.abs(d))).astype(int)
    patterns = np.ones(1)
    for rank in halves:
        patterns = np.convolve(patterns, np.r_[1.0, np.zeros(rank - 1), 1.0])
    positive = halves[d > 0].sum()
    return float(min(1, 2 * min(patterns[:positive + 1].sum(), patterns[positive:].sum()) / 2.0 ** len(d)))


for n, digits, shift in [(6, 6, 0.9), (20, 6, 0.5), (60, 6, 0.1), (40, 0, 0.6)]:
    a = np.round(rng.standard_normal(n) * 2, digits)
    b = np.round(a + rng.standard_normal(n) * 1.3 + shift, digits)
    t = stats.ttest_rel(b, a)
    ci = t.confidence_interval(0.95)
    d = b - a
    g = hedges(n - 1)
    boot = stats.bootstrap((d,), lambda x, axis: g * x.mean(axis) / x.std(axis, ddof=1), n_resamples=20000,
                           method="BCa", random_state=1, vectorized=True).confidence_interval
    out["paired"].append(dict(first=a.tolist(), second=b.tolist(), t=t.statistic, df=t.df, p=t.pvalue, low=ci.low,
                              high=ci.high, rank=wilcoxon(d), g=g * d.mean() / d.std(ddof=1),
                              gLow=boot.low, gHigh=boot.high))
for n, m, digits in [(5, 7, 6), (12, 30, 6), (40, 55, 6), (25, 18, 0)]:
    a = np.round(rng.standard_normal(n) * 2, digits)
    b = np.round(rng.standard_normal(m) * 3 + 1, digits)
    t = stats.ttest_ind(b, a, equal_var=False)
    ci = t.confidence_interval(0.95)
    pooled = np.sqrt(((n - 1) * a.var(ddof=1) + (m - 1) * b.var(ddof=1)) / (n + m - 2))
    out["independent"].append(dict(first=a.tolist(), second=b.tolist(), t=t.statistic, df=t.df, p=t.pvalue, low=ci.low,
                                   high=ci.high, rank=stats.mannwhitneyu(a, b).pvalue,
                                   g=hedges(n + m - 2) * (b.mean() - a.mean()) / pooled))
# ranks with ties and zeros, by scipy's permutation tests over all patterns or choices
own = np.random.default_rng(11)
every = stats.PermutationMethod(n_resamples=np.inf)
for n, shift in [(5, 1), (8, 0), (11, 1), (13, 1)]:
    a = own.integers(0, 4, n).astype(float)
    b = a + own.integers(-2, 4, n) + shift
    p = float(stats.wilcoxon(b - a, method=every).pvalue)
    assert abs(p - wilcoxon(b - a)) < 1e-12
    out["ranks"].append(dict(first=a.tolist(), second=b.tolist(), isPaired=True, p=p))
for n, m, shift in [(3, 3, 2), (5, 7, 1), (8, 6, 1), (2, 30, 0)]:
    a = own.integers(0, 4, n).astype(float)
    b = own.integers(0, 4, m).astype(float) + shift
    out["ranks"].append(dict(first=a.tolist(), second=b.tolist(), isPaired=False,
                             p=float(stats.mannwhitneyu(a, b, method=every).pvalue)))
for n in [1, 5, 40]:
    p = rng.uniform(size=n) ** 2
    out["fdr"].append(dict(p=p.tolist(), q=multipletests(p, method="fdr_bh")[1].tolist()))

for groups, size, between, within in [(8, 5, 2.0, 1.0), (30, 4, 0.5, 1.5), (60, 2, 1.0, 1.0), (12, 9, 30.0, 4.0)]:
    y, x, g = [], [], []
    for group in range(groups):
        intercept = rng.normal() * between
        for _ in range(size - group % 2):
            condition, age = float(rng.integers(0, 2)), float(rng.normal())
            y.append(60 + intercept + 3 * condition - 0.5 * age + rng.normal() * within)
            x.append([1.0, condition, age])
            g.append(f"sub-{group:02d}")
    model = sm.MixedLM(np.array(y), np.array(x), groups=g).fit(reml=True, method=["powell", "lbfgs"])
    out["mixed"].append(dict(outcome=y, predictors=x, group=g, coefficients=model.fe_params.tolist(),
                             errors=np.sqrt(np.diag(model.cov_params())[:3]).tolist(), between=float(model.cov_re[0, 0]),
                             within=float(model.scale), criterion=float(-2 * model.llf)))

for n, k, spread in [(6, 4, 1.0), (24, 2, 3.0), (40, 3, 0.2)]:
    table = rng.normal(size=(n, 1)) * spread + rng.normal(size=(n, k)) + np.arange(k) * 0.4
    rows = np.repeat(np.arange(n), k)
    columns = np.tile(np.arange(k), n)
    people, sessions = np.eye(n)[rows], np.eye(k)[columns]
    full = sm.OLS(table.ravel(), np.hstack([people, sessions[:, 1:]])).fit()
    single = sm.OLS(table.ravel(), people).fit()
    total = ((table - table.mean()) ** 2).sum()
    error, within = full.ssr / ((n - 1) * (k - 1)), single.ssr / (n * (k - 1))
    between = (total - single.ssr) / (n - 1)
    session = (single.ssr - full.ssr) / (k - 1)
    out["icc"].append(dict(table=table.tolist(), oneWay=(between - within) / (between + (k - 1) * within),
                           agreement=(between - error) / (between + (k - 1) * error + k * (session - error) / n),
                           consistency=(between - error) / (between + (k - 1) * error)))

pathlib.Path(sys.argv[1], "group_statistics.json").write_text(json.dumps(out, default=float))
