"""The heart rate, mean NN interval and RMSSD of each condition, computed with pandas from `nn_events` alone.

usage: condition_means.py RESULTS CONDITIONS
RESULTS: the output folder of a batch. CONDITIONS: a table with participant, onset, duration and trial_type.
Compares RESULTS/group/condition_means.tsv with what follows from the intervals and prints, as JSON, how many values were
compared, the largest difference relative to the value, and the rows that one of the two alone has.
"""

import json
import sys
from pathlib import Path

import pandas as pd

READ = {"sep": "\t", "na_values": "n/a", "keep_default_na": False, "dtype": {"participant": str, "condition": str}}
EDGE = 1e-6
MINIMUM = {"meanHR": 20.0, "meanNN": 20.0, "rmssd": 45.0}


def parts(rows):
    """The merged spans of each condition, without the time in which another condition lasts."""
    merged = {}
    for label, own in rows.groupby("trial_type"):
        spans = []
        for begin, end in sorted(zip(own.onset, own.onset + own.duration)):
            if spans and begin <= spans[-1][1] + 1e-3:
                spans[-1][1] = max(spans[-1][1], end)
            else:
                spans.append([begin, end])
        merged[label] = spans
    cut = {}
    for label, spans in merged.items():
        others = sorted(span for other, all_ in merged.items() if other != label for span in all_)
        left = spans
        for begin, end in others:
            left = [piece for a, b in left for piece in ((a, min(b, begin)), (max(a, end), b)) if piece[0] < piece[1]]
        cut[label] = left
    return cut


def values(nn, spans):
    """The indexes over all intervals within some spans."""
    measured, differences = [], []
    for begin, end in spans:
        inside = nn[(nn.onset - nn.nn >= begin - EDGE) & (nn.onset <= end + EDGE)]
        good = inside.status != "interpolated"
        measured.append(inside.nn[good])
        paired = (inside.contiguous == 1) & good & good.shift(fill_value=False)
        paired.iloc[:1] = False
        differences.append(inside.nn.diff()[paired])
    nn, diff = pd.concat(measured) * 1000, pd.concat(differences) * 1000
    seconds = nn.sum() / 1000
    found = {"meanNN": nn.mean(), "meanHR": (60000 / nn).mean(), "rmssd": (diff**2).mean() ** 0.5}
    enough = {"meanNN": len(nn) > 1, "meanHR": len(nn) > 1, "rmssd": len(diff) > 1}
    return {name: value for name, value in found.items() if enough[name] and seconds >= MINIMUM[name]}


def main(results, conditions):
    conditions = pd.read_csv(conditions, **READ)
    means = pd.read_csv(results / "group/condition_means.tsv", **READ)
    told = {
        (row.participant, row.condition, row.signal, row.index_): row.value
        for row in means.rename(columns={"index": "index_"}).itertuples()
        if row.index_ in MINIMUM and row.value == row.value
    }
    own = {}
    for path in sorted(results.glob("sub-*/**/*_desc-nn_events.tsv")):
        participant = path.name.split("_")[0].removeprefix("sub-")
        signal = next(part for part in path.name.split("_") if part.startswith("recording-")).removeprefix("recording-")
        nn = pd.read_csv(path, **READ)
        for condition, spans in parts(conditions[conditions.participant == participant]).items():
            for index, value in values(nn, spans).items():
                own[participant, condition, signal, index] = value
    both = own.keys() & told.keys()
    print(
        json.dumps(
            {
                "compared": len(both),
                "difference": max((abs(told[key] - own[key]) / abs(own[key]) for key in both), default=0),
                "missing": [list(key) for key in sorted(own.keys() - told.keys())],
                "extra": [list(key) for key in sorted(told.keys() - own.keys())],
            }
        )
    )


main(Path(sys.argv[1]), Path(sys.argv[2]))
