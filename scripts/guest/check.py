"""Compares what was recorded in the virtual machine with what was sent; exits with 1 where it differs."""
import json
import logging

import pyxdf

logging.getLogger("pyxdf").setLevel(logging.ERROR)


def streams(path):
    return {s["info"]["name"][0]: s for s in pyxdf.load_xdf(path)[0]}


sent = json.load(open("sent.json"))
strap = streams("strap.xdf")
recorded = [round(v[0] * 1024) for v in strap["heart-rate-ibi"]["time_series"]]
places = [k for k in range(len(sent["intervals"]) - len(recorded) + 1)
          if sent["intervals"][k:k + len(recorded)] == recorded]
battery = strap["heart-rate-battery"]["time_series"][0][0]
print(f"strap: {len(recorded)} intervals recorded, found {len(places)} time(s) in the {len(sent['intervals'])} sent;",
      f"battery {battery}")
measured = [line.split("\t") for line in open("instrument.tsv").read().splitlines()[1:]]
currents = streams("instrument.xdf")["methodscript-bluetooth-current"]["time_series"]
wanted = [float(row[4]) for row in measured if row[1] == "current"]
same = sum(abs(a[0] - b) <= 1e-6 * abs(b) for a, b in zip(currents, wanted))
print(f"instrument: {sent['written']} bytes written to its virtual serial port;",
      f"{len(currents)} currents recorded, {same} of them as the {len(wanted)} measured")
good = (len(recorded) >= 15 and len(places) == 1 and 86 <= battery * (100 if battery <= 1 else 1) <= 88
        and len(currents) >= 8 and same == len(currents) == len(wanted))
raise SystemExit(0 if good else 1)
