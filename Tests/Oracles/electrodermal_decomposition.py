"""Solves the convex decomposition of skin conductance with cvxopt: the signal, the objective reached, and that of the dual
problem, which no solution can be below."""
import csv
import json
import os
import sys
import zipfile

import cvxopt
import cvxopt.solvers
import numpy

OUT = sys.argv[1]
cvxopt.solvers.options.update(show_progress=False, abstol=1e-10, reltol=1e-9, feastol=1e-10)


def sparse(values, rows, columns, shape):
    return cvxopt.spmatrix(numpy.ravel(values), numpy.ravel(rows), numpy.ravel(columns), shape)


def objective(y, rate, slow=2.0, fast=0.7, knots=10.0, alpha=8e-4, gamma=1e-2, before=0):
    n, step = len(y), 1 / rate
    a1, a0 = 1 / fast, 1 / slow
    scale = (a1 - a0) * step**2
    ar = numpy.array([(a1 * step + 2) * (a0 * step + 2), 2 * a1 * a0 * step**2 - 8, (a1 * step - 2) * (a0 * step - 2)])
    k = numpy.arange(2, n)
    place = (numpy.c_[k, k, k], numpy.c_[k, k - 1, k - 2], (n, n))
    driver = sparse(numpy.tile(ar / scale, (n - 2, 1)), *place)
    phasic = sparse(numpy.tile([1.0, 2.0, 1.0], (n - 2, 1)), *place)
    distance = int(round(knots * rate))
    triangle = numpy.r_[numpy.arange(1.0, distance), numpy.arange(distance, 0.0, -1.0)]
    spline = numpy.convolve(triangle, triangle)
    spline /= spline.max()
    centres = numpy.arange(-(before % distance), n, distance)
    rows = numpy.arange(len(spline))[:, None] - len(spline) // 2 + centres[None, :]
    columns = numpy.tile(numpy.arange(len(centres)), (len(spline), 1))
    inside = (rows >= 0) & (rows < n)
    weights = numpy.tile(spline[:, None], (1, len(centres)))
    tonic = sparse(weights[inside], rows[inside], columns[inside], (n, len(centres)))
    trend = cvxopt.matrix(numpy.c_[numpy.ones(n), numpy.arange(1.0, n + 1) / n])
    design = cvxopt.sparse([[phasic], [cvxopt.sparse(trend)], [tonic]])
    size = design.size[1]
    ridge = cvxopt.spmatrix(gamma, range(n + 2, size), range(n + 2, size), (size, size))
    target = cvxopt.matrix(y)
    pull = cvxopt.matrix(0.0, (size, 1))
    pull[:n] = (cvxopt.matrix(alpha, (1, n)) * driver).T
    bound = cvxopt.sparse([[-driver], [cvxopt.spmatrix([], [], [], (n, size - n))]])
    solution = cvxopt.solvers.qp(design.T * design + ridge, pull - design.T * target, bound, cvxopt.matrix(0.0, (n, 1)))
    x, constant = solution["x"], float((target.T * target)[0]) / 2
    residual = numpy.array(design * x - target).ravel()
    coefficients = numpy.array(x[n + 2:]).ravel()
    reached = residual @ residual / 2 + float((pull.T * x)[0]) + gamma / 2 * coefficients @ coefficients
    return float(reached), float(solution["dual objective"]) + constant


def write(name, signal, rate=4.0, before=0):
    """Of a run the values that come after so many others: the knots lie where they lie in the run."""
    signal = [float(value) for value in signal]
    reached, least = objective(signal, rate, before=before)
    with open(os.path.join(OUT, f"electrodermal_{name}.json"), "w") as file:
        json.dump({"signal": signal, "sampleRate": rate, "before": before, "objective": reached, "least": least}, file)


random = numpy.random.default_rng(1)
response = numpy.zeros(3000)
bursts = random.random(3000) < 0.01
for index in range(1, 3000):
    response[index] = 0.93 * response[index - 1] + 0.5 * bursts[index]
simulated = 2 + numpy.sin(numpy.arange(3000) / 300) + response + 0.01 * random.random(3000)
write("simulated", simulated)
write("piece", simulated[620:], before=620)

DATA = os.environ.get("MAREY_DATA", "")
for name, file in (("bio", "cvxeda_bio_100hz_to_4hz.csv"), ("e4", "cvxeda_e4_S34_600s.csv")):
    path = os.path.join(DATA, "eda", file)
    if os.path.exists(path):
        with open(path) as table:
            write(name, [row["eda_z"] for row in csv.DictReader(table)])

# A whole session of a wrist band, 59.5 min: the longest that is public.
path = os.path.join(DATA, "e4_stress_predict", "S34.zip")
if os.path.exists(path):
    with zipfile.ZipFile(path) as session:
        rows = session.read("EDA.csv").decode().split()
    conductance = numpy.array([float(row) for row in rows[2:]])
    write("hour", (conductance - conductance.mean()) / conductance.std(), float(rows[1]))
