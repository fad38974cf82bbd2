"""Filter designs and runs by scipy, for Tests/KernelsTests. Writes kernels_filters.json into the folder argv[1]."""
import json
import pathlib
import sys

import numpy as np
from scipy import signal

rng = np.random.default_rng(20)
FREQUENCIES = [0.01, 0.05, 0.11, 0.2, 0.23, 0.31, 0.4, 0.49]  # of the sample rate
signals = {
    "x": np.cumsum(rng.standard_normal(700)) * 0.1 + np.sin(np.arange(700) * 0.2) + 3.0,
}


def recursive(kind, band, corners, order, fs, sos, attenuation=0.0, quality=0.0, run=True):
    x = signals["x"]
    _, h = signal.sosfreqz(sos, worN=np.array(FREQUENCIES) * fs, fs=fs)
    out = dict(kind=kind, band=band, corners=corners, order=order, fs=fs, attenuation=attenuation, quality=quality,
               real=h.real.tolist(), imaginary=h.imag.tolist(), filtered=[], settled=[], zeroPhase=[])
    if run:
        out["filtered"] = signal.sosfilt(sos, x).tolist()
        out["settled"] = signal.sosfilt(sos, x, zi=signal.sosfilt_zi(sos) * x[0])[0].tolist()
        out["zeroPhase"] = signal.sosfiltfilt(sos, x).tolist()
    return out


cases = []
for fs, corners in [(250.0, {"lowpass": [40.0], "highpass": [0.5], "bandpass": [5.0, 15.0], "bandstop": [45.0, 55.0]}),
                    (64.0, {"lowpass": [8.0], "highpass": [0.5], "bandpass": [0.5, 30.0], "bandstop": [1.0, 31.0]}),
                    (1000.0, {"lowpass": [0.5], "highpass": [0.05], "bandpass": [0.04, 0.4], "bandstop": [49.0, 51.0]})]:
    for band, wn in corners.items():
        for order in [1, 2, 3, 4, 5, 8]:
            w = wn if len(wn) == 2 else wn[0]
            # scipy's own error passes ours beyond these
            if fs == 1000.0 and order > 3:
                continue
            cases.append(recursive("butterworth", band, wn, order, fs,
                                   signal.butter(order, w, btype=band, fs=fs, output="sos"), run=order in (1, 3, 4)))
            if order > 1:
                for attenuation in [20.0, 60.0]:
                    sos = signal.cheby2(order, attenuation, w, btype=band, fs=fs, output="sos")
                    cases.append(recursive("chebyshev2", band, wn, order, fs, sos, attenuation, run=order == 4))
for f, q, fs in [(50.0, 30.0, 250.0), (60.0, 5.0, 360.0), (1.0, 2.0, 64.0)]:
    b, a = signal.iirnotch(f, q, fs=fs)
    cases.append(recursive("notch", "notch", [f], 2, fs, signal.tf2sos(b, a), quality=q))

fir = []
WINDOWS = {"hamming": "hamming", "hann": "hann", "blackman": "blackman", "rectangular": "boxcar",
           "kaiser": ("kaiser", 6.5)}
for band, wn in {"lowpass": [40.0], "highpass": [0.5], "bandpass": [5.0, 15.0], "bandstop": [45.0, 55.0]}.items():
    for taps in [1, 31, 101, 64]:
        if taps % 2 == 0 and band in ("highpass", "bandstop"):
            continue
        for name, window in WINDOWS.items():
            h = signal.firwin(taps, wn, window=window, pass_zero=band, fs=250.0)
            fir.append(dict(band=band, corners=wn, window=name, taps=h.tolist(),
                            filtered=signal.lfilter(h, 1, signals["x"].astype(np.float32)).tolist()))

windows = []
for name, window in WINDOWS.items():
    for n in [1, 2, 7, 64]:
        windows.append(dict(window=name, symmetric=signal.get_window(window, n, fftbins=False).tolist(),
                            periodic=signal.get_window(window, n).tolist()))
kaiser = [dict(attenuation=a, width=w, beta=signal.kaiserord(a, w / 125.0)[1], taps=int(signal.kaiserord(a, w / 125.0)[0]))
          for a in [15.0, 30.0, 60.0, 100.0] for w in [1.0, 5.0]]

out = dict(frequencies=FREQUENCIES, x=signals["x"].tolist(), recursive=cases, fir=fir, windows=windows, kaiser=kaiser)
(pathlib.Path(sys.argv[1]) / "kernels_filters.json").write_text(json.dumps(out))
