#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""keras_port.py FOLDER [--seed N] [--count M] [--first K]: random Keras programs as text, in the
styles in which people write them. Each runs in Keras; its variables `result0`, `result1`, … and the
numbers that it prints are recorded. tests/fuzz/port.js ports the text and runs the JavaScript.

Programs for TensorFlow run with Keras's names and with keras_port_tensorflow.py. A comment
`# start values: model` stands for weights that both runners set."""
import contextlib
import io
import math
import re
import tempfile

import keras
import numpy as np
import torch
from keras.src import backend
from keras_port_plans import Program
from keras_port_tensorflow import install
from keras_random import COUNTS, arguments, record_all

torch.backends.mkldnn.enabled = False


def start_values(target):
    """Sets weights that are a curve of their number; tests/support/ported.js sets the same ones."""
    target.set_weights([curve(i, weight.shape) for i, weight in enumerate(target.get_weights())])


def curve(number, shape):
    count = math.prod(shape)
    values = 0.5 * np.sin(1.7 * np.arange(count) + number + 0.3)
    return values.reshape(shape).astype("float32")


def numbers(array):
    """Numbers of an array, with texts for those that JSON lacks."""
    values = np.asarray(array).reshape(-1).tolist()
    return [str(v) if isinstance(v, float) and not math.isfinite(v) else v for v in values]


def encode(value):
    """A result as JSON: {"shape", "values", "mask"?} for arrays, else what Python has."""
    if isinstance(value, keras.callbacks.History):
        return encode(value.history)
    if backend.is_tensor(value) or isinstance(value, keras.Variable):
        array = backend.convert_to_numpy(value)
        mask = backend.get_keras_mask(value) if backend.is_tensor(value) else None
        coded = {"shape": list(array.shape), "values": numbers(array)}
        return coded if mask is None else {**coded, "mask": numbers(backend.convert_to_numpy(mask))}
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "values": numbers(value)}
    if isinstance(value, np.generic):
        return encode(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {"items": [[encode(key), encode(item)] for key, item in value.items()]}
    if isinstance(value, (list, tuple)):
        return [encode(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"a result is of type {type(value).__name__}")


def run(source):
    """Runs a program; returns its results and what it printed."""
    text = re.sub(r"# start values: (\w+)", r"start_values(\1)", source)
    scope = {"__name__": "__main__", "start_values": start_values}
    printed = io.StringIO()
    folder = tempfile.TemporaryDirectory()
    with folder as path, contextlib.chdir(path), contextlib.redirect_stdout(printed):
        exec(compile(text, "program", "exec"), scope)
    names = [name for name in scope if re.fullmatch(r"result\d+|results", name)]
    return {name: encode(scope[name]) for name in names}, printed.getvalue()


def record(rng, number):
    program = Program(rng)
    plan = program.draw()
    source = program.source()
    try:
        results, printed = run(source)
    except Exception as error:
        if options.show:
            print(source, flush=True)
        raise type(error)(f"({plan}) {error}") from error
    COUNTS[f"plan {plan}"] += 1
    # NumPy computes data and start values in float64, so they differ by a rounding.
    trained = any(word in source for word in (".fit(", "on_batch(", "GradientTape", "np."))
    return {"note": plan, "source": source, "results": results, "printed": printed, "trained": trained}


options = arguments(__doc__, show=0)
install()
if __name__ == "__main__":
    record_all(options, record)
