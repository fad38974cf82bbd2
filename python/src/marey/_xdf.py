"""Writes and reads the part of XDF 1.0 that carries samples between this package and the program, without text.

Numbers are 32-bit floats, as Marey's samples are. Strings are used for markers. See
https://github.com/sccn/xdf/wiki/Specifications.
"""
from __future__ import annotations

import struct
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from numpy.typing import NDArray

_MAGIC = b"XDF:"
_CHUNK = 1 << 14
_TYPES: dict[str, str] = {
    "float32": "<f4", "double64": "<f8", "int8": "<i1", "int16": "<i2", "int32": "<i4", "int64": "<i8",
}


@dataclass
class XDFStream:
    """One stream: its description, the samples as frames × channels, and their times in seconds."""

    name: str
    kind: str
    labels: list[str]
    units: list[str]
    rate: float
    samples: NDArray[Any] = field(default_factory=lambda: np.empty((0, 0)))
    times: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))
    texts: list[str] = field(default_factory=list)


def _length(number: int) -> bytes:
    if number < 256:
        return b"\x01" + struct.pack("<B", number)
    if number < 1 << 32:
        return b"\x04" + struct.pack("<I", number)
    return b"\x08" + struct.pack("<Q", number)


def _chunk(tag: int, content: bytes) -> bytes:
    return _length(len(content) + 2) + struct.pack("<H", tag) + content


def write(path: Path, streams: list[XDFStream]) -> None:
    """Writes evenly sampled streams that begin at time 0; NaN is a missing sample."""
    with path.open("wb") as file:
        file.write(_MAGIC + _chunk(1, b'<?xml version="1.0"?><info><version>1.0</version></info>'))
        for number, stream in enumerate(streams, 1):
            channels = "".join(
                f"<channel><label>{escape(label)}</label><unit>{escape(unit)}</unit></channel>"
                for label, unit in zip(stream.labels, stream.units, strict=True)
            )
            header = (
                f'<?xml version="1.0"?><info><name>{escape(stream.name)}</name><type>{escape(stream.kind)}</type>'
                f"<channel_count>{len(stream.labels)}</channel_count><nominal_srate>{stream.rate!r}</nominal_srate>"
                f"<channel_format>float32</channel_format><desc><channels>{channels}</channels></desc></info>"
            )
            file.write(_chunk(2, struct.pack("<I", number) + header.encode()))
        for number, stream in enumerate(streams, 1):
            samples = np.ascontiguousarray(stream.samples, dtype="<f4")
            for first in range(0, len(samples), _CHUNK):
                frames = samples[first : first + _CHUNK]
                file.write(_chunk(3, struct.pack("<I", number) + _frames(frames, first / stream.rate)))
        for number, stream in enumerate(streams, 1):
            last = (len(stream.samples) - 1) / stream.rate if len(stream.samples) else 0
            footer = (
                f'<?xml version="1.0"?><info><first_timestamp>0</first_timestamp><last_timestamp>{last!r}'
                f"</last_timestamp><sample_count>{len(stream.samples)}</sample_count></info>"
            )
            file.write(_chunk(6, struct.pack("<I", number) + footer.encode()))


def _frames(frames: NDArray[np.float32], onset: float) -> bytes:
    """Frames of which the first alone has a time stamp."""
    count = _length(len(frames))
    width = 4 * frames.shape[1]
    raw = frames.tobytes()
    first = b"\x08" + struct.pack("<d", onset) + raw[:width]
    rest = np.zeros((len(frames) - 1, 1 + width), dtype=np.uint8)
    rest[:, 1:] = np.frombuffer(raw, dtype=np.uint8)[width:].reshape(len(frames) - 1, width)
    return count + first + rest.tobytes()


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def length(self) -> int:
        size = self.data[self.place]
        form = {1: "<B", 4: "<I", 8: "<Q"}[size]
        (number,) = struct.unpack_from(form, self.data, self.place + 1)
        self.place += 1 + size
        return int(number)

    def take(self, count: int) -> bytes:
        part = self.data[self.place : self.place + count]
        self.place += count
        return part


def read(path: Path) -> list[XDFStream]:
    """Reads the streams of an XDF file that Marey wrote, in the order of their headers."""
    reader = _Reader(path.read_bytes())
    if reader.take(4) != _MAGIC:
        raise ValueError(f"{path}: is no XDF file")
    streams: dict[int, XDFStream] = {}
    formats: dict[int, str] = {}
    parts: dict[int, list[tuple[NDArray[Any], NDArray[np.float64]]]] = {}
    while reader.place < len(reader.data):
        content = reader.take(reader.length())
        (tag,) = struct.unpack_from("<H", content)
        if tag == 2:
            (number,) = struct.unpack_from("<I", content, 2)
            streams[number], formats[number] = _header(content[6:])
            parts[number] = []
        elif tag == 3:
            (number,) = struct.unpack_from("<I", content, 2)
            _samples(content[6:], streams[number], formats[number], parts[number])
    for number, stream in streams.items():
        if parts[number]:
            stream.samples = np.concatenate([part[0] for part in parts[number]])
            stream.times = _filled(np.concatenate([part[1] for part in parts[number]]), stream.rate)
        elif formats[number] != "string":
            stream.samples = np.empty((0, len(stream.labels)), dtype=np.float32)
    return list(streams.values())


def _header(text: bytes) -> tuple[XDFStream, str]:
    info = ElementTree.fromstring(text.decode())

    def value(name: str) -> str:
        return (info.findtext(name) or "").strip()

    channels = info.findall("./desc/channels/channel")
    count = int(value("channel_count") or 1)
    labels = [(channel.findtext("label") or "").strip() for channel in channels] or [""] * count
    units = [(channel.findtext("unit") or "").strip() for channel in channels] or [""] * count
    stream = XDFStream(value("name"), value("type"), labels, units, float(value("nominal_srate") or 0))
    return stream, value("channel_format")


def _samples(
    content: bytes, stream: XDFStream, form: str, parts: list[tuple[NDArray[Any], NDArray[np.float64]]]
) -> None:
    reader = _Reader(content)
    count = reader.length()
    times = np.full(count, np.nan)
    if form == "string":
        for index in range(count):
            if reader.take(1) == b"\x08":
                (times[index],) = struct.unpack("<d", reader.take(8))
            stream.texts.append("\t".join(reader.take(reader.length()).decode() for _ in stream.labels))
        stream.times = np.concatenate([stream.times, times])
        return
    kind = np.dtype(_TYPES[form])
    width = kind.itemsize * len(stream.labels)
    rows = bytearray()
    index = 0
    while index < count:
        if reader.data[reader.place] == 8:
            (times[index],) = struct.unpack_from("<d", reader.data, reader.place + 1)
            reader.place += 9
        else:
            reader.place += 1
        rows += reader.take(width)
        index += 1
    parts.append((np.frombuffer(bytes(rows), dtype=kind).reshape(count, len(stream.labels)), times))


def _filled(times: NDArray[np.float64], rate: float) -> NDArray[np.float64]:
    """Times of samples without a stamp: one sample interval after the one before."""
    if rate <= 0 or not np.isnan(times).any():
        return times
    known = ~np.isnan(times)
    place = np.maximum.accumulate(np.where(known, np.arange(len(times)), 0))
    filled: NDArray[np.float64] = times[place] + (np.arange(len(times)) - place) / rate
    return filled
