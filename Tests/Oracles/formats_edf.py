"""EDF and BDF files written by pyedflib and edfio, and what these libraries read in them and in the public files below
MAREY_DATA. Writes the folder formats_edf with the files and cases.json into the folder argv[1].

With `--read FILE` instead: prints as JSON what pyedflib and edfio read in FILE, for files written by the tests."""
import datetime
import json
import os
import pathlib
import shutil
import sys
import warnings

import edfio
import numpy as np
import mne
import pyedflib

warnings.filterwarnings("ignore")


def digest(values):
    values = np.asarray(values, dtype=float)
    step = max(1, len(values) // 200)
    return dict(count=len(values), step=step, samples=values[::step].tolist(), sum=float(values.sum()))


def by_edfio(path):
    read = edfio.read_bdf if str(path).lower().endswith(".bdf") else edfio.read_edf
    f = read(path)
    return dict(
        signals=[dict(label=s.label, rate=float(s.sampling_frequency), dimension=s.physical_dimension,
                      **digest(s.data)) for s in f.signals],
        annotations=[[a.onset, a.duration or 0.0, a.text] for a in f.annotations])


def by_pyedflib(path):
    f = pyedflib.EdfReader(str(path))
    try:
        onsets, durations, texts = f.readAnnotations()
        return dict(
            signals=[dict(label=f.getLabel(i), rate=float(f.getSampleFrequency(i)),
                          dimension=f.getPhysicalDimension(i), **digest(f.readSignal(i)))
                     for i in range(f.signals_in_file)],
            annotations=[[float(o), max(0.0, float(d)), str(t)] for o, d, t in zip(onsets, durations, texts)])
    finally:
        f.close()


def by_mne(path):
    read = mne.io.read_raw_bdf if str(path).endswith(".bdf") else mne.io.read_raw_edf
    raw = read(path, preload=True, verbose="error")
    return dict(channels=len(raw.ch_names), duration=float(raw.n_times / raw.info["sfreq"]))


if sys.argv[1] == "--mne":
    print(json.dumps(by_mne(sys.argv[2])))
    sys.exit()

if sys.argv[1] == "--read":
    print(json.dumps(dict(edfio=by_edfio(sys.argv[2]), pyedflib=by_pyedflib(sys.argv[2]))))
    sys.exit()

root = pathlib.Path(sys.argv[1]) / "formats_edf"
shutil.rmtree(root, ignore_errors=True)
root.mkdir(parents=True)
rng = np.random.default_rng(4)
cases = []


def case(path, result, start, name=None):
    cases.append(dict(file=name or path.name, absolute=str(path), start=start, **result))


# pyedflib: several rates and units, records of 1 s, annotations in UTF-8.
for kind, extension in [(pyedflib.FILETYPE_EDFPLUS, "edf"), (pyedflib.FILETYPE_BDFPLUS, "bdf")]:
    path = root / f"pyedflib_rates.{extension}"
    bits = 15 if extension == "edf" else 23
    signals = [("ECG I", "mV", 250, 5.0), ("EEG Fp1", "uV", 128, 500.0), ("EEG Fp2", "uV", 128, 500.0),
               ("EDA", "uS", 4, 20.0), ("Temp skin", "degC", 1, 50.0)]
    w = pyedflib.EdfWriter(str(path), len(signals), file_type=kind)
    w.setStartdatetime(datetime.datetime(2021, 3, 4, 5, 6, 7))
    for i, (label, unit, rate, top) in enumerate(signals):
        w.setSignalHeader(i, dict(label=label, dimension=unit, sample_frequency=rate, physical_max=top,
                                  physical_min=-top, digital_max=2**bits - 1, digital_min=-2**bits, transducer="",
                                  prefilter=""))
    seconds = 23
    w.writeSamples([np.ascontiguousarray(rng.uniform(-s[3], s[3], s[2] * seconds)) for s in signals])
    w.writeAnnotation(0.5, -1, "begin")
    w.writeAnnotation(3.25, 1.5, "Blinzeln \u00fc \u4e2d\u6587")
    w.writeAnnotation(20, 0, "end")
    w.close()
    case(path, by_pyedflib(path), datetime.datetime(2021, 3, 4, 5, 6, 7, tzinfo=datetime.timezone.utc).timestamp())

# edfio: records of 0.5 s, a start between two seconds, patient code, many annotations.
path = root / "edfio_subsecond.edf"
f = edfio.Edf(
    [edfio.EdfSignal(rng.normal(0, 1, 500 * 12), sampling_frequency=500, label="ECG V2", physical_dimension="mV"),
     edfio.EdfSignal(rng.normal(37, 0.1, 2 * 12), sampling_frequency=2, label="Temp", physical_dimension="degC")],
    patient=edfio.Patient(code="sub-07"),
    recording=edfio.Recording(startdate=datetime.date(2079, 12, 31)),
    starttime=datetime.time(23, 59, 58, 654321),
    data_record_duration=0.5,
    annotations=[edfio.EdfAnnotation(0.1 * i, None if i % 2 else 0.05, f"mark {i}") for i in range(100)])
f.write(path)
case(path, by_edfio(path),
     datetime.datetime(2079, 12, 31, 23, 59, 58, 654321, tzinfo=datetime.timezone.utc).timestamp())

# edfio: plain EDF, no annotations, a rate that is no whole number.
path = root / "edfio_plain.edf"
f = edfio.Edf([edfio.EdfSignal(rng.normal(0, 100, 100), sampling_frequency=12.5, label="Resp chest")])
f.write(path)
case(path, by_edfio(path), None)

# The public files.
data = os.environ.get("MAREY_DATA")
for name in ["edf_bdf/edfio/short_psg.edf", "edf_bdf/edfio/short_psg.bdf", "edf_bdf/mne/test.edf",
             "edf_bdf/mne/test.bdf", "edf_bdf/mne/test_uneven_samp.edf", "edf_bdf/mne/test_edf_stim_channel.edf",
             "edf_bdf/pyedflib/test_utf8.edf", "edf_bdf/pyedflib/test_generator_datarec_generator_2.bdf",
             "edf_bdf/edfio/SC4001EC-Hypnogram.edf", "eegmat/Subject00_1.edf", "eegmat/Subject07_2.edf",
             "other_wearables/faros/testfile_read.EDF"]:
    path = pathlib.Path(data or "/nonexistent") / name
    if path.exists():
        try:
            result = by_edfio(path)
        except Exception:
            result = by_pyedflib(path)
        case(path, result, None, name)

json.dump(dict(python=sys.executable, script=str(pathlib.Path(__file__).resolve()), cases=cases),
          open(root / "cases.json", "w"))
