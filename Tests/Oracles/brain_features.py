"""Features of EEG epochs by MNE, scipy, specparam, antropy, mne-connectivity and scikit-learn.

Writes brain_features.json into the folder argv[1]: simulated epochs and, where MAREY_DATA names the public data, epochs
of mental arithmetic (eegmat, 500 Hz) and of a Muse headband (256 Hz), with what the references make of them.
"""
import gzip
import json
import os
import pathlib
import sys
import warnings

import numpy as np

warnings.simplefilter("ignore")
os.environ["MNE_LOGGING_LEVEL"] = "ERROR"
import antropy
import mne_connectivity
from mne.time_frequency import psd_array_multitaper
from scipy import signal, stats
from sklearn.covariance import ledoit_wolf
from specparam import SpectralModel

rng = np.random.default_rng(5)
BANDS = dict(delta=(1, 4), theta=(4, 8), alpha=(8, 13), beta=(13, 30), lowBeta=(13, 20), highBeta=(20, 30), gamma=(30, 45),
             total=(1, 45))


def simulated(channels, count, rate):
    """1/f background, an alpha rhythm with a lag between channels, noise; with an offset as amplifiers have."""
    f = np.fft.rfftfreq(count, 1 / rate)
    shape = 1 / np.maximum(f, 0.5) ** rng.uniform(0.4, 1.1, (channels, 1))
    x = np.fft.irfft(shape * (rng.standard_normal((channels, f.size)) + 1j * rng.standard_normal((channels, f.size))), count)
    x *= 12 / x.std(axis=1, keepdims=True)
    t = np.arange(count) / rate
    phase = np.cumsum(rng.standard_normal(count)) * 0.05
    x += 8 * np.sin(2 * np.pi * 10.3 * t + phase - 0.4 * np.arange(channels)[:, None])
    return x + 4 * rng.standard_normal((channels, count)) + 20


def recordings():
    yield "simulated", simulated(4, 256 * 60, 256.0), 256.0
    yield "odd", simulated(3, 251 * 40, 125.5), 125.5
    data = os.environ.get("MAREY_DATA")
    if not data:
        return
    edf = pathlib.Path(data) / "eegmat" / "Subject00_1.edf"
    if edf.exists():
        import edfio
        x = np.array([s.data for s in edfio.read_edf(edf).signals[:5]])
        yield "eegmat", x[:, 10000:10000 + 500 * 40], 500.0
    muse = sorted((pathlib.Path(data) / "muse_lsl").glob("*P300*.csv.gz"))
    if muse:
        with gzip.open(muse[0], "rt") as file:
            labels = file.readline().strip().split(",")
            columns = [labels.index(name) for name in ("TP9", "AF7", "AF8", "TP10")]
            x = np.array([[float(line.split(",")[c]) for c in columns] for _, line in zip(range(256 * 40), file)]).T
        yield "muse", x, 256.0


def aperiodic(freqs, density):
    model = SpectralModel(peak_width_limits=(1, 12), max_n_peaks=6, min_peak_height=0.0, peak_threshold=2.0, verbose=False)
    try:
        model.fit(freqs, density, [2, 40])
        offset, exponent = model.results.get_params("aperiodic")
    except Exception:
        return None
    peaks = np.atleast_2d(model.results.get_params("periodic"))
    peaks = [] if np.isnan(peaks).any() else peaks.tolist()
    full, log = model.results.model.modeled_spectrum, model.data.power_spectrum
    return dict(offset=float(offset), exponent=float(exponent), peaks=peaks,
                r2=float(np.corrcoef(full, log)[0, 1] ** 2), error=float(np.abs(full - log).mean()))


def spectral(freqs, density):
    """What is read off a density, by the definitions in the sidecars; None for no local maximum. A bin within a twentieth of
    the bins' width of a band's edge lies on it."""
    width = freqs[1]

    def inside(low, high):
        return (freqs >= low - width / 20) & (freqs < high - width / 20)

    power = {name: density[inside(*edges)].sum() * width for name, edges in BANDS.items()}
    whole, search = inside(*BANDS["total"]), inside(7, 13)
    reached = np.r_[0, np.cumsum(density[whole])]
    borders = np.r_[freqs[whole] - width / 2, freqs[whole][-1] + width / 2]
    tops = [k for k in signal.find_peaks(density)[0] if search[k]]
    peak = None
    if tops:
        top = max(tops, key=lambda k: density[k])
        square, slope, _ = np.polyfit([-1, 0, 1], np.log(density[top - 1:top + 2]), 2)
        peak = freqs[top] - slope / (2 * square) * width
    values = {f"{name}Power": value for name, value in power.items() if name != "total"}
    values |= {f"{name}Relative": value / power["total"] for name, value in power.items() if name != "total"}
    values |= dict(
        totalPower=power["total"], thetaBeta=power["theta"] / power["beta"], alphaTheta=power["alpha"] / power["theta"],
        engagement=power["beta"] / (power["alpha"] + power["theta"]), alphaPeak=peak,
        alphaGravity=np.average(freqs[search], weights=density[search]),
        spectralEdge=np.interp(0.95 * reached[-1], reached, borders),
        medianFrequency=np.interp(0.5 * reached[-1], reached, borders),
        spectralEntropy=stats.entropy(density[whole], base=whole.sum()))
    return {name: None if value is None else float(value) for name, value in values.items()}


def epoch_features(x, rate):
    x = np.ascontiguousarray(x)
    count = x.shape[-1]
    density, freqs = psd_array_multitaper(x, rate, bandwidth=2.0, normalization="full", verbose=False)
    segment = int(rate + 0.5)
    welch_freqs, welch = signal.welch(x, rate, "hann", segment, int(segment * 0.5 + 0.5))
    channels = []
    for row, p in zip(x, density):
        mobility, complexity = antropy.hjorth_params(row, sf=rate)
        channels.append(dict(
            activity=float(row.var()), mobility=float(mobility), complexity=float(complexity),
            permutation=float(antropy.perm_entropy(row, 3, 1, True)), permutation5=float(antropy.perm_entropy(row, 5, 1, True)),
            sample=float(antropy.sample_entropy(row)), higuchi=float(antropy.higuchi_fd(row)),
            aperiodic=aperiodic(freqs, p)))
    shrunk, shrinkage = ledoit_wolf(x.T)
    return dict(frames=count, samples=x.ravel().tolist(), frequencies=freqs.tolist(), multitaper=density.tolist(),
                welch=welch.tolist(), channels=channels,
                spectral=dict(multitaper=[spectral(freqs, p) for p in density],
                              welch=[spectral(welch_freqs, p) for p in welch]),
                covariance=np.cov(x).tolist(), ledoitWolf=shrunk.tolist(), shrinkage=float(shrinkage))


def pair_measures(epochs, rate, window):
    """By their definitions, at every bin from 1 to 45 Hz."""
    spectra = np.fft.rfft((epochs - epochs.mean(axis=-1, keepdims=True)) * window)
    freqs = np.fft.rfftfreq(epochs.shape[-1], 1 / rate)
    keep = (freqs >= 1) & (freqs <= 45)
    seeds, targets = np.triu_indices(epochs.shape[1], 1)
    a, b = spectra[:, seeds][..., keep], spectra[:, targets][..., keep]
    cross = a * b.conj()
    power = np.sqrt((abs(a) ** 2).mean(axis=0) * (abs(b) ** 2).mean(axis=0))
    return freqs[keep], (seeds, targets), [
        abs(cross.mean(axis=0)) / power, cross.mean(axis=0).imag / power, abs((cross / abs(cross)).mean(axis=0)),
        abs(cross.imag.mean(axis=0)) / abs(cross.imag).mean(axis=0)]


def connectivity(x, rate, frames):
    """mne-connectivity tapers with a symmetric Hann window, scipy (and Marey) with a periodic one: the definitions are
    checked with the first, the values written with the second."""
    epochs = np.array([x[:, k:k + frames] for k in range(0, x.shape[1] - frames + 1, frames)])
    freqs, pairs, values = pair_measures(epochs, rate, np.hanning(frames))
    found = mne_connectivity.spectral_connectivity_epochs(
        epochs, method=["coh", "imcoh", "plv", "wpli"], mode="fourier", sfreq=rate, fmin=1, fmax=45, indices=pairs,
        verbose=False)
    for value, mne_value in zip(values, found):
        assert np.allclose(value, mne_value.get_data(), atol=1e-9)
    _, _, values = pair_measures(epochs, rate, signal.windows.hann(frames, sym=False))
    coherence = [signal.coherence(x[a, :len(epochs) * frames], x[b, :len(epochs) * frames], rate, "hann", frames, 0)[1]
                 for a, b in zip(*pairs)]
    keep = np.fft.rfftfreq(frames, 1 / rate)
    assert np.allclose(values[0] ** 2, np.array(coherence)[:, (keep >= 1) & (keep <= 45)], atol=1e-9)
    names = ("coherence", "imaginary", "plv", "wpli")
    return dict(epochs=len(epochs), samples=epochs.reshape(len(epochs), -1).tolist(), frequencies=freqs.tolist(),
                pairs=np.transpose(pairs).tolist(), **{n: v.tolist() for n, v in zip(names, values)})


out = []
for name, x, rate in recordings():
    x = x.astype(np.float32).astype(np.float64)
    frames = int(2 * rate)
    epochs = [epoch_features(x[:, k:k + frames], rate) for k in range(0, x.shape[1] - frames + 1, frames * 4)]
    entry = dict(name=name, rate=rate, channels=x.shape[0], epochs=epochs[:6], connectivity=None)
    if name in ("simulated", "muse"):
        entry["connectivity"] = connectivity(x, rate, frames)
    out.append(entry)
(pathlib.Path(sys.argv[1]) / "brain_features.json").write_text(json.dumps(out))
