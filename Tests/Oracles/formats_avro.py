"""Avro files of an Empatica EmbracePlus as its schema 6 has them, written by fastavro, and what fastavro reads in them.
Writes the folder formats_avro with the files and cases.json into the folder argv[1]."""
import json
import pathlib
import sys

import fastavro
import numpy as np

SCHEMA = {
    "type": "record", "name": "Session", "namespace": "empatica.format.avro",
    "fields": [
        {"name": "schemaVersion", "type": {"type": "record", "name": "Version", "fields": [
            {"name": n, "type": "int"} for n in ("major", "minor", "patch")]}},
        {"name": "fwVersion", "type": "Version"},
        {"name": "timezone", "type": "int"},
        {"name": "enrollment", "type": {"type": "record", "name": "Enrollment", "fields": [
            {"name": n, "type": "string"} for n in ("participantID", "siteID", "studyID", "organizationID")]}},
        {"name": "deviceSn", "type": ["null", "string"]},
        {"name": "deviceModel", "type": {"type": "enum", "name": "Model", "symbols": ["TBD", "EmbracePlus"]}},
        {"name": "rawData", "type": {"type": "record", "name": "RawData", "fields": [
            {"name": "accelerometer", "type": {"type": "record", "name": "Inertial", "fields": [
                {"name": "timestampStart", "type": "long"}, {"name": "samplingFrequency", "type": "float"},
                {"name": "imuParams", "type": {"type": "record", "name": "ImuParams", "fields": [
                    {"name": n, "type": "int"} for n in ("physicalMin", "physicalMax", "digitalMin", "digitalMax")]}},
                *({"name": n, "type": {"type": "array", "items": "int"}} for n in "xyz")]}},
            {"name": "gyroscope", "type": "Inertial"},
            {"name": "eda", "type": {"type": "record", "name": "Series", "fields": [
                {"name": "timestampStart", "type": "long"}, {"name": "samplingFrequency", "type": "float"},
                {"name": "values", "type": {"type": "array", "items": "float"}}]}},
            {"name": "temperature", "type": "Series"}, {"name": "bvp", "type": "Series"},
            {"name": "steps", "type": {"type": "record", "name": "Steps", "fields": [
                {"name": "timestampStart", "type": "long"}, {"name": "samplingFrequency", "type": "float"},
                {"name": "values", "type": {"type": "array", "items": "int"}}]}},
            {"name": "tags", "type": {"type": "record", "name": "Tags", "fields": [
                {"name": "tagsTimeMicros", "type": {"type": "array", "items": "long"}}]}},
            {"name": "systolicPeaks", "type": {"type": "record", "name": "Peaks", "fields": [
                {"name": "peaksTimeNanos", "type": {"type": "array", "items": "long"}}]}}]}},
    ]}


def session(start, seconds, seed):
    rng = np.random.default_rng(seed)
    micros = int(start * 1e6)
    version = dict(major=6, minor=3, patch=0)
    imu = dict(physicalMin=-16, physicalMax=16, digitalMin=-32768, digitalMax=32768)
    n = round(64.0022964 * seconds)
    axes = {a: rng.integers(-4000, 4000, n).tolist() for a in "xyz"}

    def series(rate, values):
        return dict(timestampStart=micros, samplingFrequency=rate, values=[float(np.float32(v)) for v in values])
    return dict(
        schemaVersion=version, fwVersion=version, timezone=7200,
        enrollment=dict(participantID="P07", siteID="1", studyID="2", organizationID="3"), deviceSn="3YK", deviceModel="EmbracePlus",
        rawData=dict(
            accelerometer=dict(timestampStart=micros + 807, samplingFrequency=64.0022964, imuParams=imu, **axes),
            gyroscope=dict(timestampStart=0, samplingFrequency=0.0, imuParams=dict.fromkeys(imu, 0), x=[], y=[], z=[]),
            eda=series(4.000411, rng.uniform(0, 5, round(4.000411 * seconds))),
            temperature=series(0.99975, rng.uniform(27, 33, round(0.99975 * seconds))),
            bvp=series(64.0022964, rng.normal(0, 30, n)),
            steps=dict(timestampStart=micros, samplingFrequency=0.2, values=[0, 3, 7]),
            tags=dict(tagsTimeMicros=[micros + 1_500_000]),
            systolicPeaks=dict(peaksTimeNanos=[int(start * 1e9) + k * 850_000_001 for k in range(1, 6)])))


def main(folder):
    folder = pathlib.Path(folder) / "formats_avro"
    folder.mkdir(parents=True, exist_ok=True)
    schema = fastavro.parse_schema(SCHEMA)
    start = 1694798477.598
    for name, codec, first, seed in [
            ("a.avro", "deflate", start, 1), ("b.avro", "null", start + 30, 2), ("c.avro", "deflate", start + 100, 3)]:
        with open(folder / name, "wb") as f:
            fastavro.writer(f, schema, [session(first, 30, seed)], codec=codec)
    with open(folder / "bzip2.other", "wb") as f:
        fastavro.writer(f, schema, [session(start, 30, 1)], codec="bzip2")
    with open(folder / "people.other", "wb") as f:
        people = fastavro.parse_schema({"type": "record", "name": "Person", "fields": [{"name": "age", "type": "int"}]})
        fastavro.writer(f, people, [{"age": 1}, {"age": 2}])
    cases = {}
    for path in sorted(folder.glob("*.avro")):
        with open(path, "rb") as f:
            (record,) = fastavro.reader(f)
        raw = record["rawData"]
        cases[path.name] = dict(
            x=raw["accelerometer"]["x"], z=raw["accelerometer"]["z"], eda=raw["eda"]["values"],
            bvp=raw["bvp"]["values"], temperature=raw["temperature"]["values"],
            rate=raw["bvp"]["samplingFrequency"], peaks=[p / 1e9 for p in raw["systolicPeaks"]["peaksTimeNanos"]])
    (folder / "cases.json").write_text(json.dumps(cases))


main(sys.argv[1])
