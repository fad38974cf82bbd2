"""Random recordings written by `marey convert` in every format, re-read by independent readers.

Usage: written_formats.py MAREY FOLDER [COUNT] [--seed SEED] [--validator PROGRAM]

Each recording is made here, sample by sample, and written as XDF by this script: rates from 0.5 to 20,000 Hz, declared
and measured ones that differ, gaps, markers at 0 and after the end, 1 to 300 channels, all kinds. `marey convert` writes it
as EDF, BDF, WFDB, XDF, CSV, BIDS physio and RR text. The readers are pyedflib (EDFlib), edfio, MNE, wfdb-python, pyxdf,
pandas and the BIDS validator. Samples must be equal within the step that the file states, or, for a stream that was
resampled for EDF, within 2 % of its range; times within half a sample, markers within half a sample of the fastest stream.

Prints a line for each failure and a summary; exit code 1 where anything failed."""
import argparse
import collections
import gzip
import json
import logging
import math
import pathlib
import shutil
import struct
import subprocess
import sys
import warnings

import numpy as np

logging.disable(logging.CRITICAL)
warnings.filterwarnings("ignore")

KINDS = {"ECG": "mV", "PPG": "a.u.", "GSR": "uS", "Temp": "degC", "ACC": "g", "Gyro": "deg/s", "EEG": "uV",
         "Resp": "V", "Misc": "V", "Battery": "%"}
UNITS = {"V": 1, "mV": 1e-3, "uV": 1e-6, "nV": 1e-9}
START = 1_700_000_000.0


class Stream:
    """Segments of samples of one rate: (first time in s, samples × channels)."""

    def __init__(self, name, kind, rate, declared, segments):
        self.name, self.kind, self.rate, self.declared, self.segments = name, kind, rate, declared, segments

    @property
    def channels(self):
        return self.segments[0][1].shape[1]

    @property
    def end(self):
        t, x = self.segments[-1]
        return t + len(x) / self.rate


class Recording:
    def __init__(self, rng):
        self.streams, self.markers = [], []
        budget = 300_000
        count = int(rng.integers(1, 4))
        duration = float(rng.uniform(4, 30))
        for index in range(count):
            rate = float(np.exp(rng.uniform(math.log(0.5), math.log(20_000))))
            if rng.random() < 0.5:
                rate = float(min([0.5, 1, 4, 10, 32, 50, 64, 100, 128, 130, 200, 250, 256, 500, 512, 1000, 2000, 5000, 10000,
                                  20000], key=lambda r: abs(math.log(r / rate))))
            declared = rate
            if rng.random() < 0.4 and rate > 2:
                rate *= 1 + float(rng.uniform(-2e-3, 2e-3))  # as clocks measure it
            lasts = max(duration, 96 / rate)
            channels = int(np.exp(rng.uniform(0, math.log(300))))
            channels = max(1, min(channels, int(budget / (lasts * rate))))
            lasts = min(lasts, max(96 / rate, budget / (channels * rate)))
            first = 0.0 if index == 0 else float(rng.uniform(0, 1.5))
            segments, time = [], first
            parts = int(rng.integers(1, 5)) if lasts * rate > 2_000 else 1
            for part in range(parts):
                n = int(lasts * rate / parts)
                t = time + np.arange(n) / rate
                segments.append((time, signal(rng, t, rate, channels, index)))
                time += (n + int(rng.integers(1, max(2, int(rate * 2)))) + (64 if rate > 100 else 8)) / rate
            self.streams.append(Stream(f"s{index}", list(KINDS)[int(rng.integers(len(KINDS)))], rate, declared, segments))
        end = max(s.end for s in self.streams)
        moments = [0.0, end / 3, end / 3, end - 1e-3, end + 1.5]
        words = ["start", "Reiz", "größer", "a,b;c", "stop"]
        self.markers = [(t, w) for t, w in zip(moments, words) if rng.random() < 0.85]
        if rng.random() < 0.5:
            n = int(rng.integers(3, 200))
            self.intervals = np.round(rng.uniform(0.6, 1.2, n), 3)
        else:
            self.intervals = None


def signal(rng, t, rate, channels, index):
    """Slow waves, which survive resampling, of another amplitude and offset in each channel."""
    low = min(rate / 24, 8)
    shape = np.zeros((len(t), channels))
    for c in range(channels):
        f1, f2 = low * (0.3 + 0.7 * ((c * 7 + index) % 11) / 11), low * 0.21
        scale = 10.0 ** ((c % 5) - 2)
        shape[:, c] = scale * (np.sin(2 * np.pi * f1 * t + c) + 0.5 * np.sin(2 * np.pi * f2 * t) + (c % 3) * 0.7)
    return shape.astype(np.float32)


# MARK: XDF

def length(n):
    form = 1 if n < 256 else 4
    return struct.pack("<B" + {1: "B", 4: "I"}[form], form, n)


def chunk(tag, content):
    return length(len(content) + 2) + struct.pack("<H", tag) + content


def header(i, name, kind, channels, rate, fmt, unit=""):
    described = "".join(f"<channel><label>c{c}</label><unit>{unit}</unit></channel>" for c in range(channels))
    return chunk(2, struct.pack("<I", i) + (
        f'<?xml version="1.0"?><info><name>{name}</name><type>{kind}</type><channel_count>{channels}</channel_count>'
        f"<nominal_srate>{rate!r}</nominal_srate><channel_format>{fmt}</channel_format><source_id>s{i}</source_id>"
        f"<desc><channels>{described}</channels></desc></info>").encode())


def xdf(recording):
    out = [b"XDF:", chunk(1, b'<?xml version="1.0"?><info><version>1.0</version>'
                             b"<datetime>2024-05-06T07:08:09+0200</datetime></info>")]
    for i, s in enumerate(recording.streams, 1):
        out.append(header(i, s.name, s.kind, s.channels, s.declared, "float32", KINDS[s.kind]))
        for t, x in s.segments:
            stamps = START + t + np.arange(len(x)) / s.rate
            row = np.dtype([("n", "u1"), ("t", "<f8"), ("x", "<f4", (s.channels,))])
            for first in range(0, len(x), 1_000):
                block = np.zeros(len(x[first:first + 1_000]), row)
                block["n"], block["t"], block["x"] = 8, stamps[first:first + 1_000], x[first:first + 1_000]
                out.append(chunk(3, struct.pack("<I", i) + length(len(block)) + block.tobytes()))
        out.append(chunk(6, struct.pack("<I", i) + b"<info></info>"))
    i = len(recording.streams) + 1
    if recording.markers:
        out.append(header(i, "events", "Markers", 1, 0, "string"))
        for t, word in recording.markers:
            text = word.encode()
            out.append(chunk(3, struct.pack("<I", i) + length(1) + struct.pack("<Bd", 8, START + t) + length(len(text)) + text))
    if recording.intervals is not None:
        i += 1
        out.append(header(i, "rr", "RR", 1, 0, "double64", "s"))
        t = START
        for value in recording.intervals:
            t += value
            out.append(chunk(3, struct.pack("<I", i) + length(1) + struct.pack("<Bdd", 8, t, value)))
    return b"".join(out)


# MARK: comparison

class Failed(Exception):
    pass


def demand(condition, *words):
    if not condition:
        raise Failed(" ".join(str(w) for w in words))


def same_samples(what, stream, channel, start, rate, values, step, is_resampled=False):
    """Whether a channel's samples, the first of them at `start`, are those of the recording; missing elsewhere."""
    values = np.asarray(values, float)
    seen = np.zeros(len(values), bool)
    for t, x in stream.segments:
        truth = x[:, channel].astype(float)
        size = float(np.ptp(stream_values(stream, channel))) or 1.0
        if is_resampled:
            # The segment may be moved as a whole onto the nearest even time, by half a sample at most.
            moved = (t - start) - round((t - start) * rate) / rate
            worst = []
            for shift in (0, moved):
                places = np.arange(math.ceil((t - start - shift) * rate - 1e-6),
                                   math.floor((t + (len(x) - 1) / stream.rate - start - shift) * rate + 1e-6) + 1)
                places = places[(places >= 0) & (places < len(values))]
                wanted = np.interp(start + shift + places / rate, t + np.arange(len(x)) / stream.rate, truth)
                inner = slice(16, -16) if len(places) > 64 else slice(len(places) // 3, 2 * len(places) // 3)
                off = np.abs(values[places] - wanted)[inner]
                worst.append(np.inf if np.isnan(off).any() else off.max(initial=0))
            demand(min(worst) <= 0.02 * size + step, what, "channel", channel, "resampled samples differ by", min(worst),
                   "of", size)
            seen[places] = True
        else:
            first = round((t - start) * rate)
            places = np.arange(first, first + len(x))
            demand(places[0] >= 0 and places[-1] < len(values) + 1, what, "channel", channel, "has", len(values),
                   "samples, expected one at", places[-1])
            places = places[places < len(values)]
            got = values[places]
            bad = ~(np.abs(got - truth[:len(got)]) <= 0.5001 * step + 2e-7 * np.abs(truth[:len(got)]) + 1e-12)
            demand(not bad.any(), what, "channel", channel, bad.sum(), "of", len(truth), "samples differ, first at",
                   int(np.argmax(bad)), got[np.argmax(bad)], truth[np.argmax(bad)], "step", step)
            demand(abs((t - start) * rate - first) <= 0.51, what, "segment starts", (t - start) * rate - first, "samples off")
            seen[places] = True


def same_or_resampled(what, stream, channel, start, rate, values, step):
    """The same samples; of another rate those that lie between them."""
    difference = abs(rate / stream.rate - 1)
    if difference > 2e-6:
        return same_samples(what, stream, channel, start, rate, values, step, True)
    try:
        same_samples(what, stream, channel, start, rate, values, step)
    except Failed:
        if difference < 1e-9:
            raise
        same_samples(what, stream, channel, start, rate, values, step, True)


def stream_values(stream, channel):
    return np.concatenate([x[:, channel] for _, x in stream.segments])


def same_markers(what, wanted, got, tolerance):
    got = sorted((round(t, 9), w) for t, w in got)
    wanted = sorted((t, w) for t, w in wanted)
    demand(len(got) == len(wanted), what, "markers:", [w for _, w in got], "expected", [w for _, w in wanted])
    for word in {w for _, w in wanted}:
        a, b = sorted(t for t, w in got if w == word), sorted(t for t, w in wanted if w == word)
        demand(len(a) == len(b), what, "markers called", word, len(a), "expected", len(b))
        for x, y in zip(a, b):
            demand(abs(x - y) <= tolerance, what, "marker", word, "at", x, "expected", y)


# MARK: readers

def ordered(recording):
    """All channels of a recording, stream by stream."""
    return [(s, c) for s in recording.streams for c in range(s.channels)]


def origin(recording):
    return min([s.segments[0][0] for s in recording.streams])


def check_edf(path, recording, is_bdf):
    import edfio
    import mne
    import pyedflib
    fastest = max(s.rate for s in recording.streams)
    reader = pyedflib.EdfReader(str(path))
    try:
        labels = reader.getSignalLabels()
        rows = ordered(recording)
        demand(len(labels) == len(rows), "pyedflib:", len(labels), "signals, expected", len(rows))
        digital = 24 if is_bdf else 16
        data = []
        # Streams are written in order; a resampled one has another rate than it was recorded at.
        for place, (stream, channel) in enumerate(rows):
            rate = reader.getSampleFrequency(place)
            step = (reader.getPhysicalMaximum(place) - reader.getPhysicalMinimum(place)) / (
                reader.getDigitalMaximum(place) - reader.getDigitalMinimum(place))
            factor = UNITS.get(reader.getPhysicalDimension(place), 1) / UNITS.get(KINDS[stream.kind], 1)
            data.append(reader.readSignal(place))
            values, step = data[-1] * factor, step * factor
            samples = reader.samples_in_datarecord(place)
            exact = samples / reader.datarecord_duration
            same_or_resampled("pyedflib:", stream, channel, origin(recording), exact, values, abs(step))
        onsets, _, words = reader.readAnnotations()
        markers = [(t, w) for t, w in zip(onsets, words) if not w.startswith("BAD_") and not w.startswith("rr ")]
        same_markers("pyedflib:", [(t - origin(recording), w) for t, w in recording.markers], markers, 0.51 / fastest + 1e-4)
    finally:
        reader.close()
    read = edfio.read_bdf if is_bdf else edfio.read_edf
    file = read(str(path))
    demand(len(file.signals) == len(data), "edfio:", len(file.signals), "signals")
    for place, signal in enumerate(file.signals):
        demand(np.allclose(signal.data, data[place], rtol=1e-6, atol=1e-9 + 1e-6 * np.ptp(data[place])), "edfio: signal", place,
               "differs from pyedflib")
    raw = (mne.io.read_raw_bdf if is_bdf else mne.io.read_raw_edf)(str(path), preload=False, verbose="error")
    demand(len(raw.ch_names) == len(data) or len(raw.ch_names) >= 1, "MNE:", len(raw.ch_names), "channels")
    raw.get_data(picks=[0])
    names = [w for w in raw.annotations.description if not w.startswith("BAD_")]
    # MNE leaves out annotations that begin behind the last sample.
    inside = [w for t, w in recording.markers if t - origin(recording) < raw.times[-1]]
    demand(sorted(set(inside) - set(names)) == [], "MNE: annotations", names, "expected", inside)


def check_wfdb(path, recording):
    import wfdb
    record = wfdb.rdrecord(str(path.with_suffix("")), smooth_frames=False)
    rows = ordered(recording)
    demand(len(record.sig_name) == len(rows), "wfdb:", len(record.sig_name), "signals, expected", len(rows))
    for place, (stream, channel) in enumerate(rows):
        rate = record.fs * record.samps_per_frame[place]
        step = 1 / record.adc_gain[place]
        # One frame rate for all: a stream whose rate is none of its multiples lies on even times near its own.
        factor = UNITS.get(record.units[place], 1) / UNITS.get(KINDS[stream.kind], 1)
        values = record.e_p_signal[place] * factor
        same_or_resampled("wfdb:", stream, channel, origin(recording), rate, values, step * factor)
    if recording.markers:
        notes = wfdb.rdann(str(path.with_suffix("")), "mark")
        fs = notes.fs or record.fs
        # wfdb-python takes each byte of a note for a character.
        got = [(s / fs, w.rstrip("\x00").encode("latin-1").decode()) for s, w, symbol in zip(notes.sample, notes.aux_note, notes.symbol) if w]
        got = [(t, w) for t, w in got if w in {w for _, w in recording.markers}]
        same_markers("wfdb:", [(t - origin(recording), w) for t, w in recording.markers], got, 0.51 / fs + 2e-3)


def check_xdf(path, recording):
    import pyxdf
    streams, _ = pyxdf.load_xdf(str(path), dejitter_timestamps=False, synchronize_clocks=False)
    named = {s["info"]["name"][0]: s for s in streams}
    start = None
    for stream in recording.streams:
        demand(stream.name in named, "pyxdf: no stream", stream.name, "among", list(named))
        got = named[stream.name]
        # Missing samples of a gap are written as NaN, so that readers need no stamps to see it.
        stamps, x = np.asarray(got["time_stamps"]), np.asarray(got["time_series"], float)
        truth = np.concatenate([x for _, x in stream.segments])
        times = np.concatenate([t + np.arange(len(x)) / stream.rate for t, x in stream.segments])
        kept = ~np.isnan(x).all(axis=1)
        stamps, x = stamps[kept], x[kept]
        demand(x.shape == truth.shape, "pyxdf:", stream.name, x.shape, "expected", truth.shape)
        demand(np.array_equal(x.astype(np.float32), truth), "pyxdf:", stream.name, "samples differ")
        start = stamps[0] - times[0] if start is None else start
        demand(np.abs(stamps - start - times).max() <= max(0.5 / stream.rate, 1e-4), "pyxdf:", stream.name, "times differ by",
               np.abs(stamps - start - times).max())
    got = [(t - start, w[0]) for s in streams if s["info"]["type"][0] == "Markers" and s["info"]["name"][0] != "marey-events"
           for t, w in zip(s["time_stamps"], s["time_series"])]
    same_markers("pyxdf:", recording.markers, got, 1e-3)
    if recording.intervals is not None:
        rr = [s for s in streams if s["info"]["type"][0].lower() in ("rr", "ibi")]
        demand(len(rr) == 1 and np.allclose(np.ravel(rr[0]["time_series"]), recording.intervals), "pyxdf: intervals differ")


def check_csv(path, stream, recording):
    import pandas
    table = pandas.read_csv(path, comment="#", keep_default_na=True)
    numbers = table.select_dtypes("number")
    times = numbers.iloc[:, 0].to_numpy()
    values = numbers.iloc[:, 1:1 + stream.channels].to_numpy()
    truth = np.concatenate([x for _, x in stream.segments])
    wanted = np.concatenate([t + np.arange(len(x)) / stream.rate for t, x in stream.segments])
    demand(values.shape == truth.shape, "CSV:", values.shape, "expected", truth.shape)
    demand(np.allclose(values, truth, rtol=2e-7, atol=1e-12), "CSV: samples differ by", np.abs(values - truth).max())
    demand(np.abs(times - (wanted - origin(recording))).max() <= 0.51 / stream.rate, "CSV: times differ by",
           np.abs(times - (wanted - origin(recording))).max())


def check_bids(folder, recording):
    for stream in recording.streams:
        found = [p for p in folder.rglob("*_physio.json")
                 if abs(json.loads(p.read_text())["SamplingFrequency"] / stream.rate - 1) < 1e-6
                 and len(json.loads(p.read_text())["Columns"]) == stream.channels]
        demand(found, "BIDS: no physio file of", stream.rate, "Hz with", stream.channels, "columns")
        errors = []
        for path in found:
            side = json.loads(path.read_text())
            with gzip.open(str(path).replace(".json", ".tsv.gz"), "rt") as file:
                rows = [[float("nan") if cell == "n/a" else float(cell) for cell in line.rstrip("\n").split("\t")]
                        for line in file]
            table = np.array(rows)
            try:
                for channel in range(stream.channels):
                    same_samples("BIDS:", stream, channel, origin(recording) + side["StartTime"], side["SamplingFrequency"],
                                 table[:, channel], 1e-9)
                errors = []
                break
            except Failed as error:
                errors.append(str(error))
        demand(not errors, *errors)
    events = list(folder.rglob("*_events.tsv"))
    if recording.markers:
        demand(events, "BIDS: no events")
        lines = [line.split("\t") for line in events[0].read_text().splitlines()]
        names = lines[0]
        word = names.index("trial_type") if "trial_type" in names else 2
        same_markers("BIDS:", [(t - origin(recording), w) for t, w in recording.markers],
                     [(float(line[0]), line[word]) for line in lines[1:]], 1e-3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("marey")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("count", type=int, nargs="?", default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--validator")
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    marey = str(pathlib.Path(options.marey).resolve())
    shutil.rmtree(options.folder, ignore_errors=True)
    options.folder.mkdir(parents=True)
    dataset = options.folder / "bids"
    dataset.mkdir()
    (dataset / "dataset_description.json").write_text(json.dumps(
        dict(Name="Random recordings", BIDSVersion="1.10.0", DatasetType="raw", License="CC0", Authors=["Nobody"])))
    (dataset / "README.md").write_text("Random recordings, written to test the writers of physio files.\n" * 4)
    passed, failed, refused = collections.Counter(), collections.Counter(), collections.Counter()

    def attempt(form, number, body, words):
        try:
            body()
            passed[form] += 1
        except Failed as error:
            failed[form] += 1
            print(f"{number} {form}: {error} | {words}", flush=True)
        except Exception as error:  # a reader that cannot open the file
            failed[form] += 1
            print(f"{number} {form}: {type(error).__name__}: {str(error)[:300]} | {words}", flush=True)

    def convert(source, target, *more):
        run = subprocess.run([marey, "convert", str(source), str(target), "--force", *more], capture_output=True, text=True)
        demand(run.returncode == 0, "convert:", run.stderr.strip()[:400])

    for number in ([options.only] if options.only is not None else range(options.count)):
        recording = Recording(np.random.default_rng([options.seed, number]))
        words = ", ".join(f"{s.kind} {s.rate:.6g} Hz x {s.channels} in {len(s.segments)}" for s in recording.streams)
        folder = options.folder / f"{number:03d}"
        folder.mkdir()
        source = folder / "source.xdf"
        source.write_bytes(xdf(recording))
        for form in ("edf", "bdf"):
            def body(form=form):
                convert(source, folder / f"a.{form}")
                check_edf(folder / f"a.{form}", recording, form == "bdf")
            attempt(form, number, body, words)

        def wfdb_body():
            convert(source, folder / "w.hea")
            check_wfdb(folder / "w.hea", recording)
        attempt("wfdb", number, wfdb_body, words)

        def xdf_body():
            convert(source, folder / "a.xdf")
            check_xdf(folder / "a.xdf", recording)
        attempt("xdf", number, xdf_body, words)

        def csv_body():
            for index, stream in enumerate(recording.streams):
                convert(source, folder / f"{index}.csv", "--stream", stream.name)
                check_csv(folder / f"{index}.csv", stream, recording)
        attempt("csv", number, csv_body, words)

        def bids_body():
            place = dataset / f"sub-{number:03d}" / "beh"
            place.mkdir(parents=True)
            convert(source, place / f"sub-{number:03d}_task-x_physio.tsv.gz")
            check_bids(place, recording)
        attempt("bids", number, bids_body, words)
        if recording.intervals is not None:
            def rr_body():
                convert(source, folder / "a.rr")
                values = np.array([float(line.split()[-1]) for line in (folder / "a.rr").read_text().splitlines()
                                   if line and line[0].isdigit()])
                values = values / 1_000 if np.median(values) > 10 else values
                demand(len(values) == len(recording.intervals) and np.abs(values - recording.intervals).max() < 1e-6,
                       "RR:", len(values), "intervals, expected", len(recording.intervals))
            attempt("rr", number, rr_body, words)
        if not options.keep:
            shutil.rmtree(folder)
    if options.validator:
        run = subprocess.run([options.validator, str(dataset), "--json", "--ignoreWarnings"], capture_output=True, text=True)
        try:
            issues = json.loads(run.stdout)["issues"]["issues"]
            wrong = [issue for issue in issues if issue.get("severity") == "error"]
            codes = collections.Counter(issue.get("code") for issue in wrong)
            print(f"BIDS validator: {sum(codes.values())} errors {dict(codes)}")
            for issue in wrong[:5]:
                print("  ", {k: issue.get(k) for k in ("code", "subCode", "location", "issueMessage")})
            if wrong:
                failed["validator"] += len(wrong)
        except (ValueError, KeyError):
            failed["validator"] += 1
            print("BIDS validator could not be run:", run.stderr[:400], run.stdout[:200])
    for form in sorted(set(passed) | set(failed)):
        print(f"{form}: {passed[form]} passed, {failed[form]} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
