"""BIDS data sets of EEG that MNE-BIDS writes, and what it reads in them: names, types and which channels are bad. Writes the
folder formats_bids with the data sets and cases.json into the folder argv[1]."""
import json
import pathlib
import shutil
import sys
import warnings

import mne
import mne_bids
import numpy as np

warnings.simplefilter("ignore")
mne.set_log_level("ERROR")
root = pathlib.Path(sys.argv[1]) / "formats_bids"
shutil.rmtree(root, ignore_errors=True)
root.mkdir(parents=True)
random = np.random.default_rng(5)
cases = []


def written(name, form, channels, bads, rate=256.0, seconds=20, **entities):
    """A data set of one recording, its channels by name and type of MNE."""
    info = mne.create_info(list(channels), rate, list(channels.values()))
    data = np.cumsum(random.normal(size=(len(channels), int(rate * seconds))), axis=1) * 1e-6
    for place, kind in enumerate(channels.values()):
        if kind == "stim":
            data[place] = 0
            data[place, ::640] = 7
    raw = mne.io.RawArray(data, info)
    raw.info["bads"] = list(bads)
    raw.info["line_freq"] = 50
    # In the file and in the table of events, which then knows of one more.
    raw.set_annotations(mne.Annotations([1.5, 3.25, 7.0039, 7.0039], [0, 2.0, 0, 0.5], ["go", "rest", "S  2", "button/left"]))
    path = mne_bids.BIDSPath(subject="01", root=root / name, datatype="eeg", **entities)
    mne_bids.write_raw_bids(raw, path, format=form, allow_preload=True, overwrite=True, verbose=False)
    mne_bids.mark_channels(path.copy().update(suffix="eeg", extension={"EDF": ".edf", "BrainVision": ".vhdr"}[form]),
                           ch_names=list(bads), status="bad", descriptions=list(bads.values()), verbose=False)
    table = path.copy().update(suffix="events", extension=".tsv").fpath
    rows = table.read_text(encoding="utf-8-sig").splitlines()
    added = dict(onset="12.5", duration="1", trial_type="later", value="9", sample=str(int(12.5 * rate)))
    rows.append("\t".join(added[name] for name in rows[0].split("\t")))
    table.write_text("\n".join(rows) + "\n")
    read = mne_bids.read_raw_bids(path, verbose=False)
    file = next(path.directory.glob("*_eeg.edf" if form == "EDF" else "*_eeg.vhdr"))
    # Microvolts of what is a voltage; the scale of the rest is the file's own.
    cases.append(dict(
        file=str(file.relative_to(root)), rate=read.info["sfreq"], labels=read.ch_names, types=read.get_channel_types(),
        bads=read.info["bads"], faults=bads,
        markers=[dict(onset=float(mark["onset"]), duration=float(mark["duration"]), label=str(mark["description"]))
                 for mark in read.annotations], sums=[float(row.sum() * 1e6) for row in read.get_data()],
        magnitudes=[float(np.abs(row).sum() * 1e6) for row in read.get_data()]))


net = {f"X{place}": "eeg" for place in range(1, 9)}
for form in ["EDF", "BrainVision"]:
    written(f"net_{form}", form, net, {"X3": "swings by 2 mV", "X8": "n/a"}, task="rest")
    written(f"mixed_{form}", form, {"Fp1": "eeg", "AUX1": "eog", "Cz": "eeg", "Q1": "ecg", "Q2": "emg", "Oz": "eeg", "Q3": "misc",
                                    "Q4": "resp"},
            {"Cz": "dried out", "AUX1": "fell off"}, session="a", task="nback", run="02", acquisition="x")
written("good", "BrainVision", {"Fz": "eeg", "Pz": "eeg", "Q1": "eeg"}, {}, task="rest")
(root / "cases.json").write_text(json.dumps(cases))
