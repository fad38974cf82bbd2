"""The AcqKnowledge recordings that come with bioread's source, of versions 3.0.3 to 5.0.1, compressed or not, little- and
big-endian, and what bioread reads in them. Writes the folder formats_acqknowledge with the files and cases.json into the
folder argv[1]."""
import importlib.metadata
import json
import logging
import pathlib
import shutil
import subprocess
import sys
import tarfile

import bioread
import numpy as np

logging.disable(logging.CRITICAL)
root = pathlib.Path(sys.argv[1]) / "formats_acqknowledge"
shutil.rmtree(root, ignore_errors=True)
root.mkdir(parents=True)
subprocess.run(
    [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-binary",
     "bioread", "--dest", str(root), "bioread==" + importlib.metadata.version("bioread")], check=True)
archive = next(root.glob("bioread-*.tar.gz"))
cases = []
with tarfile.open(archive) as source:
    for member in source.getmembers():
        if not member.name.endswith(".acq"):
            continue
        place = root / pathlib.Path(member.name).name
        place.write_bytes(source.extractfile(member).read())
        recording = bioread.read(str(place))
        channels = []
        # The last part of a second of some files of version 3 is garbage, with numbers that fill no single precision.
        for channel in recording.channels:
            data = np.asarray(channel.data, float)
            step = max(1, len(data) // 400)
            channels.append(dict(
                label=channel.name.strip(), rate=float(channel.samples_per_second), count=len(data), step=step,
                samples=data[::step].tolist(), sum=float(data[np.abs(data) < 3e38].sum()),
                magnitude=float(np.abs(data[np.abs(data) < 3e38]).sum()), isComputed=channel.dtype.kind == "f"))
        markers = [dict(onset=m.sample_index / recording.samples_per_second, label=m.text.strip())
                   for m in recording.event_markers]
        # A file that counts from where its memory began; its uncompressed twin begins at 0.
        first = min([m["onset"] for m in markers] + [0])
        cases.append(dict(file=place.name, channels=channels,
                          markers=[dict(onset=m["onset"] - first, label=m["label"]) for m in markers]))
archive.unlink()
(root / "cases.json").write_text(json.dumps(dict(cases=cases)))
