#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""keras_cells.py FOLDER [--seed N] [--count M]: random custom cells with sublayers, weights and
states of their own, in RNN, stacks and Bidirectional: called with masks and states, copied from
their configs, cloned, saved, trained. tests/fuzz/replay_cells.js replays them.

Left out, because Keras or PyTorch is at fault:
- stateful layers in fit, which PyTorch refuses;
- fit of copies of built wrappers: PyTorch does not know all of their parameters, so Keras does not
  set their gradients back to zero after a batch;
- files that Keras itself cannot open: those of cells whose sublayers `build` leaves out."""
import base64
import tempfile

import keras
import numpy as np
from keras import layers, ops
from keras_cell_classes import ProgramCell
from keras_random import COUNTS, Choices, arguments, encode_file, fill, random_mask, record_all
from keras_record import encode

options = arguments(__doc__)
UNARY = ("tanh", "sigmoid", "relu", "softplus", "training")
INSTRUCTIONS = {
    **{"dense": 4, "pair": 1, "norm": 1, "cell": 1.2, "matmul": 1.5, "scale": 1},
    **{"concatenate": 3, "gate": 1, "first": 0.5, "unary": 2, "binary": 2},
}
BINARY = ("add", "subtract", "multiply", "maximum")


class Drawing(Choices):
    def program(self, width):
        count = self.pick(1, 1, 2, 3)
        self.states = [self.pick(2, 3, [2, 2]) if self.flip(0.4) else 3 for _ in range(count)]
        flat = [size[0] * size[1] if isinstance(size, list) else size for size in self.states]
        self.values, self.parts, self.widths, self.weights = [width, *flat], [], [], []
        self.instructions = []
        for _ in range(self.whole(2, 6)):
            self.instruction()
        following = [self.of_width(size) for size in flat]
        result = self.pick(*range(1 + count, len(self.values)))
        return {
            "states": self.states,
            "is_one": count == 1 and not isinstance(self.states[0], list),
            **{"parts": self.parts, "widths": self.widths, "weights": self.weights},
            **{"instructions": self.instructions, "next": following, "result": result},
            "output": self.values[result],
            "has_output_size": self.values[result] != self.states[0],
            "place": self.pick("attributes", "list", "dictionary"),
            "builds": self.flip(0.8),
            "start": self.pick(None, 0.5, -0.25),
        }

    def append(self, do, args, width, **more):
        self.instructions.append({"do": do, "args": args, **more})
        self.values.append(width)
        return len(self.values) - 1

    def layer(self, source, units, kind="dense", activation=None):
        self.parts.append({"kind": kind, "units": units, "activation": activation})
        self.widths.append(self.values[source])
        do = "cell" if kind in ("gru", "lstm") else "layer"
        return do, len(self.parts) - 1

    def value(self):
        return self.pick(*range(len(self.values)))

    def instruction(self):
        a, b = self.value(), self.value()
        width = self.values[a]
        like = [i for i, size in enumerate(self.values) if size == width]
        kind = self.weighted(INSTRUCTIONS)
        if kind in ("dense", "pair", "norm"):
            units = width if kind == "norm" else self.whole(2, 4)
            activation = self.pick(None, "tanh") if kind == "dense" else None
            do, part = self.layer(a, units, kind, activation)
            self.append(do, [a], units, part=part)
        elif kind == "cell":
            inner = self.pick("gru", "lstm")
            do, part = self.layer(a, self.values[b], inner)
            self.append(do, [a, b], self.values[b], part=part)
        elif kind == "matmul":
            units = self.whole(2, 3)
            self.weights.append([width, units])
            self.append("matmul", [a], units, part=len(self.weights) - 1)
        elif kind == "scale":
            self.weights.append([width])
            self.append("scale", [a], width, part=len(self.weights) - 1)
        elif kind == "concatenate":
            self.append("concatenate", [a, b], width + self.values[b])
        elif kind == "gate":
            self.append("gate", [a, self.pick(*like), self.pick(*like)], width)
        elif kind == "first":
            self.append("first", [a], 1)
        elif kind == "unary":
            self.append(self.pick(*UNARY), [a], width)
        else:
            self.append(self.pick(*BINARY), [a, self.pick(*like)], width)

    def of_width(self, width):
        """A bounded value of a width for the next state."""
        source = self.pick(*range(len(self.values) // 2, len(self.values)))
        do, part = self.layer(source, width, "dense", "tanh")
        return self.append(do, [source], width, part=part)

    def cells(self, width):
        """A cell, or several ones whose inputs are the outputs of those before."""
        cells = []
        for _ in range(self.pick(1, 1, 1, 2)):
            program = self.program(width)
            cells.append({"program": program})
            width = program["output"]
        if self.flip(0.2):
            cells.insert(0, {"gru": self.pick(2, 3)})
            cells[1:] = [{"program": self.program(cells[0]["gru"])}]
        return cells

    def layer_of(self, width):
        flags = ("go_backwards", "zero_output_for_mask", "unroll")
        config = {key: True for key in flags if self.flip(0.2)}
        config["return_sequences"] = self.flip(0.6)
        if self.flip(0.3):
            config["return_state"] = True
        description = {"cells": self.cells(width), "config": config, "wrapper": None}
        if self.flip(0.45):
            mode = self.pick("concat", "sum", "mul", "ave")
            description["wrapper"] = {"merge_mode": mode}
            config.pop("go_backwards", None)
        elif self.flip(0.2):
            config["stateful"] = True
        return description


def made(description):
    cells = [
        layers.GRUCell(each["gru"]) if "gru" in each else ProgramCell(each["program"])
        for each in description["cells"]
    ]
    layer = layers.RNN(cells[0] if len(cells) == 1 else cells, **description["config"])
    wrapper = description["wrapper"]
    return layers.Bidirectional(layer, **wrapper) if wrapper else layer


def results(values):
    values = values if isinstance(values, (list, tuple)) else [values]
    return [encode(value) for value in keras.tree.flatten(values)]


def shapes(layer):
    return [[weight.name, list(weight.shape)] for weight in layer.weights]


class Run(Drawing):
    """Draws the steps of a case and runs them."""

    def __init__(self, rng):
        super().__init__(rng)
        self.steps = []

    def step(self, do, run, **more):
        step = {"do": do, **more}
        try:
            step["result"] = run()
        except Exception as error:
            COUNTS[f"{do} fails: {type(error).__name__}: {str(error)[:70]}"] += 1
            return False
        self.steps.append(step)
        return True

    def data(self, batch, time, width):
        x = np.float32(np.round(self.rng.standard_normal((batch, time, width)), 3))
        mask = random_mask(self.rng, batch, time) if self.flip(0.6) else None
        return x, mask

    def call(self, layer, x, mask, training, states=None):
        more = {}
        if states is not None:
            more["initial_state"] = [ops.convert_to_tensor(state) for state in states]
        tensor = None if mask is None else ops.convert_to_tensor(mask)
        return results(layer(ops.convert_to_tensor(x), mask=tensor, training=training, **more))

    def called(self, layer, on, batch, width, with_states=False):
        x, mask = self.data(batch, self.time, width)
        training = self.flip(0.3)
        states = None
        if with_states:
            sizes = keras.tree.flatten(layer.cell.get_initial_state(batch_size=batch))
            states = [np.float32(self.rng.standard_normal(tuple(s.shape))) for s in sizes]
        more = {"x": encode(x), "mask": encode(mask), "training": training}
        more["states"] = states and [encode(state) for state in states]
        run = lambda: self.call(layer, x, mask, training, states)  # noqa: E731
        return self.step("call", run, on=on, **more)

    def filled(self, layer, on):
        for weight in layer.weights:
            fill(weight, self.rng)
        weights = [encode(weight.value) for weight in layer.weights]
        self.step("fill", lambda: shapes(layer), on=on, weights=weights)

    def trained(self, layer, width, is_stateful):
        """A model of the layer: predictions, files, clones, training."""
        keras.backend.clear_session(free_memory=False)
        x = keras.Input((self.time, width))
        y = layer(x)
        y = keras.tree.flatten(y)[0]
        model = keras.Model(x, layers.Dense(2)(y))
        data, _ = self.data(3, self.time, width)
        # Sublayers that `build` leaves out have no weights before the first call.
        self.step("model", lambda: (model(data), shapes(model))[1], x=encode(data))
        self.filled(model, "model")
        predict = {"x": encode(data)}
        run = lambda: results(model.predict(data, verbose=0))  # noqa: E731
        self.step("predict", run, on="model", **predict)
        known = {id(parameter) for parameter in model.parameters()}
        trains = all(id(weight.value) in known for weight in model.trainable_variables)
        if not is_stateful and trains and self.flip(0.7):
            target = np.float32(self.rng.standard_normal(model(data).shape))
            model.compile("sgd", "mse")

            def fit():
                settings = {"epochs": 2, "batch_size": 2, "shuffle": False, "verbose": 0}
                losses = model.fit(data, target, **settings).history["loss"]
                return {"loss": losses, "weights": [encode(w.value) for w in model.weights]}

            self.step("fit", fit, on="model", x=encode(data), y=encode(target))
        if self.flip(0.5):
            self.step("clone", lambda: self.cloned(model, data), on="model", x=encode(data))
        if self.flip(0.6):
            file = encode_file(model)
            self.step("file", lambda: self.opened(file, data), x=encode(data), file=file)

    def opened(self, file, data):
        with tempfile.NamedTemporaryFile(suffix=".keras") as opened:
            opened.write(base64.b64decode(file))
            opened.flush()
            return results(keras.saving.load_model(opened.name).predict(data, verbose=0))

    def cloned(self, model, data):
        copy = keras.models.clone_model(model)
        copy.set_weights(model.get_weights())
        return results(copy.predict(data, verbose=0))


def record(rng, number):
    run = Run(rng)
    width, run.time = run.whole(1, 3), run.whole(1, 4)
    description = run.layer_of(width)
    layer = made(description)
    is_stateful = bool(description["config"].get("stateful"))
    batch = run.whole(1, 4)
    x, _ = run.data(batch, run.time, width)
    layer(ops.convert_to_tensor(x))
    if is_stateful:
        layer.reset_state()
    run.step("make", lambda: shapes(layer), x=encode(x))
    run.filled(layer, "layer")
    for _ in range(run.whole(1, 3)):
        run.called(layer, "layer", batch if is_stateful else run.whole(1, 4), width)
    if description["wrapper"] is None and not is_stateful and run.flip(0.4):
        run.called(layer, "layer", batch, width, with_states=True)
    if run.flip(0.7):
        copy = type(layer).from_config(layer.get_config())
        copy(ops.convert_to_tensor(x))
        if is_stateful:
            copy.reset_state()
        run.step("copy", lambda: shapes(copy), x=encode(x))
        run.filled(copy, "copy")
        run.called(copy, "copy", batch, width)
        run.called(layer, "layer", batch, width)
    if not is_stateful and run.flip(0.8):
        fresh = type(layer).from_config(layer.get_config())
        run.trained(fresh, width, is_stateful)
    COUNTS["Bidirectional" if description["wrapper"] else "RNN"] += 1
    sizes = {"time": run.time, "width": width}
    return {"note": "cells", "description": description, **sizes, "steps": run.steps}


record_all(options, record)
