"""Simulated devices and sessions, started and stopped as a user does it."""
import json
import os
import signal
import subprocess
import time
from pathlib import Path

SCRIPT = """e
var t
var p
var c
set_pgstat_chan 0
set_pgstat_mode 2
cell_on
timer_start
meas_loop_ca p c 200m 100m {length}
timer_get t
pck_start
pck_add t
pck_add p
pck_add c
pck_end
endloop
on_finished:
cell_off

"""


class Simulator:
    """`marey simulate --serve` with some devices; `addresses` is what `marey acquire` takes."""

    def __init__(self, marey, folder, name, devices, faults, seed=1):
        self.truth = Path(folder) / f"{name}-truth.tsv"
        faults_file = Path(folder) / f"{name}-faults.json"
        faults_file.write_text(json.dumps(faults))
        serve = [word for device in devices for word in ("--serve", device)]
        self.process = subprocess.Popen(
            [marey, "simulate", *serve, "--truth", self.truth, "--faults", faults_file, "--seed", str(seed)],
            stdout=subprocess.PIPE, text=True)
        self.addresses, self.environment = [], {}
        while len(self.addresses) < len(devices):
            line = self.process.stdout.readline().strip()
            if not line:
                raise SystemExit(f"{name}: the simulated devices did not start")
            if line.startswith("DBUS_"):
                self.environment = dict([line.split("=", 1)])
            else:
                self.addresses.append(line)

    def stop(self):
        """Ends the devices; their truth is complete then."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


class Session:
    """`marey acquire` of some devices into a file."""

    def __init__(self, marey, file, addresses, environment, *options, events=None):
        self.file = Path(file)
        self.events = events
        out = open(events, "w") if events else subprocess.DEVNULL
        self.process = subprocess.Popen(
            [marey, "acquire", file, *addresses, *options], stdout=out, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **environment})

    def wait(self, limit):
        """The exit status, and what was said."""
        _, messages = self.process.communicate(timeout=limit)
        return self.process.returncode, messages

    def wait_for_streams(self, least, limit=30):
        """Waits until so many streams have frames on the disk, by the size of the file."""
        end = time.monotonic() + limit
        while time.monotonic() < end and self.process.poll() is None:
            if self.file.exists() and self.file.stat().st_size >= least:
                return
            time.sleep(0.05)
        raise SystemExit(f"{self.file}: nothing was recorded within {limit} s")


def method_script(folder, seconds):
    """A script that measures a current ten times a second, with the instrument's own time."""
    file = Path(folder) / "amperometry.mscr"
    file.write_text(SCRIPT.format(length=f"{int(seconds * 1000)}m"))
    return file
