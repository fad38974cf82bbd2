"""XDF files in all the ways the format allows, and what pyxdf reads in them and in the public files below MAREY_DATA.
Writes the folder formats_xdf with the files and cases.json into the folder argv[1].

With `--read FILE…` instead: prints as JSON what pyxdf reads in each FILE, for files written by the tests."""
import json
import logging
import os
import pathlib
import shutil
import struct
import sys

import numpy as np
import pyxdf

logging.disable(logging.CRITICAL)


def read(path):
    streams, header = pyxdf.load_xdf(str(path))
    out = []
    for s in streams:
        stamps = np.asarray(s["time_stamps"], float)
        n = len(stamps)
        step = max(1, n // 300)
        is_text = s["info"]["channel_format"][0] == "string"
        series = s["time_series"]
        values = None if is_text else [
            [None if np.isnan(x) else float(x) for x in row] for row in np.asarray(series, float)[::step]]
        gaps = np.diff(stamps) if n > 1 else np.zeros(0)
        out.append(dict(
            name=s["info"]["name"][0], type=s["info"]["type"][0], rate=float(s["info"]["nominal_srate"][0]),
            count=n, step=step, stamps=stamps[::step].tolist(), last=float(stamps[-1]) if n else 0.0,
            values=values, texts=["\t".join(r) for r in series] if is_text else None,
            segments=len(s["info"]["segments"]), largestStep=float(gaps.max()) if len(gaps) else 0.0,
            smallestStep=float(gaps.min()) if len(gaps) else 0.0))
    return out


if sys.argv[1] == "--read":
    print(json.dumps([read(p) for p in sys.argv[2:]]))
    sys.exit()

root = pathlib.Path(sys.argv[1]) / "formats_xdf"
shutil.rmtree(root, ignore_errors=True)
root.mkdir(parents=True)
rng = np.random.default_rng(8)
BOUNDARY = bytes.fromhex("43A546DCCBF5410FB30ED5467383CBE4")


def length(n, form=None):
    form = form or (1 if n < 256 else 4 if n < 2**32 else 8)
    return struct.pack("<B" + {1: "B", 4: "I", 8: "Q"}[form], form, n)


def chunk(tag, content, form=None):
    return length(len(content) + 2, form) + struct.pack("<H", tag) + content


def head(datetime="2024-05-06T07:08:09+0200"):
    return b"XDF:" + chunk(1, f'<?xml version="1.0"?><info><version>1.0</version><datetime>{datetime}</datetime></info>'
                           .encode())


def header(i, name, kind, n, rate, fmt, desc=""):
    return chunk(2, struct.pack("<I", i) + (
        f'<?xml version="1.0"?><info><name>{name}</name><type>{kind}</type><channel_count>{n}</channel_count>'
        f"<nominal_srate>{rate}</nominal_srate><channel_format>{fmt}</channel_format><source_id>s{i}</source_id>"
        f"<desc>{desc}</desc></info>").encode())


def offset(i, t, v):
    return chunk(4, struct.pack("<Idd", i, t, v))


def footer(i, n):
    return chunk(6, struct.pack("<I", i) + f"<info><sample_count>{n}</sample_count></info>".encode())


DTYPES = dict(int8="<i1", int16="<i2", int32="<i4", int64="<i8", float32="<f4", double64="<f8")


def samples(i, stamps, values, fmt, form=4, chunk_form=None):
    """stamps may hold None for deduced ones."""
    out = [struct.pack("<I", i), length(len(stamps), form)]
    for t, row in zip(stamps, values):
        out.append(b"\0" if t is None else struct.pack("<Bd", 8, t))
        if fmt == "string":
            for text in row:
                raw = text.encode()
                out.append(length(len(raw)) + raw)
        else:
            out.append(np.asarray(row).astype(DTYPES[fmt]).tobytes())
    return chunk(3, b"".join(out), chunk_form)


cases = []


def case(path, name=None):
    cases.append(dict(file=name or path.name, streams=read(path)))


def write(name, *parts):
    path = root / name
    path.write_bytes(b"".join(parts))
    case(path)


# Every format of values, lengths in every form, stamps given and deduced, chunks of one and of many frames.
parts = [head()]
for i, (fmt, code) in enumerate(DTYPES.items()):
    parts.append(header(i + 1, fmt, "Misc", 3, 50, fmt))
parts.append(header(20, "texts", "Markers", 2, 0, "string"))
parts.append(header(21, "irregular", "RR", 2, 0, "double64"))
t = 1000.0
for block in range(40):
    for i, fmt in enumerate(DTYPES):
        n = int(rng.integers(1, 9)) if fmt != "int16" else 1
        limit = {"int8": 127, "int16": 32000}.get(fmt, 2**20)
        rows = rng.integers(-limit, limit, (n, 3)) * (0.25 if "t" not in fmt else 1)
        stamps = [t + i * 0.001 if k == 0 else None for k in range(n)]
        parts.append(samples(i + 1, stamps, rows, fmt, form=[1, 4, 8][block % 3], chunk_form=[None, 4, 8][block % 3]))
    parts.append(samples(20, [t + 0.0123], [[f"mark {block}", "ü中" * (block * 10)]], "string", form=1))
    parts.append(samples(21, [t + 0.05, t + 0.07], rng.normal(0, 1, (2, 2)), "double64"))
    if block % 10 == 0:
        parts.append(chunk(5, BOUNDARY))
        parts.append(chunk(77, b"a chunk of a later version") + chunk(5, BOUNDARY))
    t += 0.5
write("formats.xdf", *parts)


def recording(name, pieces, rate=100, offsets=True, noise=0.002, offset_noise=2e-4, desc="", kind="EEG", end=b"", n=2):
    """pieces: (clock at start, true start, seconds)"""
    parts = [head(), header(1, "signal", kind, n, rate, "float32", desc), header(2, "marks", "Markers", 1, 0, "string")]
    total = 0
    for clock, true, seconds in pieces:
        count = int(seconds * rate)
        k = 0
        next_offset = 0.0
        while k < count:
            m = min(int(rng.integers(5, 40)), count - k)
            now = clock + (k + m) / rate
            stamps = clock + (k + np.arange(m)) / rate + rng.normal(0, noise, m)
            parts.append(samples(1, stamps.tolist(), rng.normal(0, 30, (m, n)), "float32"))
            if k // 300 != (k + m) // 300:
                parts.append(samples(2, [float(now)], [[f"m{total + k}"]], "string"))
            if offsets and k / rate >= next_offset:
                shift = true - clock + 20e-6 * k / rate + rng.normal(0, offset_noise)
                parts.append(offset(1, now, shift))
                parts.append(offset(2, now, shift + 1e-4))
                next_offset += 5
            k += m
        total += count
    write(name, *parts, end)


recording("jitter.xdf", [(5000, 9000, 65)])
recording("without_offsets.xdf", [(5000, 9000, 20)], offsets=False)
recording("breaks.xdf", [(5000, 9000, 20), (5027.3, 9027.3, 30), (5140, 9140, 12)])
recording("short_gap.xdf", [(5000, 9000, 20), (5020.8, 9020.8, 30)])
recording("clock_reset_down.xdf", [(653150, 810, 100), (60, 930, 120)])
recording("clock_reset_up.xdf", [(100, 810, 100), (200210, 930, 120)])
recording("two_clock_resets.xdf", [(653150, 810, 60), (60, 900, 70), (400000, 1000, 80)])
recording("wild_offsets.xdf", [(5000, 9000, 120)], offset_noise=0.05)
recording("few_offsets.xdf", [(5000, 9000, 4)])
recording("dropped.xdf", [(5000, 9000, 20), (5020.8, 9020.8, 30)], noise=0.0005,
          desc="<synchronization><can_drop_samples>true</can_drop_samples></synchronization>")
recording("slow.xdf", [(5000, 9000, 400), (5600, 9600, 300)], rate=4, kind="EDA", n=1)
recording("corrupted_last_offset.xdf", [(5000, 9000, 60)],
          end=samples(1, [5060.0], [[1.0, 2.0]], "float32") + offset(1, 9999.0, 123.0) + footer(1, 6000) + footer(2, 20))

# Damage between two boundary chunks, and an end that is cut off.
parts = [head(), header(1, "signal", "ECG", 1, 100, "float32")]
for k in range(60):
    parts.append(samples(1, (10 + k * 0.5 + np.arange(50) / 100).tolist(), rng.normal(0, 1, (50, 1)), "float32"))
    if k % 5 == 4:
        parts.append(chunk(5, BOUNDARY))
whole = b"".join(parts)
place = whole.index(BOUNDARY, len(whole) // 2) + 16
damaged = bytearray(whole)
damaged[place:place + 300] = bytes(300)
(root / "damaged.xdf").write_bytes(damaged)
case(root / "damaged.xdf")
(root / "torn.xdf").write_bytes(whole[:-700])

data = os.environ.get("MAREY_DATA")
for name in ["xdf/minimal.xdf", "xdf/empty_streams.xdf", "xdf/clock_resets.xdf"]:
    path = pathlib.Path(data or "/nonexistent") / name
    if path.exists():
        case(path, name)

json.dump(dict(python=sys.executable, script=str(pathlib.Path(__file__).resolve()), cases=cases),
          open(root / "cases.json", "w"))
