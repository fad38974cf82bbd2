"""Records and annotations written, and read back, by the python wfdb package, as references for the WFDB reader.

usage: formats_wfdb.py FOLDER
Writes FOLDER/wfdb/: records in every format the package can write, and for each record NAME
  NAME.f32   the physical samples as float32, signal after signal (all samples of a frame in order)
  NAME.json  names, samples per frame, rate, length in frames
and for each annotation file NAME.ann.json the list as rdann gives it. With MAREY_DATA set, the same for real records.
"""

import json
import os
import sys

import numpy as np
import wfdb

out = os.path.join(sys.argv[1], "wfdb")
os.makedirs(out, exist_ok=True)
data = os.environ.get("MAREY_DATA")
rng = np.random.default_rng(20)
index = {"records": [], "annotations": []}

LIMITS = {
    "8": 127, "16": 32767, "24": 2**23 - 1, "32": 2**31 - 1, "61": 32767, "80": 127, "160": 32767,
    "212": 2047, "310": 511, "311": 511,
}


def pack310(values):
    v = np.concatenate([values.ravel(), np.zeros(-values.size % 3, dtype=np.int64)]).reshape(-1, 3) & 0x3FF
    first = v[:, 0] << 1 | (v[:, 2] & 0x1F) << 11
    second = v[:, 1] << 1 | (v[:, 2] >> 5) << 11
    return np.stack([first, second], axis=1).astype("<u2").tobytes()


def pack311(values):
    v = np.concatenate([values.ravel(), np.zeros(-values.size % 3, dtype=np.int64)]).reshape(-1, 3) & 0x3FF
    return (v[:, 0] | v[:, 1] << 10 | v[:, 2] << 20).astype("<u4").tobytes()


PACK = {
    "8": lambda v: np.diff(v, axis=0, prepend=0).astype("i1").tobytes(),
    "61": lambda v: v.astype(">i2").tobytes(),
    "160": lambda v: (v + 32768).astype("<u2").tobytes(),
    "310": pack310,
    "311": pack311,
}


def digital(fmt, length, signals):
    limit = LIMITS[fmt]
    if fmt == "8":
        # first differences must fit 8 bits
        return np.cumsum(rng.integers(-100, 101, size=(length, signals)), axis=0)
    values = rng.integers(-limit, limit, size=(length, signals), endpoint=True)
    values[3] = limit
    values[4] = -limit
    values[5, 0] = -limit - 1  # the missing sample
    return values


def reference(path, name, physical=None):
    """Writes what wfdb reads at `path` under `name`."""
    if physical is None:
        record = wfdb.rdrecord(path, smooth_frames=False, return_res=64)
        signals = [np.asarray(s, dtype=np.float64) for s in record.e_p_signal]
        frames = record.sig_len
    else:
        record = wfdb.rdheader(path)
        signals, frames = physical, physical[0].size
    with open(os.path.join(out, name + ".f32"), "wb") as f:
        for s in signals:
            f.write(s.astype("<f4").tobytes())
    with open(os.path.join(out, name + ".json"), "w") as f:
        json.dump(
            {
                "path": os.path.abspath(path), "frames": int(frames), "rate": float(record.fs),
                "perFrame": [int(len(s) // frames) for s in signals],
                "lengths": [int(len(s)) for s in signals],
                "units": list(record.units or []) if physical is None else [],
            }, f)
    index["records"].append(name)


os.chdir(out)
for fmt in LIMITS:
    for signals, length in ((1, 1), (1, 500), (2, 997), (3, 1001)):
        if length < 10 and fmt != "16":
            continue
        name = f"f{fmt}_{signals}"
        values = digital(fmt, length, signals) if length > 10 else np.array([[7]])
        name = name if length > 10 else "single"
        gains, baselines = [200.0, 1000.0, 7247.3][:signals], [0, -12, 101][:signals]
        if fmt in PACK:  # formats the package reads but does not write
            with open(name + ".dat", "wb") as f:
                f.write(PACK[fmt](values))
            with open(name + ".hea", "w") as f:
                f.write(f"{name} {signals} 250 {length}\n")
                for k in range(signals):
                    start = 0 if fmt == "8" else values[0, k]
                    total = int(values[:, k].sum()) & 0xFFFF
                    f.write(f"{name}.dat {fmt} {gains[k]}({baselines[k]})/mV 16 0 {start} {total} 0 ECG {k}\n")
        else:
            wfdb.wrsamp(
                name, fs=250, units=["mV"] * signals, sig_name=[f"ECG {i}" for i in range(signals)],
                d_signal=values, fmt=[fmt] * signals, adc_gain=gains, baseline=baselines)
        reference(name, name)

# Several samples per frame, and signals of three rates in one file.
expanded = [rng.integers(-2000, 2000, size=300 * k) for k in (4, 1, 2)]
record = wfdb.Record(
    record_name="multirate", n_sig=3, fs=62.5, samps_per_frame=[4, 1, 2], sig_len=300, e_d_signal=expanded,
    file_name=["multirate.dat"] * 3, fmt=["212"] * 3, adc_gain=[200.0, 50.0, 100.0], baseline=[0, 5, 0],
    units=["mV", "pm", "NU"], sig_name=["II", "RESP", "PLETH"], adc_res=[12] * 3, adc_zero=[0] * 3,
    block_size=[0] * 3, base_time=None, base_date=None)
record.set_d_features(expanded=True)
record.init_value = [int(s[0]) for s in expanded]
record.checksum = record.calc_checksum(expanded=True)
record.wrsamp(expanded=True)
reference("multirate", "multirate")


# Multi-segment records with gaps: a fixed and a variable layout.
def segment(name, names, length):
    values = rng.integers(-1000, 1000, size=(length, len(names)))
    wfdb.wrsamp(
        name, fs=100, units=["mV"] * len(names), sig_name=names, d_signal=values, fmt=["16"] * len(names),
        adc_gain=[500.0] * len(names), baseline=[0] * len(names))
    return dict(zip(names, (values / 500.0).T))


def join(name, header, names, parts):
    with open(name + ".hea", "w") as f:
        f.write(header)
    joined = []
    for signal in names:
        pieces = [p[signal] if isinstance(p, dict) and signal in p else
                  np.full(p if isinstance(p, int) else len(next(iter(p.values()))), np.nan) for p in parts]
        joined.append(np.concatenate(pieces))
    if "~" in header and "layout" not in header:  # the package does not join these
        with open(name + "_nogap.hea", "w") as f:
            lines = [x for x in header.splitlines() if not x.startswith("~")]
            frames = sum(int(x.split()[1]) for x in lines[1:])
            f.write("\n".join([f"{name}_nogap/{len(lines) - 1} {len(names)} 100 {frames}"] + lines[1:]) + "\n")
        read = wfdb.rdrecord(name + "_nogap", m2s=True)
        for k, signal in enumerate(read.sig_name):
            mine = joined[names.index(signal)]
            assert np.allclose(read.p_signal[:, k], mine[~np.isnan(mine)]), (name, signal)
        reference(name, name, joined)
        return
    read = wfdb.rdrecord(name, m2s=True)
    for k, signal in enumerate(read.sig_name):
        mine = joined[names.index(signal)]
        assert np.allclose(read.p_signal[:, k], mine, equal_nan=True), (name, signal)
    reference(name, name, joined)


a = segment("fixed_1", ["II", "V1"], 250)
b = segment("fixed_2", ["II", "V1"], 100)
c = segment("fixed_3", ["II", "V1"], 60)
join("fixed", "fixed/5 2 100 800\nfixed_1 250\n~ 300\nfixed_2 100\nfixed_3 60\n~ 90\n", ["II", "V1"], [a, 300, b, c, 90])

a = segment("vary_1", ["II", "PLETH"], 120)
b = segment("vary_2", ["II"], 80)
c = segment("vary_3", ["PLETH", "II", "RESP"], 200)
with open("vary_layout.hea", "w") as f:
    f.write("vary_layout 3 100 0\n" + "".join(f"~ 0 500(0)/mV 16 0 0 0 0 {n}\n" for n in ("II", "PLETH", "RESP")))
join(
    "vary", "vary/5 3 100 450\nvary_layout 0\nvary_1 120\nvary_2 80\n~ 50\nvary_3 200\n", ["II", "PLETH", "RESP"],
    [a, b, 50, c])


# Annotations.
def annotations(record, extension, name):
    read = wfdb.rdann(record, extension)
    own = wfdb.io.annotation.load_byte_pairs(record, extension, None)
    with open(os.path.join(out, name + ".ann.json"), "w") as f:
        json.dump(
            {
                "path": os.path.abspath(f"{record}.{extension}"), "sample": read.sample.tolist(),
                "symbol": list(read.symbol), "subtype": read.subtype.tolist(), "chan": read.chan.tolist(),
                "num": read.num.tolist(), "aux": [x.rstrip("\0") for x in read.aux_note],
                "fs": None if read.fs is None else float(read.fs), "bytes": int(own.size),
            }, f)
    index["annotations"].append(name)


count = 400
sample = np.cumsum(rng.integers(1, 3000, size=count)) + 5
sample[200:] += 3_000_000_000
symbols = rng.choice(list("NLRaVFJASEj/Q~|sT*D=pB^t+u?![]en@xf()r"), size=count)
aux = ["" if rng.random() < 0.7 else "(" + "AFIBVTN"[: rng.integers(1, 7)] for _ in range(count)]
wfdb.wrann(
    "rich", "tst", sample=sample, symbol=list(symbols), subtype=rng.integers(0, 4, size=count),
    chan=rng.integers(0, 3, size=count), num=rng.integers(0, 5, size=count), aux_note=aux, fs=360)
annotations("rich", "tst", "rich")
wfdb.wrann("plain", "qrs", sample=np.array([10, 300, 1323, 1324, 2348, 70000]), symbol=["N"] * 6)
annotations("plain", "qrs", "plain")

if data:
    os.chdir(data)
    for path in (
            "mitdb/100", "qtdb/sel100", "cinc2017/A00001", "wfdb_formats/a103l", "wfdb_formats/binformats",
            "wfdb_formats/310derive", "wfdb_formats/311derive", "wfdb_formats/100_3chan", "wfdb_formats/test01_00s",
            "wfdb_formats/test01_00s_skew"):
        if os.path.exists(path + ".hea"):
            reference(path, "real_" + path.replace("/", "_"))
    for record, extension in (("mitdb/100", "atr"), ("mitdb/207", "atr"), ("qtdb/sel100", "pu1"), ("rr_nsr2db/nsr001", "ecg")):
        if os.path.exists(f"{record}.{extension}"):
            annotations(record, extension, f"real_{record}_{extension}".replace("/", "_"))

with open(os.path.join(out, "index.json"), "w") as f:
    json.dump(index, f)
