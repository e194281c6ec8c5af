# SPDX-License-Identifier: MIT
"""Shared by the recorders of random models: choices, masks, weights, and how cases are written.

A recorder writes files of cases into a folder; tests/fuzz/keras.js runs it and replays the
files. Case `seed/number` depends on these two numbers alone, so one case can be recorded
again."""
import argparse
import collections
import json
import os
import traceback

import keras
import numpy as np
from keras import ops
from keras.src import backend
from keras_record import Watch, encode
from recorded_file import recorded_file

CASES_PER_FILE = 50
COUNTS = collections.Counter()


class Choices:
    """Random choices of one case."""

    def __init__(self, rng):
        self.rng = rng

    def pick(self, *options, p=None):
        return options[int(self.rng.choice(len(options), p=p))]

    def weighted(self, weights):
        """A key of a dictionary of weights."""
        values = np.array(list(weights.values()), float)
        return self.pick(*weights, p=values / values.sum())

    def flip(self, p=0.5):
        return bool(self.rng.random() < p)

    def whole(self, low, high):
        """An integer, both ends included."""
        return int(self.rng.integers(low, high + 1))


def random_mask(rng, batch, time):
    kinds = {
        "none": 0.15,
        "right": 0.2,
        "left": 0.15,
        "scattered": 0.22,
        "empty row": 0.15,
        "full": 0.04,
        "empty": 0.03,
        "one step": 0.06,
    }
    kind = rng.choice(list(kinds), p=list(kinds.values()))
    steps = np.arange(time)[None]
    lengths = rng.integers(1, time + 1, size=batch)[:, None]
    scattered = rng.random((batch, time)) > 0.45
    if kind == "empty row":
        scattered[rng.integers(batch)] = False
    masks = {
        "none": None,
        "right": steps < lengths,
        "left": steps >= time - lengths,
        "scattered": scattered,
        "empty row": scattered,
        "full": np.ones((batch, time), bool),
        "empty": np.zeros((batch, time), bool),
        "one step": steps == rng.integers(0, time, size=batch)[:, None],
    }
    return masks[kind]


def fill(variable, rng):
    """Gives a variable random values that keep activations in a range where rounding is small."""
    values, shape = rng.standard_normal(tuple(variable.shape)), tuple(variable.shape)
    name = variable.name.split("/")[-1]
    if name == "gamma" or (name == "scale" and len(shape) == 1):
        values = 1 + 0.3 * values
    elif name == "moving_variance":
        values = 0.4 + np.abs(values)
    elif "bias" in name or name in ("beta", "alpha", "moving_mean"):
        values = 0.3 * values
    else:
        values = 0.5 * values
    variable.assign(values.astype("float32"))


def is_random(model):
    """Would a call with training=True draw random numbers?"""
    text = json.dumps(model.get_config(), default=str)
    return any(
        key in text for key in ('"rate": 0.', '"stddev"', '"dropout": 0.3', '"dropout": 0.2')
    )


def tensors_of(data, masks):
    """Arrays as tensors with their masks attached."""
    tensors = []
    for values, mask in zip(data, masks):
        x = ops.convert_to_tensor(values)
        if mask is not None:
            backend.set_keras_mask(x, ops.convert_to_tensor(mask))
        tensors.append(x)
    return tensors


def structure(values):
    """The structure of tensors, with numbers in place of the tensors, and the tensors."""
    leaves = []

    def visit(value):
        if isinstance(value, (list, tuple)):
            return {"list": [visit(item) for item in value]}
        if isinstance(value, dict):
            return {"dict": {key: visit(item) for key, item in value.items()}}
        leaves.append(value)
        return {"leaf": len(leaves) - 1}

    return visit(values), leaves


def encode_weights(model):
    return [{"name": w.name, "path": w.path, **encode(w.value)} for w in model.weights]


def encode_file(model):
    """The bytes of `model.save`, in base64."""
    import base64
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.keras")
        model.save(path)
        with open(path, "rb") as file:
            return base64.b64encode(file.read()).decode()


def called(model, inputs, **options):
    """The results of a call, their masks, and whether Keras warned of a dropped mask."""
    Watch.warned = False
    places, leaves = structure(model(inputs, **options))
    keep = ("float16",)
    return {
        "structure": places,
        "outputs": [encode(leaf, keep) for leaf in leaves],
        "masks": [encode(backend.get_keras_mask(leaf)) for leaf in leaves],
        "warns_mask_destroyed": Watch.warned,
    }


def arguments(description, **more):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("out", help="folder of the recorded files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--count", type=int, default=1000)
    for name, default in more.items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return parser.parse_args()


def record_all(options, record):
    """Writes what `record(rng, number)` returns; a case that fails in Keras is counted and left
    out."""
    os.makedirs(options.out, exist_ok=True)
    cases, files, recorded = [], 0, 0
    numbers = range(options.first, options.first + options.count)
    for number in numbers:
        keras.backend.clear_session(free_memory=False)
        rng = np.random.default_rng([options.seed, number])
        try:
            case = record(rng, number)
        except Exception as error:
            COUNTS[f"Keras failed: {type(error).__name__}: {str(error)[:90]}"] += 1
            if os.environ.get("TRACE"):
                traceback.print_exc()
            continue
        if case:
            cases.append({"name": f"{options.seed}/{number} {case.pop('note', '')}", **case})
            recorded += 1
        if cases and (len(cases) == CASES_PER_FILE or number == numbers[-1]):
            write(options, files, cases)
            cases, files = [], files + 1
    if cases:
        write(options, files, cases)
    print(recorded, "recorded", json.dumps(COUNTS, indent=1))


def write(options, number, cases):
    path = os.path.join(options.out, f"{options.seed}_{options.first}_{number}.json")
    head = {"keras_version": keras.__version__, "backend": backend.backend()}
    with recorded_file(path) as file:
        json.dump({"format": 1, **head, "cases": cases}, file, separators=(",", ":"))
