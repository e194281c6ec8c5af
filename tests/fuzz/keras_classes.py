#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""keras_classes.py FOLDER [--seed N] [--count M]: random subclassed models and layers, which keep
their layers in attributes of any name and form, with the files that Keras writes of them.
tests/fuzz/keras.js replays them, saves them again, and open_classes.py opens those files."""
import base64
import json
import os
import tempfile

import keras
import numpy as np
from keras_drawn_classes import BASES, WIDTH, called, layer_of
from keras_random import COUNTS, Choices, arguments, fill, record_all
from keras_record import encode

BEFORE = ["a", "dense", "dense_1", "dense_2", "cell", "block", "lay", "layer", "container", "h1"]
AFTER = ["layers_2", "layerz", "lstm", "out", "query", "rnn", "z", "z_1", "norm", "w2v", "x10", "x2"]
PRIVATE = ["_a", "_z", "_hidden_layer"]
CAPITAL = ["A", "Zed", "myLayer", "zLayer"]
PLAIN = {
    "dense": 5,
    "LSTM": 1,
    "GRU": 2,
    "SimpleRNN": 1,
    "conv": 1,
    "batch norm": 1,
    "norm": 1,
    "attention": 1,
    "dropout": 1,
}


class Drawing(Choices):
    """Draws the description of one class."""

    def __init__(self, rng, base, depth):
        super().__init__(rng)
        self.base, self.depth = base, depth
        self.steps, self.calls, self.count, self.used = [], [], 0, set()

    def name(self):
        for _ in range(100):
            pool = self.weighted({"before": 4, "after": 6, "private": 1.5, "capital": 1})
            pools = {"before": BEFORE, "after": AFTER, "private": PRIVATE, "capital": CAPITAL}
            name = self.pick(*pools[pool])
            key = name.replace("_", "").lower()
            if key not in self.used:
                self.used.add(key)
                return name
        raise ValueError("no name is left")

    def make(self, item):
        self.count += 1
        if self.flip(0.12) and "custom" != item["kind"]:
            item["name"] = f"own_{self.pick('a', 'b', 'c')}{self.depth}{self.count}"
        self.steps.append({"make": self.count, "item": item})
        return self.count

    def layer(self):
        """Makes a layer and returns its number."""
        if self.base == "cell":
            return self.make({"kind": "dense"})
        kind = self.weighted(
            {"plain": 14, "wrapped": 2, "chain": 1.5, "rnn": 1, "custom": [2.5, 1.2, 0][self.depth]}
        )
        if kind == "plain":
            return self.make({"kind": self.weighted(PLAIN)})
        if kind == "wrapped":
            if self.flip(0.6):
                inner = self.make({"kind": self.pick("LSTM", "GRU", "SimpleRNN")})
                return self.make({"kind": "bidirectional", "of": [inner]})
            return self.make({"kind": "time distributed", "of": [self.make({"kind": "dense"})]})
        if kind == "chain":
            kind = self.pick("sequential", "functional")
            inner = [self.link(kind) for _ in range(self.whole(1, 2))]
            return self.make({"kind": kind, "of": inner, "own": self.flip(0.4)})
        if kind == "rnn":
            return self.make({"kind": "rnn", "cells": [self.cell() for _ in range(self.whole(1, 2))]})
        base = self.pick("model", "layer")
        return self.make({"kind": "custom", "description": description(self.rng, base, self.depth + 1)})

    def link(self, kind):
        """A layer of a model; a Sequential calls layers with one argument."""
        if kind == "functional":
            return self.layer()
        return self.make({"kind": self.pick("dense", "GRU", "norm")})

    def cell(self):
        if self.flip(0.35):
            return {"kind": "custom", "description": description(self.rng, "cell", self.depth + 1)}
        return {"kind": self.pick("GRUCell", "LSTMCell", "SimpleRNNCell")}

    def keep(self, form):
        """Keeps new layers in a new attribute, in one of the forms of Python."""
        name = self.name()
        if form == "one":
            number = self.layer()
            self.steps.append({"set": name, "to": {"id": number}})
            self.calls.append([name])
        elif form == "pushed":
            self.steps.append({"set": name, "to": {"list": []}})
            for position in range(self.whole(1, 3)):
                if self.flip(0.3):
                    self.keep("one")
                self.steps.append({"push": name, "id": self.layer()})
                self.calls.append([name, position])
        else:
            place, paths = self.structure(form, 0)
            self.steps.append({"set": name, "to": place})
            self.calls += [[name, *path] for path in paths]

    def structure(self, form, depth):
        """A structure with new layers, and the paths of these."""
        items, paths = [], []
        keys = ["b", "a", "c"]
        for position in range(self.whole(1, 3)):
            key = keys[position] if form == "dict" else position
            if depth < 2 and self.flip(0.2):
                item, inner = self.structure(self.pick("list", "tuple", "dict"), depth + 1)
            else:
                item, inner = {"id": self.layer()}, [[]]
            items.append(item)
            paths += [[key, *path] for path in inner]
        return {form: dict(zip(keys, items)) if form == "dict" else items}, paths

    def late(self):
        """Makes layers first and assigns them in another order, or one of them twice."""
        numbers = [self.layer() for _ in range(self.whole(2, 3))]
        for number in self.rng.permutation(numbers):
            name = self.name()
            self.steps.append({"set": name, "to": {"id": int(number)}})
            self.calls.append([name])
        if self.flip(0.4):
            name = self.name()
            self.steps.append({"set": name, "to": {"id": self.pick(*numbers)}})
            if self.flip():
                self.calls.append([name])


def description(rng, base, depth=0):
    drawing = Drawing(rng, base, depth)
    forms = {"one": 8, "list": 2, "tuple": 1, "dict": 1, "pushed": 1.5, "late": 1.5}
    for _ in range(2 if base == "cell" or depth > 1 else drawing.whole(2, 4)):
        form = drawing.weighted(forms) if base != "cell" else "one"
        drawing.late() if form == "late" else drawing.keep(form)
    names = [step["set"] for step in drawing.steps if "set" in step]
    return {
        "class": drawing.pick(*BASES[base]) if base in BASES else drawing.pick("Cell", "GRUCell"),
        "base": base,
        "steps": drawing.steps,
        "calls": [drawing.calls[i] for i in rng.permutation(len(drawing.calls))],
        # In JavaScript, names in the other case and fields that are declared before.
        "camel": drawing.flip(0.5),
        "declared": [str(n) for n in rng.permutation(names)] if drawing.flip(0.25) else None,
    }


def root_of(rng):
    choices = Choices(rng)
    kind = choices.weighted({"model": 6, "functional": 2, "sequential": 1})
    if kind == "model":
        return {"kind": "custom", "description": description(rng, "model")}
    numbers = range(1, choices.whole(2, 3) + 1)
    steps = [
        {
            "make": number,
            "item": {
                "kind": "custom",
                "description": description(rng, choices.pick("model", "layer"), 1),
            },
        }
        for number in numbers
    ]
    return {"kind": kind, "of": list(numbers), "steps": steps, "own": choices.flip(0.4)}


def root_layer(root):
    made = {step["make"]: layer_of(step["item"], {}) for step in root.get("steps", [])}
    return layer_of(root, made)


def bytes_of(save, name):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        save(path)
        with open(path, "rb") as file:
            return base64.b64encode(file.read()).decode()


def reopens(case, x, y):
    """Whether Keras itself opens its file with the same results."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.keras")
        with open(path, "wb") as file:
            file.write(base64.b64decode(case["file"]))
        try:
            again = keras.models.load_model(path)
        except Exception as error:
            COUNTS["Keras does not open its own file"] += 1
            return f"{type(error).__name__}: {str(error)[:300]}"
        difference = float(np.abs(np.asarray(keras.ops.convert_to_numpy(again(x))) - y).max())
        if difference > 1e-4:
            COUNTS["Keras opens its own file with other weights"] += 1
            return f"differs by {difference}"
    return None


def record(rng, _number):
    root = root_of(rng)
    x = rng.standard_normal((2, 4, WIDTH)).astype("float32")
    model = root_layer(root)
    model(x)
    for variable in model.variables:
        if "seed" not in variable.path:
            fill(variable, rng)
    y = keras.ops.convert_to_numpy(model(x))
    if not np.isfinite(y).all():
        return None
    case = {
        "root": root,
        "x": encode(x),
        "y": encode(y),
        "file": bytes_of(model.save, "m.keras"),
        "weights": bytes_of(model.save_weights, "m.weights.h5"),
    }
    return {**case, "keras": reopens(case, x, y)}


if __name__ == "__main__":
    record_all(arguments(__doc__), record)
