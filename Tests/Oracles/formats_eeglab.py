"""EEGLAB data sets and what MNE and scipy read in them: those of EEGLAB itself that come with pymatreader's source, those that
eeglabio writes, and those that scipy writes in the layouts that EEGLAB has had. Writes the folder formats_eeglab with the
files and cases.json into the folder argv[1]."""
import importlib.metadata
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import warnings

import eeglabio.epochs
import eeglabio.raw
import mne
import numpy as np
import scipy.io

warnings.simplefilter("ignore")
mne.set_log_level("ERROR")
root = pathlib.Path(sys.argv[1]) / "formats_eeglab"
shutil.rmtree(root, ignore_errors=True)
root.mkdir(parents=True)
random = np.random.default_rng(11)
cases = []


def described(data, labels):
    """Channels by frames, in microvolts."""
    step = max(1, data.shape[1] // 400)
    return [dict(label=label, count=len(row), step=step, samples=row[::step].tolist(), sum=float(row.sum()),
                 magnitude=float(np.abs(row).sum())) for label, row in zip(labels, np.asarray(data, float))]


def continuous(name, gaps=(), unknown=0, kinds=None, reader="mne"):
    """A set as MNE reads it; `gaps` are first frames after a cut and frames missing there."""
    raw = mne.io.read_raw_eeglab(root / name, preload=True)
    notes = [(float(onset), str(text)) for onset, text in zip(raw.annotations.onset, raw.annotations.description)]
    markers = [dict(frame=onset * raw.info["sfreq"], label=text) for onset, text in notes if "boundary" not in text]
    cases.append(dict(file=name, reader=reader, rate=raw.info["sfreq"], kinds=kinds, unknown=unknown,
                      channels=described(raw.get_data() * 1e6, raw.ch_names), markers=markers,
                      gaps=[dict(frame=int(frame), missing=float(missing)) for frame, missing in gaps]))


def epoched(name):
    """A set of epochs as scipy reads its matrices."""
    content = scipy.io.loadmat(root / name, squeeze_me=True, struct_as_record=False)
    fields = vars(content["EEG"]) if "EEG" in content else content
    data = fields["data"]
    if isinstance(data, str):
        shape = [int(fields["nbchan"]), int(fields["pnts"]), int(fields["trials"])]
        data = np.fromfile(root / data, "<f4").reshape(shape, order="F")
    channels, frames, epochs = data.shape
    labels = [str(place.labels) for place in np.atleast_1d(fields["chanlocs"])]
    events = [] if "event" not in fields else np.atleast_1d(fields["event"])
    markers = [dict(frame=float(event.latency) - 1, label=str(event.type).strip()) for event in events]
    cases.append(dict(file=name, reader="scipy", rate=float(fields["srate"]), kinds=None, unknown=0,
                      channels=described(data.reshape(channels, -1, order="F"), labels), markers=markers,
                      gaps=[dict(frame=frames * epoch, missing=1.5) for epoch in range(1, epochs)]))


def structs(**columns):
    """A struct array of these columns, of which any may hold texts or numbers."""
    count = len(next(iter(columns.values())))
    table = np.zeros((1, count), dtype=[(name, object) for name in columns])
    for name, values in columns.items():
        for place, value in enumerate(values):
            table[name][0, place] = value
    return table


def made(name, data, labels, events, *, srate=250.0, compressed=False, flat=False, types=None, fdt=None, epochs=1, more={}):
    """Writes a set with scipy: `fdt` names the file of samples beside it."""
    channels, frames = data.shape[0], data.shape[1] // epochs
    shaped = data if epochs == 1 else data.reshape(channels, frames, epochs, order="F")
    if fdt:
        samples = np.asarray(data, "<f4")
        (samples if fdt.endswith(".dat") else samples.T).tofile(root / fdt)
    fields = dict(setname=name, nbchan=float(channels), trials=float(epochs), pnts=float(frames), srate=srate, xmin=0.0,
                  xmax=(frames - 1) / srate, times=np.zeros((1, 0)), data=fdt or shaped, icaact=[], icawinv=[],
                  icasphere=[], icaweights=[], icachansind=[], ref="common",
                  chanlocs=structs(labels=labels, type=types or [""] * channels,
                                   theta=[float(place) for place in range(channels)]),
                  event=events, urevent=[], history="EEG = pop_saveset( EEG );", etc=dict(about=np.eye(3)), **more)
    scipy.io.savemat(root / name, fields if flat else dict(EEG=fields), do_compression=compressed, appendmat=False)


labels = ["Fp1", "Cz", "Oz", "HEOG", "EKG1"]
frames = 4_000
data = (np.cumsum(random.standard_normal((5, frames)), axis=1) * 10).astype(np.float32)
latencies = [1.0, 12.5, 250.0, 2_001.25, 3_999.0]
texts = structs(type=["start", "S  1", "S  2", "Grüße", "end"], latency=latencies, duration=[0.0, 1.0, 50.0, 0.0, 0.0])
numbers = structs(latency=latencies, type=[1.0, 2.0, 33.0, 4.0, 65_280.0], urevent=[1.0, 2.0, 3.0, 4.0, 5.0])
for compressed in (False, True):
    packed = "-packed" if compressed else ""
    for flat in (False, True):
        layout = "flat" if flat else "struct"
        made(f"{layout}{packed}.set", data, labels, texts, compressed=compressed, flat=flat)
        continuous(f"{layout}{packed}.set")
        made(f"{layout}-fdt{packed}.set", data, labels, numbers, compressed=compressed, flat=flat, fdt=f"{layout}-fdt{packed}.fdt")
        continuous(f"{layout}-fdt{packed}.set")
made("double.set", data.astype(np.float64) / 3, labels, texts, compressed=True)
continuous("double.set")
made("whole.set", np.round(data).astype(np.int16).astype(np.float64), labels, texts)
continuous("whole.set")
# MNE refuses these, of which numpy reads the samples.
made("old.set", data, labels, texts, fdt="old.dat")
continuous("struct.set")
cases[-1]["file"] = "old.set"
made("typed.set", data, ["1", "2", "3", "up", "chest"], texts, types=["EEG", "EEG", "EEG", "EOG", "ECG"])
continuous("typed.set", kinds=["eeg", "eeg", "eeg", "other", "ecg"])
cuts = structs(type=["a", "boundary", "b", "boundary", "c", "boundary", "d"],
               latency=[100.0, 500.5, 501.0, 1_000.5, 2_000.0, 3_000.5, 3_001.0],
               duration=[0.0, 125.0, 0.0, np.nan, 0.0, 1_000.0, 0.0])
made("cuts.set", data, labels, cuts)
continuous("cuts.set", gaps=[(500, 125), (1_000, 1.5), (3_000, 1_000)], unknown=1)
made("epochs.set", data, labels, texts, epochs=8, compressed=True)
epoched("epochs.set")
made("epochs-fdt.set", data, labels, numbers, epochs=8, fdt="epochs-fdt.fdt", flat=True)
epoched("epochs-fdt.set")

annotations = [np.array(["rest", "task"]), np.array([1.0, 7.5]), np.array([0.0, 2.0])]
for precision in ("single", "double"):
    eeglabio.raw.export_set(str(root / f"eeglabio-{precision}.set"), data * 1e-6, 250.0, labels, annotations=annotations,
                            precision=precision)
    continuous(f"eeglabio-{precision}.set", reader="mne, of eeglabio")
eeglabio.epochs.export_set(str(root / "eeglabio-epochs.set"), data.reshape(5, 8, 500).transpose(1, 0, 2) * 1e-6, 250.0,
                           np.array([[250 + 500 * place, 0, 1 + place % 2] for place in range(8)]), -1.0, 0.996, labels,
                           event_id=dict(left=1, right=2))
epoched("eeglabio-epochs.set")

subprocess.run(
    [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary",
     "pymatreader", "--dest", str(root), "pymatreader==" + importlib.metadata.version("pymatreader")], check=True)
archive = next(root.glob("pymatreader-*.tar.gz"))
with tarfile.open(archive) as source:
    for member in source.getmembers():
        if member.name.endswith(".set"):
            (root / pathlib.Path(member.name).name).write_bytes(source.extractfile(member).read())
archive.unlink()
# Its samples do not come with it.
random.standard_normal((30_504, 32)).astype("<f4").tofile(root / "test_raw.fdt")
continuous("test_raw.set", reader="mne, of EEGLAB")
epoched("test_epochs_onefile.set")
refused = [place.name for place in sorted(root.glob("*_h5.set"))]
(root / "cases.json").write_text(json.dumps(dict(cases=cases, refused=refused)))
