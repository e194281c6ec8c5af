#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""keras_graphs.py FOLDER [--seed N] [--count M]: random functional graphs of masked layers with
random masks, and what Keras returns for every tensor of them. tests/fuzz/keras.js replays."""
import keras
from keras_graph import Graph
from keras_random import (
    COUNTS,
    arguments,
    called,
    encode_weights,
    fill,
    is_random,
    record_all,
    tensors_of,
)
from keras_record import encode

options = arguments(__doc__)


def alone(items):
    return items if len(items) > 1 else items[0]


def record(rng, number):
    graph = Graph(rng)
    steps = graph.grow(graph.pick(2, 3, 4, 6, p=[0.3, 0.3, 0.3, 0.1]))
    outputs = graph.outputs()
    if not outputs:
        return None
    model = keras.Model(alone(graph.inputs), alone(outputs))
    for variable in model.weights:
        fill(variable, rng)
    weights = encode_weights(model)
    call = {"training": True} if not is_random(model) and graph.flip(0.15) else {}
    tensors = tensors_of(graph.data, graph.masks)
    expect = called(model, alone(tensors), **call)
    after = encode_weights(model)
    if after != weights:
        expect["weights_after"] = after
    COUNTS["outputs"] += len(outputs)
    COUNTS["outputs with a mask"] += sum(mask is not None for mask in expect["masks"])
    return {
        "note": "+".join(steps),
        "kind": "layer",
        "layer": keras.saving.serialize_keras_object(model),
        "inputs": [encode(values) for values in graph.data],
        "arg": "list" if len(tensors) > 1 else "single",
        "masks": [encode(mask) for mask in graph.masks],
        "call": call,
        "weights": weights,
        "made_by": [t._keras_history.operation.name for t in outputs],
        "expect": expect,
    }


record_all(options, record)
