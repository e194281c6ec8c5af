#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""keras_programs.py FOLDER [--seed N] [--count M]: random programs with what keras_graphs.py
does without, as saved files with what Keras returns for each of several calls.
tests/fuzz/keras.js replays.

Where PyTorch's Keras goes its own way, a difference is not ours: it changes sample weights in
place, accepts masks that are too long, and takes use_causal_mask=0 for no mask at all."""
import keras
import numpy as np
from keras import ops
from keras_evaluation import record_evaluation
from keras_program import EXTRA, Program
from keras_graph import Refused
from keras_random import (
    COUNTS,
    arguments,
    called,
    encode_file,
    fill,
    is_random,
    random_mask,
    record_all,
    structure,
    tensors_of,
)
from keras_record import encode, failure

options = arguments(__doc__)

SHARES = {
    "ops": 18,
    "nested": 9,
    "structures": 7,
    "custom": 12,
    "stateful": 7,
    "models by step": 6,
    "convolutional": 6,
    "explicit": 10,
    "lambda": 5,
    "edge": 6,
    "dtypes": 6,
    "mixed": 10,
    "evaluate": 6,
}
KEPT = ("float16", "int64", "uint8")


def program_of(rng, kind):
    for _ in range(30):
        try:
            return Program(rng, kind)
        except Refused:
            pass
    raise Refused


def grouped(program, outputs):
    """Inputs and outputs in lists and dictionaries: the inputs, how they are grouped, the
    outputs."""
    inputs = list(program.inputs)
    style = program.pick("dictionary", "nested", "list")
    if style == "dictionary":
        inputs = {x.name if program.flip() else f"in_{i}": x for i, x in enumerate(program.inputs)}
    elif style == "nested" and len(inputs) > 1:
        first, *rest = inputs
        inputs = {"first": first, "rest": rest} if program.flip() else [first, rest]
    results = outputs if len(outputs) > 1 else outputs[0]
    if program.flip(0.6):
        results = {f"out_{i}": t for i, t in enumerate(outputs)}
        if program.flip(0.3) and len(outputs) > 1:
            results = {"z": outputs[0], "a": outputs[1:]}
    return inputs, results


def renumbered(places, order):
    if "leaf" in places:
        return {"leaf": order[places["leaf"]]}
    if "list" in places:
        return {"list": [renumbered(item, order) for item in places["list"]]}
    return {"dict": {key: renumbered(item, order) for key, item in places["dict"].items()}}


def placed(places, tensors):
    if "leaf" in places:
        return tensors[places["leaf"]]
    if "list" in places:
        return [placed(item, tensors) for item in places["list"]]
    return {key: placed(item, tensors) for key, item in places["dict"].items()}


def inputs_of_call(program, number):
    """Data and masks of a call: the first has those of the graph, later ones others."""
    rng, data, masks = program.rng, list(program.data), list(program.masks)
    if number > 0:
        data = [
            rng.random(x.shape) > 0.4
            if x.dtype == bool
            else rng.permutation(x.reshape(-1)).reshape(x.shape)
            for x in data
        ]
    if number > 0 and program.kind == "edge":
        part = program.pick(
            np.s_[:0],
            np.s_[:1],
            np.s_[:, :1],
            np.s_[:, :0],
        )
        data = [x[part] for x in data]
        masks = [None if mask is None else mask[part] for mask in masks]
    if program.kind == "dtypes":
        data = [other_dtype(program, x) for x in data]
    return data, masks


def other_dtype(program, x):
    if x.dtype == np.float32 and program.flip(0.7):
        return x.astype(program.pick("float16", "int32", "float32"))
    if x.dtype == np.int32 and program.flip(0.7):
        return x.astype(program.pick("int64", "uint8", "float32", "int32"))
    return x


def record_call(program, model, places, number, is_flat):
    rng = program.rng
    case = {"training": not is_random(model) and program.flip(0.15), "reset": False}
    if number > 0 and program.kind == "stateful" and program.flip(0.2):
        case["reset"] = True
        for layer in model._flatten_layers():
            if hasattr(layer, "reset_state"):
                layer.reset_state()
    data, masks = inputs_of_call(program, number)
    call = {"training": True} if case["training"] else {}
    if is_flat and program.kind in ("explicit", "mixed") and program.flip(0.2):
        given = [random_mask(rng, *x.shape[:2]) if x.ndim == 3 else None for x in data]
        call["mask"] = [None if mask is None else ops.convert_to_tensor(mask) for mask in given]
        case["mask"] = [encode(mask) for mask in given]
    case["inputs"] = places
    case["leaves"] = [encode(x, KEPT) for x in data]
    case["masks"] = [encode(mask) for mask in masks]
    try:
        inputs = placed(places, tensors_of(data, masks))
        case["expect"] = called(model, inputs, **call)
    except Exception as error:
        COUNTS["calls that fail in Keras"] += 1
        case["expect"] = failure(error)
    COUNTS["calls"] += 1
    return case


def count_of_calls(program):
    if program.kind == "stateful":
        return program.whole(2, 4)
    if program.kind == "edge":
        return 3
    return 2 if program.flip(0.2) else 1


def record(rng, number):
    kind = str(rng.choice(list(SHARES), p=np.array(list(SHARES.values())) / sum(SHARES.values())))
    COUNTS[f"kind {kind}"] += 1
    if kind not in EXTRA:
        return record_evaluation(rng)
    program = program_of(rng, kind)
    steps = program.grow(program.pick(1, 2, 3, 4, p=[0.15, 0.3, 0.35, 0.2]))
    outputs = program.outputs()
    if not outputs:
        return None
    is_flat = kind != "structures" and not program.flip(0.08)
    if is_flat:
        inputs = program.inputs if len(program.inputs) > 1 else program.inputs[0]
        results = outputs if len(outputs) > 1 else outputs[0]
    else:
        inputs, results = grouped(program, outputs)
    places, leaves = structure(inputs)
    order = [next(i for i, x in enumerate(program.inputs) if x is leaf) for leaf in leaves]
    places = renumbered(places, order)
    model = keras.Model(inputs, results)
    for variable in model.weights:
        if "int" not in str(variable.dtype) and "seed" not in variable.path:
            fill(variable, rng)
    return {
        "note": f"{kind} {'+'.join(steps)}",
        "kind": kind,
        # Before the calls, which change what stateful layers keep.
        "file": encode_file(model),
        "made_by": [t._keras_history.operation.name for t in outputs],
        "calls": [
            record_call(program, model, places, call, is_flat and isinstance(inputs, list))
            for call in range(count_of_calls(program))
        ],
    }


record_all(options, record)
