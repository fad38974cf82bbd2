"""Beat lists compared by the python wfdb package, as references for the matching of beats.

usage: cardiac_comparison.py FOLDER
Writes FOLDER/cardiac_comparison.json: cases with the sample numbers `detected` and `reference`, the largest distance `window` of a
pair in samples, and `tp`, `fp`, `fn` as wfdb.processing.compare_annotations counts them (its window is exclusive, hence
one sample more). In cases of the kind `apart` no beat has two others in reach, so that every sound way of matching agrees;
in those of the kind `crowded` greedy matching may lose pairs.
"""

import json
import os
import sys

import numpy as np
import wfdb.processing

rng = np.random.default_rng(57)
cases = []


def case(kind, detected, reference, window):
    detected, reference = np.unique(detected), np.unique(reference)
    found = wfdb.processing.compare_annotations(reference, detected, window + 1)
    cases.append({
        "kind": kind, "detected": detected.tolist(), "reference": reference.tolist(), "window": window,
        "tp": int(found.tp), "fp": int(found.fp), "fn": int(found.fn),
    })


for number in range(12):
    # 360 Hz, 40 to 170 beats a minute.
    reference = 100 + np.cumsum(rng.integers(126, 540, size=400))
    detected = reference + rng.integers(-54, 55, size=reference.size) * rng.choice([0, 1], reference.size)
    keep = rng.random(reference.size) > 0.03
    if number % 3 == 0:
        far = reference[::7] + rng.integers(-62, 63, size=reference[::7].size)
        detected = np.concatenate([detected[keep], far])
        case("crowded", detected, reference, int(rng.integers(7, 55)))
    else:
        case("apart", detected[keep], reference, [7, 18, 54][number % 3])
        middle = ((reference[1:] + reference[:-1]) // 2)[np.diff(reference) > 330]
        case("apart", np.concatenate([detected[keep], middle]), reference, 54)

with open(os.path.join(sys.argv[1], "cardiac_comparison.json"), "w") as file:
    json.dump(cases, file)
