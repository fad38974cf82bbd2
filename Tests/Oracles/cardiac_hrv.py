"""Heart-rate variability by scipy, and by definitions written out in numpy, for Tests/CardiacTests/HRV.

Writes cardiac_hrv.json into the folder argv[1]: series of NN intervals in seconds and the value of every index.
"""
import json
import math
import pathlib
import sys

import numpy as np
from scipy import interpolate, signal

rng = np.random.default_rng(7)
BANDS = dict(ulf=(0, 0.0033), vlf=(0.0033, 0.04), lf=(0.04, 0.15), hf=(0.15, 0.4), vhf=(0.4, 0.5))


def rhythm(n, mean, respiratory, slow, noise, drift):
    """NN intervals in s on a grid of 1 ms."""
    t, level, out = 0.0, 0.0, []
    for _ in range(n):
        level = 0.99 * level + drift * rng.standard_normal()
        rr = mean + level + respiratory * math.sin(2 * math.pi * 0.23 * t) + slow * math.sin(2 * math.pi * 0.09 * t)
        rr = round(rr + noise * rng.standard_normal(), 3)
        t += rr
        out.append(rr)
    return np.array(out)


def band_powers(frequencies, density):
    """Each value stands for half a step to either side of its frequency; that at 0 Hz for half a step, so doubled."""
    density = np.concatenate([[2 * density[0]], density[1:]])
    df = frequencies[1] - frequencies[0]
    lower = np.maximum(0, frequencies - df / 2)
    upper = frequencies + df / 2
    return {name: float((density * np.maximum(0, np.minimum(upper, b) - np.maximum(lower, a))).sum())
            for name, (a, b) in dict(BANDS, totalPower=(0, 0.4)).items()}


def welch(times, nn):
    grid = times[0] + np.arange(int(np.floor((times[-1] - times[0]) * 4)) + 1) / 4
    even = interpolate.CubicSpline(times, nn, bc_type="natural")(grid)
    f, p = signal.welch(even - even.mean(), fs=4, window="hann", nperseg=len(even), nfft=5120, detrend=False)
    return band_powers(f, p), even


def welch_segments(even, seconds=120):
    """The mean of scipy's periodograms of segments that overlap by half or more, evenly placed from end to end."""
    size = seconds * 4
    spare = len(even) - size
    steps = -(-spare // (size // 2))
    starts = [k * spare // steps for k in range(steps + 1)] if steps else [0]
    each = [signal.periodogram(even[s:s + size], fs=4, window="hann", nfft=2048, detrend="constant") for s in starts]
    f, p = each[0][0], np.mean([density for _, density in each], axis=0)
    if spare % (size // 2) == 0:
        assert np.allclose(p, signal.welch(even, fs=4, nperseg=size, nfft=2048)[1])
    return band_powers(f, p)


def lomb(times, nn):
    span = times[-1] - times[0] + nn[0] / 1000
    f = np.arange(1, int(np.ceil(0.5 * 4 * span)) + 1) / (4 * span)
    p = signal.lombscargle(times - times[0], nn - nn.mean(), 2 * np.pi * f)
    return band_powers(np.concatenate([[0], f]), np.concatenate([[0], 2 * nn.mean() / 1000 * p]))


def smooth(even, weight):
    n = len(even)
    d2 = np.diff(np.eye(n), 2, axis=0)
    return np.linalg.solve(np.eye(n) + weight ** 2 * d2.T @ d2, even)


def templates(x, m, count):
    return np.array([x[i:i + m] for i in range(count)])


def distances(t):
    return np.abs(t[:, None, :] - t[None, :, :]).max(axis=2)


def matches(x, m, r):
    n = len(x) - m
    off = ~np.eye(n, dtype=bool)
    return [int((distances(templates(x, k, n)) <= r)[off].sum()) for k in (m, m + 1)]


def sampen(x, m, r):
    b, a = matches(x, m, r)
    return -math.log(a / b) if a else None


def apen(x, m, r):
    def phi(k):
        n = len(x) - k + 1
        return np.log((distances(templates(x, k, n)) <= r).sum(axis=1) / n).mean()
    return float(phi(m) - phi(m + 1))


def fuzzyen(x, m, r):
    def phi(k):
        n = len(x) - m
        t = templates(x, k, n)
        d = distances(t - t.mean(axis=1, keepdims=True))
        return np.exp(-(d / r) ** 2)[~np.eye(n, dtype=bool)].mean()
    return float(math.log(phi(m) / phi(m + 1)))


def coarse(x, scale, offset=0):
    n = (len(x) - offset) // scale
    return x[offset:offset + n * scale].reshape(n, scale).mean(axis=1)


def dfa(x, sizes):
    y = np.cumsum(x - x.mean())
    out = []
    for n in sizes:
        boxes = y[:len(y) // n * n].reshape(-1, n).T
        fit = np.polynomial.polynomial.polyfit(np.arange(n), boxes, 1)
        trend = fit[0] + np.outer(np.arange(n), fit[1])
        out.append(math.sqrt(((boxes - trend) ** 2).mean()))
    return float(np.polyfit(np.log(list(sizes)), np.log(out), 1)[0])


def higuchi(x, longest):
    n, lengths = len(x), []
    for k in range(1, longest + 1):
        each = [np.abs(np.diff(x[m::k])).sum() * (n - 1) / (len(x[m::k]) - 1) / k / k for m in range(k)]
        lengths.append(np.mean(each))
    return float(np.polyfit(np.log(1 / np.arange(1, longest + 1)), np.log(lengths), 1)[0])


def recurrence(x, m=10):
    t = templates(x, m, len(x) - m + 1)
    d = np.sqrt(((t[:, None, :] - t[None, :, :]) ** 2).sum(axis=2))
    near = d <= math.sqrt(m) * x.std(ddof=1)
    lines = []
    for k in range(1, len(t)):
        run = 0
        for value in list(np.diag(near, k)) + [False]:
            if value:
                run += 1
            elif run:
                lines.append(run)
                run = 0
    lines = np.array(lines)
    long = lines[lines >= 2]
    _, counts = np.unique(long, return_counts=True)
    share = counts / counts.sum()
    return dict(rqaREC=100 * lines.sum() / (len(t) * (len(t) - 1) / 2), rqaDET=100 * long.sum() / lines.sum(),
                rqaLmean=long.mean(), rqaLmax=float(long.max()), rqaShanEn=-(share * np.log(share)).sum())


def asymmetry(x):
    a, b = x[:-1], x[1:]
    d = b - a
    down, up, flat = d > 0, d < 0, d == 0
    along = (a + b - a.mean() - b.mean()) ** 2 / 2
    angle = np.abs(np.arctan2(b, a) - np.pi / 4)
    sector = angle * (a ** 2 + b ** 2) / 2
    n = len(d) - 1
    s1d, s1a = (d[down] ** 2).sum() / 2 / n, (d[up] ** 2).sum() / 2 / n
    s2d = (along[down].sum() + along[flat].sum() / 2) / n
    s2a = (along[up].sum() + along[flat].sum() / 2) / n
    return dict(gi=100 * d[down].sum() / np.abs(d).sum(), si=100 * angle[down].sum() / angle.sum(),
                ai=100 * sector[down].sum() / sector.sum(), pi=100 * up.sum() / (up.sum() + down.sum()),
                sd1d=math.sqrt(s1d), sd1a=math.sqrt(s1a), sd2d=math.sqrt(s2d), sd2a=math.sqrt(s2a),
                sdnnd=math.sqrt((s1d + s2d) / 2), sdnna=math.sqrt((s1a + s2a) / 2),
                c1d=s1d / (s1d + s1a), c2d=s2d / (s2d + s2a), cd=(s1d + s2d) / (s1d + s2d + s1a + s2a),
                c1a=s1a / (s1d + s1a), c2a=s2a / (s2d + s2a), ca=(s1a + s2a) / (s1d + s2d + s1a + s2a))


def fragmentation(x):
    s = np.sign(np.round(np.diff(x), 6))
    turns = sum(1 for p, q in zip(s, s[1:]) if p * q <= 0 and p != q)
    segments, alternations = [[s[0]]], [[s[0]]]
    for p, q in zip(s, s[1:]):
        segments[-1].append(q) if p == q else segments.append([q])
        alternations[-1].append(q) if p * q < 0 else alternations.append([q])
    lengths = [len(k) for k in segments if k[0] != 0]
    return dict(pip=100 * turns / len(x), ials=len(lengths) / sum(lengths),
                pss=100 * (1 - sum(k for k in lengths if k >= 3) / len(s)),
                pas=100 * sum(len(k) for k in alternations if len(k) >= 4) / len(s))


def capacity(x, sign):
    picks = [i for i in range(2, len(x) - 2)
             if 0 < sign * (x[i] / x[i - 1] - 1) <= 0.05]
    return tuple(float(np.mean(v)) for v in ([(x[i] + x[i + 1] - x[i - 1] - x[i - 2]) / 4 for i in picks],
                                             [(x[i] - x[i - 1]) / 2 for i in picks]))


def lempel_ziv(x):
    s = "".join("1" if v > np.median(x) else "0" for v in x)
    count, start = 0, 0
    while start < len(s):
        length = 1
        while start + length <= len(s) and s[start:start + length] in s[:start + length - 1]:
            length += 1
        count += 1
        start += length
    return count * math.log2(len(s)) / len(s)


def indexes(seconds):
    x = seconds * 1000
    times = np.cumsum(seconds)
    d = np.diff(x)
    sd = x.std(ddof=1)
    r = 0.2 * sd
    out = dict(
        meanNN=x.mean(), medianNN=np.median(x), sdnn=sd, rmssd=math.sqrt((d ** 2).mean()), sdsd=d.std(ddof=1),
        nn50=float((np.abs(d).round(6) > 50).sum()), pnn20=100 * (np.abs(d).round(6) > 20).mean(),
        iqrNN=np.subtract(*np.percentile(x, [75, 25])), prc20NN=np.percentile(x, 20), prc80NN=np.percentile(x, 80),
        meanHR=(60000 / x).mean(), sdHR=(60000 / x).std(ddof=1),
        madNN=1.4826 * np.median(np.abs(x - np.median(x))))
    bins = np.bincount(np.floor(x / 7.8125).astype(int))
    out["hti"] = len(x) / bins.max()
    share = bins[bins > 0] / len(x)
    out["shanEn"] = -(share * np.log2(share)).sum()
    powers, even = welch(times, x)
    out.update(powers)
    out["lfHf"] = powers["lf"] / powers["hf"]
    out["lnHF"] = math.log(powers["hf"])
    out["lfNu"] = 100 * powers["lf"] / (powers["lf"] + powers["hf"])
    out.update({name + "Lomb": value for name, value in lomb(times, x).items()})
    sd1 = d.std(ddof=1) / math.sqrt(2)
    sd2 = math.sqrt(2 * sd ** 2 - sd1 ** 2)
    out.update(sd1=sd1, sd2=sd2, sd1Sd2=sd1 / sd2, ellipseArea=math.pi * sd1 * sd2, csi=sd2 / sd1,
               csiModified=4 * sd2 ** 2 / sd1, cvi=math.log10(16 * sd1 * sd2))
    out.update(asymmetry(x))
    out.update(fragmentation(x))
    (out['dc'], out['dcMod']), (out['ac'], out['acMod']) = capacity(x, 1), capacity(x, -1)
    out.update(sampEn=sampen(x, 2, r), apEn=apen(x, 2, r), fuzzyEn=fuzzyen(x, 2, r))
    out["hfd"] = higuchi(x, 10)
    steps = np.abs(d).sum()
    out["kfd"] = math.log(len(d)) / (math.log(len(d)) + math.log(np.abs(x - x[0]).max() / steps))
    out["lzc"] = lempel_ziv(x)
    out["dfaAlpha1"] = dfa(x, range(4, 17))
    if len(x) >= 256:
        out["dfaAlpha2"] = dfa(x, range(16, 65))
    if len(x) >= 300:
        totals = [np.sum([matches(coarse(x, s, k), 2, r) for k in range(s)], axis=0) for s in range(1, 6)]
        out["rcmseShort"] = float(np.mean([-math.log(a / b) for b, a in totals]))
    if len(x) >= 500:
        out["mseShort"] = float(np.mean([sampen(coarse(x, s), 2, r) for s in range(1, 6)]))
        out["cmseShort"] = float(np.mean([np.mean([sampen(coarse(x, s, k), 2, r) for k in range(s)])
                                          for s in range(1, 6)]))
    out.update(recurrence(x))
    if times[-1] - times[0] < 240:
        for name in [n for n in out if n.startswith(("ulf", "vlf"))]:
            del out[name]
    for name in [n for n in out if n.startswith("ulf")]:
        del out[name]
    return {k: float(v) for k, v in out.items() if v is not None}, even


cases = []
for name, args in {
    "calm": (360, 0.78, 0.02, 0.03, 0.008, 0.004), "athlete": (275, 1.02, 0.07, 0.05, 0.02, 0.006),
    "tense": (400, 0.67, 0.004, 0.012, 0.003, 0.003), "short": (170, 0.8, 0.03, 0.02, 0.01, 0.002),
    "long": (600, 0.46, 0.01, 0.01, 0.006, 0.001),
}.items():
    nn = rhythm(*args)
    values, even = indexes(nn)
    trend = smooth(even, 500.0)
    f, p = signal.welch(even - trend, fs=4, window="hann", nperseg=len(even), nfft=5120, detrend=False)
    cases.append(dict(name=name, intervals=nn.tolist(), values=values, detrended=band_powers(f, p), segments=welch_segments(even)))

folder = pathlib.Path(sys.argv[1])
(folder / "cardiac_hrv.json").write_text(json.dumps(dict(cases=cases)))
