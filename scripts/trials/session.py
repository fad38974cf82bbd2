"""A session with everything that can go wrong, compared to the sample with what was measured."""
import json
import logging
import subprocess
import sys

import numpy as np
import pyxdf

from . import devices, truth

HEART_RATE = "00002a37-0000-1000-8000-00805f9b34fb"
CONTROL = ["fb005c81-02e7-f387-1cad-8acd2d8df0c8", "273e0001-4c4d-454d-96be-f03bac821358"]
# What is compared with truth only to the sample: the strap says nothing of when a beat was within its second.
UNTIMED = ("heart-rate-ibi", "polar-ibi")
# What waits in the headband until a packet is full, by up to a packet's share of a sensor, which no arrival tells.
GATHERED = {"muse-athena-": 4}


def faults(seconds):
    """All faults of a device and its link, spread over the session."""
    at = lambda share: share * seconds
    device = {
        "clockDrift": 50, "contactLost": [[at(0.70), at(0.72)]], "resets": [at(0.80)],
        "clockJumps": [{"moment": at(0.30), "by": 200_000}, {"moment": at(0.60), "by": -200_000}],
        "battery": 0.9, "batteryLife": at(0.95) / 0.9,
    }
    link = {"delay": [0, 0.005], "stalls": [[at(0.40), at(0.40) + 3]]}
    bluetooth = {**link, "loss": 0.01, "duplication": 0.005, "reordering": 0.005, "garbage": 0.002,
                 "disconnects": [at(0.50)], "spared": CONTROL, "unnumbered": [HEART_RATE]}
    stream = {**link, "loss": 0.002, "garbage": 0.002}
    return {"bluetooth": {"device": device, "link": bluetooth},
            "tcp": {"device": device, "link": {**stream, "duplication": 0.005, "reordering": 0.005,
                                               "disconnects": [at(0.50)]}},
            "serial": {"device": {"clockDrift": 50}, "link": stream}}


def record(marey, folder, seconds):
    """Runs the devices and the session; returns the recording, the events and the truth."""
    wrong = faults(seconds)
    simulators = [
        devices.Simulator(marey, folder, "bluetooth", ["heart-rate", "polar", "muse", "muse-athena"], wrong["bluetooth"]),
        devices.Simulator(marey, folder, "tcp", ["empatica-e4"], wrong["tcp"]),
        devices.Simulator(marey, folder, "serial", ["methodscript"], wrong["serial"]),
    ]
    script = devices.method_script(folder, seconds)
    places = [address + (f",script={script}" if address.startswith("methodscript") else "")
              for simulator in simulators for address in simulator.addresses]
    recording, events = folder / "session.xdf", folder / "events.jsonl"
    session = devices.Session(
        marey, recording, places, simulators[0].environment, "--duration", str(seconds), "--json", "--verify",
        "--raw-log", events=events)
    status, messages = session.wait(seconds * 2 + 120)
    for simulator in simulators:
        simulator.stop()
    if status:
        print(messages, file=sys.stderr)
    measured = {}
    for simulator in simulators:
        measured.update(truth.read(simulator.truth))
    return recording, [json.loads(line) for line in open(events)], measured, status


def streams(recording):
    """The numeric streams pyxdf finds, by name, with times in seconds since 1970."""
    logging.getLogger("pyxdf").setLevel(logging.ERROR)
    found, header = pyxdf.load_xdf(str(recording))
    start = float(header["info"]["marey"][0]["start"][0])
    return {s["info"]["name"][0]: (np.asarray(s["time_stamps"]) + start, np.asarray(s["time_series"], float),
                                   float(s["info"]["nominal_srate"][0]))
            for s in found if s["info"]["channel_format"][0] != "string" and len(s["time_stamps"])}


def expected_interval(name, rate, times, values):
    """How far apart frames are when nothing is missing."""
    if rate > 0:
        return 1 / rate
    return values[:, 0] if name.endswith("-ibi") else np.median(np.diff(times))


def compare(recording, measured):
    """One row per stream, and how many things are wrong."""
    wrong = 0
    print("stream                     measured recorded   filled  missing unmarked  unknown disorder "
          "error ms: median  p99   max")
    for name, (times, values, rate) in sorted(streams(recording).items()):
        if name not in measured:
            continue
        interval = expected_interval(name, rate, times, values)
        # A stall of 3 s shifts what bears no time of its own.
        reach = max(0.05, 0.45 / rate) if rate > 0 else 5 if name in UNTIMED else 2
        match = truth.Match(measured[name], times, values, reach, 1 / rate if rate > 0 else None, name in UNTIMED)
        unmarked = match.untold(interval) if name in UNTIMED else match.unmarked(interval)
        missing = match.missing()[2].sum()
        errors = np.abs(match.errors) * 1000
        bound = next((bound for prefix, bound in GATHERED.items() if name.startswith(prefix)), 1)
        late = name not in UNTIMED and np.percentile(errors, 99) > bound
        wrong += (unmarked > 0) + (match.unknown > 0) + (match.disordered > 0) + late
        print(f"{name:26} {match.measured:8} {len(match.rows):8} {match.filled.sum():8} {missing:8} {unmarked:8} "
              f"{match.unknown:8} {match.disordered:8} {np.median(errors):16.3f} {np.percentile(errors, 99):6.3f} "
              f"{errors.max():7.3f}")
    return wrong


def compare_live(marey, recording, events, folder):
    """What was shown beside what `marey analyze` prints; returns how much differs."""
    verified = [event for event in events if event["event"] == "verified"]
    wrong = 0 if verified and verified[-1]["same"] else 1
    for source in verified[-1]["sources"] if verified else []:
        print(f"{source['name']:26} {source['compared']} values shown, differing from the file's: "
              f"{', '.join(source['differing']) or 'none'}")
    results = folder / "analysis"
    subprocess.run([marey, "analyze", recording, "--output", results], check=True, stdout=subprocess.DEVNULL)
    for table in sorted(results.glob("*beats_events.tsv")):
        rows = [line.split("\t") for line in table.read_text().splitlines()]
        onset = rows[0].index("onset")
        printed = [float(row[onset]) for row in rows[1:]]
        shown = {}
        for event in events:
            if event["event"] == "beat":
                shown.setdefault(event["stream"], []).append(event["t"])
        match = [name for name, beats in shown.items()
                 if len(beats) == len(printed) and np.allclose(beats, printed, rtol=1e-8, atol=1e-6)]
        print(f"{table.name}: {len(printed)} beats, as shown of {', '.join(match) or 'no stream'}")
        wrong += not match
    return wrong


def run(marey, folder, minutes):
    """Returns how many things are wrong."""
    recording, events, measured, status = record(marey, folder, minutes * 60)
    finished = [event for event in events if event["event"] == "finished"][-1]
    print(f"{minutes} min, reconnections {finished['reconnections']}, malformed {finished['malformed']}, "
          f"latency p99 {1000 * (finished['latency99'] or 0):.1f} ms")
    return (status != 0) + compare(recording, measured) + compare_live(marey, recording, events, folder)
