"""Sessions killed at random moments: each recording opens, lacks a second at most, and is mended once."""
import random
import signal
import subprocess
import time

import numpy as np

from . import devices, session, truth

# Seconds from a message's first frame to its sending: what a device has not sent yet is not lost.
GATHERING = {"polar-ecg": 73 / 130, "polar-acceleration": 36 / 50}
MOST_LOST = 1.0


def record(marey, folder, count, addresses, environment, random_):
    """Records and kills `count` times; returns the files with the moments of their death, in seconds since 1970."""
    died = []
    for number in range(count):
        file = folder / f"killed-{number}.xdf"
        running = devices.Session(marey, file, addresses, environment)
        running.wait_for_streams(4_000)
        time.sleep(random_.uniform(1, 4))
        moment = time.time()
        running.process.send_signal(signal.SIGKILL)
        running.process.communicate()
        died.append((file, moment))
    return died


def check(file, moment, measured):
    """What is wrong with a torn recording, and the longest stretch that is lost at its end."""
    wrong, losses = [], []
    for name, (times, values, rate) in session.streams(file).items():
        if name not in measured or rate == 0:
            continue
        match = truth.Match(measured[name], times, values, 0.2, 1 / rate)
        if match.unknown or match.disordered or len(match.missing()[0]):
            wrong.append(f"{name}: {match.unknown} unknown, {match.missing()[2].sum()} missing")
        if len(match.rows):
            end = measured[name][0][match.index[match.rows[-1]]]
            losses.append(moment - end - 1 / rate - GATHERING.get(name, 0.125))
    if not losses:
        wrong.append("no stream")
    return wrong, max(losses, default=0)


def mend(marey, file):
    """What is wrong with the mended recording."""
    before = session.streams(file)
    for turn in (1, 2):
        subprocess.run([marey, "recover", "--in-place", file], check=True, stdout=subprocess.DEVNULL)
        content = file.read_bytes()
        if turn == 2 and content != mended:
            return ["mending twice is not mending once"]
        mended = content
    after = session.streams(file)
    same = before.keys() == after.keys() and all(
        np.array_equal(before[name][1], after[name][1], equal_nan=True) for name in before)
    return [] if same else ["mending changed what could be read"]


def run(marey, folder, count=50):
    """Returns how many recordings are not as they must be."""
    faults = {"device": {"clockDrift": 50}}
    simulators = [devices.Simulator(marey, folder, "bluetooth", ["polar"], faults),
                  devices.Simulator(marey, folder, "tcp", ["empatica-e4"], faults)]
    addresses = [address for simulator in simulators for address in simulator.addresses]
    died = record(marey, folder, count, addresses, simulators[0].environment, random.Random(1))
    measured = {}
    for simulator in simulators:
        simulator.stop()
        measured.update(truth.read(simulator.truth))
    failures, losses = 0, []
    for file, moment in died:
        wrong, lost = check(file, moment, measured)
        wrong += mend(marey, file)
        losses.append(lost)
        if wrong or lost > MOST_LOST:
            failures += 1
            print(f"{file.name}: {lost:.3f} s lost; {'; '.join(wrong)}")
    print(f"{len(died)} sessions killed: lost at the end {np.median(losses):.3f} s (median), {max(losses):.3f} s (most); "
          f"{failures} not as they must be")
    return failures
