"""A session whose disk fills up: what is written stays whole, and recording goes on when there is room."""
import subprocess
import time
from pathlib import Path

from . import devices, session, truth


class SmallDisk:
    """A disk of a few megabytes in memory; needs the right to mount."""

    def __init__(self, folder, size="4m"):
        self.folder = Path(folder)
        self.folder.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", self.folder], check=True)

    def fill(self):
        """Takes all the room there is."""
        with open(self.folder / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(4096))
            except OSError:
                pass

    def clear(self):
        (self.folder / "filler").unlink()

    def remove(self):
        subprocess.run(["umount", self.folder], check=True)


def check(file, measured, name):
    """How many frames are missing or unknown."""
    wrong = 0
    for stream, (times, values, rate) in session.streams(file).items():
        if stream in measured and rate > 0:
            match = truth.Match(measured[stream], times, values, 0.2, 1 / rate)
            wrong += match.unknown + int(match.missing()[2].sum())
    print(f"{name}: {wrong} frames missing or unknown up to the end of the file")
    return wrong


def run(marey, folder):
    """Returns how many things are not as they must be."""
    wrong = 0
    running = None
    simulator = devices.Simulator(marey, folder, "tcp", ["empatica-e4"], {})
    disk = SmallDisk(folder / "disk")
    try:
        refused = subprocess.run(
            [marey, "acquire", disk.folder / "long.xdf", *simulator.addresses, "--duration", "86400"],
            capture_output=True, text=True)
        print(f"a session of a day: {refused.stderr.strip().splitlines()[-1]}")
        wrong += refused.returncode == 0
        for name, clears in (("freed", True), ("full", False)):
            file = disk.folder / f"{name}.xdf"
            running = devices.Session(marey, file, simulator.addresses, {}, "--duration", "20")
            running.wait_for_streams(4_000)
            time.sleep(5)
            disk.fill()
            time.sleep(6)
            if clears:
                disk.clear()
            # What still waits at the end is tried to be written for a minute.
            status, messages = running.wait(120)
            print(f"{name}: exit {status}; {messages.strip().splitlines()[-1]}")
            wrong += (status == 0) != clears
            if not clears:
                disk.clear()
        simulator.stop()
        measured = truth.read(simulator.truth)
        for name in ("freed", "full"):
            wrong += check(disk.folder / f"{name}.xdf", measured, name) > 0
            subprocess.run([marey, "recover", "--in-place", disk.folder / f"{name}.xdf"], check=True)
            wrong += check(disk.folder / f"{name}.xdf", measured, name + ", recovered") > 0
    finally:
        simulator.process.kill()
        if running:
            running.process.kill()
            running.process.wait()
        disk.remove()
    return wrong
