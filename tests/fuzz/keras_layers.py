#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""KERAS_BACKEND=torch python3 keras_layers.py OUT.json [--seed N] [--count M] [--class NAME]: random layers of Keras with random options, right and
wrong, called with random shapes (ranks, sizes 0 and 1, unknown dimensions), dtypes and masks. What came out or which error is
recorded as tests/fuzz/replay_layers.mjs takes it."""
import argparse
import json

import numpy as np
from keras_record import Unrecordable, Watch, encode, failure, outcome, plain, serialized, write

import keras
from keras import layers
from keras.src import backend, tree
from keras.src.layers.layer import Layer

parser = argparse.ArgumentParser()
parser.add_argument("out")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--count", type=int, default=5000)
parser.add_argument("--class", dest="only", default="")
options = parser.parse_args()
rng = np.random.default_rng(options.seed)


def pick(items):
    return items[int(rng.integers(len(items)))]


def flip(p=0.5):
    return bool(rng.random() < p)


BOOL = [True, False]
ACT = ["linear", "relu", "tanh", "sigmoid", "softmax", "elu", "gelu", "hard_sigmoid", "silu", "selu", "softplus", "softsign", "mish", "exponential", "leaky_relu", "relu6", "log_softmax", None]
FORMAT = ["channels_last", "channels_last", "channels_first", None]
PAD = ["valid", "same"]
AXIS = [-1, 1, 2, -2, [1], [-1], [1, 2], 0, 3]
RATE = [0, 0.0, 0.3, 0.5]
SIZES = [1, 2, 3, 5]
WRONG = [None, "x", -1, 0, 1, 2, 7, 0.5, 1.5, -0.5, True, False, [], [1], [2], [1, 2], [2, 1], [0, 1], [-1], [1, 1], [1, 2, 3], [None, 1], [1.5], [0], {}, "valid", "same", "causal", "tanh", "relu", [[1, 2]], 1e9, float("inf"), "channels_first", [-1, -2]]
CONV = {"strides": [1, 1, 2, 3, [2]], "data_format": FORMAT, "activation": ACT, "use_bias": BOOL}
POOL = {"pool_size": [1, 2, 3, [2]], "strides": [None, 1, 2, 3, [2]], "padding": PAD, "data_format": FORMAT}
RNN = {"return_sequences": BOOL, "return_state": BOOL, "go_backwards": BOOL, "stateful": [False, False, False, True], "unroll": BOOL, "zero_output_for_mask": BOOL}
CELL = {"units": SIZES, "activation": ACT, "use_bias": BOOL, "dropout": RATE, "recurrent_dropout": RATE}
MERGE = {}
HEADS = {"dropout": [0, 0, 0.5], "use_bias": BOOL, "use_gate": BOOL, "sliding_window": [None, None, 1, 2, 3]}


def cell():
    kind = pick(["SimpleRNNCell", "LSTMCell", "GRUCell"])
    return getattr(layers, kind)(pick(SIZES))


def recurrent(sequences=None):
    kind = pick([layers.SimpleRNN, layers.LSTM, layers.GRU])
    return kind(pick(SIZES), return_sequences=flip() if sequences is None else sequences, return_state=flip(0.15), go_backwards=flip(0.2), zero_output_for_mask=flip(0.3))


def inner():
    return pick([
        lambda: layers.Dense(3),
        lambda: layers.LSTM(2, return_sequences=flip()),
        lambda: layers.GlobalAveragePooling1D(),
        lambda: layers.Softmax(),
        lambda: layers.Masking(),
        lambda: layers.Conv1D(2, 2),
        lambda: layers.Flatten(),
        lambda: layers.Embedding(5, 3, mask_zero=True),
        lambda: layers.BatchNormalization(),
        lambda: layers.LayerNormalization(),
        lambda: layers.Activation("relu"),
        lambda: layers.Dropout(0.3),
        lambda: layers.Reshape((-1,)),
        lambda: layers.RepeatVector(2),
        lambda: layers.Bidirectional(layers.GRU(2)),
    ])()


# Class: (options, rank of inputs, how many, what they hold)
CLASSES = {
    "Activation": ({"activation": ACT[:-1]}, 3),
    "ActivityRegularization": ({"l1": [0, 0.1], "l2": [0, 0.1]}, 3),
    "AdaptiveAveragePooling1D": ({"output_size": SIZES, "data_format": FORMAT}, 3),
    "AdaptiveMaxPooling1D": ({"output_size": SIZES, "data_format": FORMAT}, 3),
    "Add": ({}, 3, "list"),
    "Subtract": ({}, 3, "list"),
    "Multiply": ({}, 3, "list"),
    "Average": ({}, 3, "list"),
    "Maximum": ({}, 3, "list"),
    "Minimum": ({}, 3, "list"),
    "Concatenate": ({"axis": [-1, -1, 1, 2, 0, -2]}, 3, "list"),
    "Dot": ({"axes": [1, 2, -1, [1, 1], [2, 2], [1, 2], [2, 1]], "normalize": BOOL}, 3, "list"),
    "AdditiveAttention": ({"use_scale": BOOL, "dropout": [0, 0, 0.3]}, 3, "attention"),
    "Attention": ({"use_scale": BOOL, "score_mode": ["dot", "concat"], "dropout": [0, 0, 0.3]}, 3, "attention"),
    "MultiHeadAttention": ({"num_heads": SIZES, "key_dim": SIZES, "value_dim": [None, 1, 3], "output_shape": [None, 4, [4], [2, 3]], "attention_axes": [None, None, 1, [1], 2, [1, 2], -2], **HEADS}, 3, "heads"),
    "GroupQueryAttention": ({"head_dim": SIZES, "num_query_heads": [2, 4, 6], "num_key_value_heads": [1, 2], **HEADS}, 3, "heads"),
    "AlphaDropout": ({"rate": RATE, "noise_shape": [None, [None, 1, None]]}, 3),
    "Dropout": ({"rate": RATE, "noise_shape": [None, [None, 1, None], [2, 1, 1]]}, 3),
    "SpatialDropout1D": ({"rate": RATE}, 3),
    "GaussianDropout": ({"rate": RATE}, 3),
    "GaussianNoise": ({"stddev": RATE}, 3),
    "AveragePooling1D": (POOL, 3),
    "MaxPooling1D": (POOL, 3),
    "GlobalAveragePooling1D": ({"data_format": FORMAT, "keepdims": BOOL}, 3),
    "GlobalMaxPooling1D": ({"data_format": FORMAT, "keepdims": BOOL}, 3),
    "BatchNormalization": ({"axis": [-1, 1, 2, -2], "momentum": [0.9, 0.5], "epsilon": [1e-3, 0.1], "center": BOOL, "scale": BOOL, "renorm": [False, False, True], "renorm_momentum": [0.9], "renorm_clipping": [None, {"rmax": 3, "rmin": 0.3, "dmax": 2}, {"rmax": 0.1, "rmin": 1}, {"dmax": -1}, {"other": 1}]}, 3),
    "LayerNormalization": ({"axis": AXIS, "epsilon": [1e-3, 0.1], "center": BOOL, "scale": BOOL}, 3),
    "RMSNormalization": ({"axis": AXIS, "epsilon": [1e-3, 0.1]}, 3),
    "UnitNormalization": ({"axis": AXIS}, 3),
    "GroupNormalization": ({"groups": [1, 2, 3, -1, 4], "axis": [-1, 1, 2, -2], "epsilon": [1e-3], "center": BOOL, "scale": BOOL}, 3),
    "Normalization": ({"axis": [-1, None, 1, [1, 2], 2], "mean": [0.5, None, [1.0, 2.0]], "variance": [2.0, None, [1.0, 2.0]], "invert": BOOL}, 3),
    "CategoryEncoding": ({"num_tokens": [5, 6, None], "output_mode": ["one_hot", "multi_hot", "count", "int"]}, 2, "ids"),
    "Discretization": ({"bin_boundaries": [[-1.0, 0.0, 1.0], [0.5], None], "num_bins": [None, None, None, 3], "output_mode": ["int", "one_hot", "multi_hot", "count"]}, 2),
    "Conv1D": ({"filters": [2, 4], "kernel_size": [1, 2, 3, [2]], "padding": ["valid", "same", "causal"], "dilation_rate": [1, 1, 2], "groups": [1, 1, 2], **CONV}, 3),
    "Conv1DTranspose": ({"filters": [2, 4], "kernel_size": [1, 2, 3], "padding": PAD, "dilation_rate": [1, 1, 2], "output_padding": [None, None, 0, 1], **CONV}, 3),
    "DepthwiseConv1D": ({"kernel_size": [1, 2, 3], "padding": PAD, "depth_multiplier": [1, 2], "dilation_rate": [1, 1, 2], **CONV}, 3),
    "SeparableConv1D": ({"filters": [2, 4], "kernel_size": [1, 2, 3], "padding": PAD, "depth_multiplier": [1, 2], "dilation_rate": [1, 1, 2], **CONV}, 3),
    "ConvLSTM1D": ({"filters": [2, 3], "kernel_size": [1, 2, 3], "padding": PAD, "dilation_rate": [1, 1, 2], **CONV, **RNN}, 4),
    "Cropping1D": ({"cropping": [1, 0, [1, 1], [0, 2], [2, 1]]}, 3),
    "ZeroPadding1D": ({"padding": [1, 0, [1, 1], [0, 2]], "data_format": FORMAT}, 3),
    "UpSampling1D": ({"size": SIZES}, 3),
    "Dense": ({"units": SIZES, "activation": ACT, "use_bias": BOOL}, 3),
    "EinsumDense": ({"equation": ["abc,cd->abd", "ab,bc->ac", "...x,xy->...y", "abc,bd->adc", "abc,cde->abde"], "output_shape": [[None, 4], 4, [4], [None, 2, 3]], "bias_axes": [None, "d", "c", "e"], "activation": ACT}, 3),
    "Embedding": ({"input_dim": [5, 6], "output_dim": SIZES, "mask_zero": BOOL}, 2, "ids"),
    "ReversibleEmbedding": ({"input_dim": [5, 6], "output_dim": SIZES, "mask_zero": BOOL, "tie_weights": BOOL, "logit_soft_cap": [None, 2.0]}, 2, "ids"),
    "Flatten": ({"data_format": FORMAT}, 3),
    "Reshape": ({"target_shape": [[-1], [6], [2, -1], [3, 2], [-1, 1], [1, 2, 3]]}, 3),
    "Permute": ({"dims": [[2, 1], [1, 2], [1], [3, 1, 2], [2, 3]]}, 3),
    "RepeatVector": ({"n": [1, 2, 3]}, 2),
    "Identity": ({}, 3),
    "Masking": ({"mask_value": [0, 0.0, 1.0, -1]}, 3),
    "ELU": ({"alpha": [1, 0.5]}, 3),
    "LeakyReLU": ({"negative_slope": [0.1, 0.3, 0]}, 3),
    "PReLU": ({"shared_axes": [None, 1, [1], [1, 2], [2]]}, 3),
    "ReLU": ({"max_value": [None, 1.0], "negative_slope": [0, 0.1], "threshold": [0, 0.5]}, 3),
    "Softmax": ({"axis": [-1, 1, 2, [1, 2], [-1], [2, 1], 0]}, 3),
    "Rescaling": ({"scale": [2, 0.5, [1.0, 2.0, 3.0]], "offset": [0, 1.5]}, 3),
    "GRU": ({**CELL, **RNN, "recurrent_activation": ACT, "reset_after": BOOL}, 3, "rnn"),
    "LSTM": ({**CELL, **RNN, "recurrent_activation": ACT, "unit_forget_bias": BOOL}, 3, "rnn"),
    "SimpleRNN": ({**CELL, **RNN}, 3, "rnn"),
    "RNN": ({"cell": [cell, lambda: [cell(), cell()], inner], **RNN}, 3, "rnn"),
    "Bidirectional": ({"layer": [recurrent, recurrent, recurrent, inner], "merge_mode": ["concat", "sum", "mul", "ave", None]}, 3, "rnn"),
    "TimeDistributed": ({"layer": [inner]}, 4),
    "SpectralNormalization": ({"layer": [lambda: layers.Dense(3), lambda: layers.Conv1D(2, 2), lambda: layers.Embedding(5, 3), inner], "power_iterations": [1, 2]}, 3),
    "GRUCell": ({**CELL, "reset_after": BOOL}, 2, "cell"),
    "LSTMCell": (CELL, 2, "cell"),
    "SimpleRNNCell": (CELL, 2, "cell"),
    "StackedRNNCells": ({"cells": [lambda: [cell(), cell()], lambda: [cell()], lambda: cell(), lambda: []]}, 2, "cell"),
}
REQUIRED = {"units", "filters", "kernel_size", "equation", "output_shape", "input_dim", "output_dim", "target_shape", "dims", "n", "layer", "cell", "cells", "rate", "stddev", "scale", "num_heads", "key_dim", "head_dim", "num_query_heads", "num_key_value_heads", "axes", "activation", "output_size", "bin_boundaries", "num_tokens", "pool_size"}


def value_of(candidates):
    value = pick(candidates)
    return value() if callable(value) else value


def random_options(table):
    chosen = {key: value_of(candidates) for key, candidates in table.items() if key in REQUIRED and flip(0.99) or flip(0.4)}
    checked = [key for key, candidates in table.items() if candidates is not BOOL and key != "stateful"]
    if checked and flip(0.2):
        chosen[pick(checked)] = pick(WRONG)
    if flip(0.03):
        chosen[pick(["trainable", "name", "dtype", "activity_regularizer", "unknown", "autocast", "kernel_initializer", "bias_regularizer", "kernel_constraint"])] = pick([True, "x", None, "l2", "zeros", 1, "non_neg", "float16"])
    return chosen


def random_shape(rank):
    rank = rank if flip(0.85) else int(rng.integers(0, 7))
    sizes = [2, 3, 4, 5, 6] if flip(0.8) else [0, 1, 1, 2, 3]
    return [pick(sizes) if flip(0.9) else pick([0, 1, 2]) for _ in range(rank)]


def random_values(shape, kind):
    if kind == "ids":
        ids = rng.integers(0, 6 if flip(0.9) else 8, size=shape) - (0 if flip(0.97) else 1)
        return ids.astype("int32" if flip(0.8) else "float32")
    data = rng.standard_normal(shape).astype("float32")
    if flip(0.2):
        data = np.where(rng.random(shape) < 0.4, 0, data).astype("float32")
    return data if flip(0.92) else (data * 3).astype("int32") if flip(0.7) else data > 0


def random_mask(shape):
    rank = min(len(shape), 2 if flip(0.85) else int(rng.integers(1, 5)))
    if rank == 0:
        return None
    kept = rng.random(shape[:rank]) > 0.35
    return kept if flip(0.97) else np.zeros_like(kept)


def inputs_of(kind, rank):
    """(arg, shapes, arrays)"""
    shape = random_shape(rank)
    if kind in (None, "ids", "rnn", "cell"):
        return "single", [shape]
    if kind == "list":
        more = [list(shape) for _ in range(pick([1, 1, 1, 2, 0]))]
        for other in more:
            if other and flip(0.35):
                other[int(rng.integers(len(other)))] = pick([1, 1, 2, 4])
            if flip(0.05) and other:
                other.pop()
        return ("list" if flip(0.98) or more else "single"), [shape, *more]
    value = list(shape)
    if len(value) > 1 and flip(0.6):
        value[-2] = pick([1, 2, 3, 4, 5])
    if value and flip(0.15):
        value[-1] = pick([2, 3, 4])
    if value and flip(0.05):
        value[0] = 1
    key = list(value)
    if key and (flip(0.7) or kind == "attention"):
        key[-1] = shape[-1]
    if key and flip(0.05):
        key[int(rng.integers(len(key)))] = 3
    all_shapes = [shape, value, key][: pick([2, 2, 3, 3, 1])]
    if kind == "attention":
        return "list", all_shapes
    return ["query", "value", "key"][: len(all_shapes)] if len(all_shapes) > 1 else "single", all_shapes


def random_call(name, kind, shapes, layer):
    call = {}
    if flip(0.1):
        call["training"] = flip()
    if kind in ("attention", "heads"):
        if flip(0.25):
            call["use_causal_mask"] = True
        if flip(0.3):
            call["return_attention_scores"] = True
    if kind == "heads" and len(shapes) > 1 and len(shapes[0]) > 1 and len(shapes[1]) > 1:
        for key, at in (("query_mask", 0), ("value_mask", 1), ("key_mask", 2)):
            if flip(0.08) and at < len(shapes):
                call[key] = random_mask(shapes[at])
        if flip(0.25):
            q, k = shapes[0], shapes[1]
            heads = getattr(layer, "num_heads", None) or getattr(layer, "num_query_heads", 1)
            shape = pick([[*q[:-1], *k[1:-1]], [*q[:-1], *k[1:-1]], [1, q[1], k[1]], [q[0], heads, q[1], k[1]], [q[0], 1, q[1], k[1]], [q[1], k[1]], [q[0], 1, k[1]]])
            call["attention_mask"] = rng.random(shape) > 0.3
            if flip(0.1):
                call["attention_mask"] = call["attention_mask"].astype(pick(["float32", "int32"]))
    elif kind == "attention":
        if flip(0.25):
            call["mask"] = [random_mask(s) if flip(0.8) else None for s in shapes[: pick([2, 2, 3, 1])]]
    elif flip(0.12) and "mask" in layer._call_signature.parameters:
        shape = list(shapes[0])
        if shape and flip(0.3):
            shape = pick([shape[1:], shape[:1], shape[-1:], [1, *shape[1:]], [*shape, 2]])
        mask = random_mask(shape) if flip(0.7) else rng.random(shape) > 0.4
        if name == "Softmax":
            mask = rng.random(shape) > 0.4
        call["mask"] = mask if kind != "list" else [random_mask(s) for s in shapes]
        if call["mask"] is None:
            del call["mask"]
    if kind == "rnn" and flip(0.12) and len(shapes[0]) == 3:
        sizes = tree.flatten(getattr(layer, "state_size", 2) or 2)
        call["initial_state"] = [rng.standard_normal((shapes[0][0], n if flip(0.95) else 3)).astype("float32") for n in sizes * pick([1, 1, 1, 2])]
    return call


built = Layer._maybe_build
recording = {}


def random_weights(self, spec):
    built(self, spec)
    if recording.get("layer") is not self or recording["weights"] is not None:
        return
    for weight in self.weights:
        value = rng.standard_normal(weight.shape) * 0.6
        if any(word in weight.path for word in ("variance", "stddev")):
            value = np.abs(value) + 0.3
        if "count" not in weight.path and "float" in str(weight.dtype):
            weight.assign(value.astype("float32"))
    recording["weights"] = [encode(w.value) for w in self.weights]


Layer._maybe_build = random_weights


def seeds(layer):
    return bool(layer._seed_generators) or any(seeds(inside) for inside in layer._layers)


def record(index):
    name = options.only or pick(list(CLASSES))
    table, rank, *rest = CLASSES[name]
    kind = rest[0] if rest else None
    chosen = random_options(table)
    case = {"name": f"{options.seed}/{index}", "kind": "constructor", "layer": {"class_name": name, "config": plain(chosen)}}
    if "cell" in chosen and isinstance(chosen["cell"], list):
        case["layer"]["config"]["cell"] = [serialized(c) for c in chosen["cell"] if isinstance(c, Layer)]
    try:
        layer = getattr(layers, name)(**chosen)
    except Exception as error:
        return case | {"expect": failure(error)}
    try:
        case["layer"] = serialized(layer)
    except Unrecordable:
        raise
    except Exception:
        return case | {"expect": {"made": True}}
    arg, shapes = inputs_of(kind, rank)
    if flip(0.2) and kind != "cell":
        return symbolic(case, layer, kind, arg, shapes)
    arrays = [random_values(shape, kind) for shape in shapes]
    masks = [random_mask(shape) if flip(0.35) and len(shape) > 1 else None for shape in shapes]
    call = random_call(name, kind, shapes, layer)
    tensors = [backend.convert_to_tensor(array) for array in arrays]
    for tensor, mask in zip(tensors, masks):
        if mask is not None:
            backend.set_keras_mask(tensor, backend.convert_to_tensor(mask))
    given = {k: tree.map_structure(lambda v: backend.convert_to_tensor(v) if isinstance(v, np.ndarray) else v, v) for k, v in call.items()}
    if kind == "cell":
        sizes = tree.flatten(layer.state_size)
        states = [rng.standard_normal((shapes[0][0] if shapes[0] else 1, n if flip(0.95) else 2)).astype("float32") for n in sizes]
        if name == "StackedRNNCells":
            raise Unrecordable("nested states")
        call = {"states": states, **({"training": False} if "training" in call else {})}
        given = {"states": [backend.convert_to_tensor(s) for s in states]}
    case |= {"kind": "layer", "arg": arg, "inputs": [encode(a) for a in arrays], "masks": [encode(m) for m in masks], "call": plain(call)}
    recording.update(layer=layer, weights=None)
    Watch.warned = False
    try:
        result = invoke(layer, arg, tensors, given)
        expect = outcome(result)
        after = [encode(w.value) for w in layer.weights]
    except Unrecordable:
        raise
    except Exception as error:
        return case | {"weights": recording["weights"] or [], "expect": failure(error)}
    if recording["weights"] is None:
        raise Unrecordable("never built")
    if call.get("training") and seeds(layer):
        expect["random"] = True
    elif after != recording["weights"]:
        expect["weights_after"] = after
    return case | {"weights": recording["weights"], "expect": expect}


def invoke(layer, arg, tensors, call):
    if arg == "single":
        return layer(tensors[0], **call)
    return layer(tensors, **call) if arg == "list" else layer(**dict(zip(arg, tensors)), **call)


def symbolic(case, layer, kind, arg, shapes):
    shapes = [[None if flip(0.3) else d for d in shape] for shape in shapes]
    if any(len(shape) == 0 for shape in shapes):
        raise Unrecordable("a symbol needs a batch")
    dtype = "int32" if kind == "ids" else "float32"
    call = {"return_attention_scores": True} if kind in ("attention", "heads") and flip(0.3) else {}
    case |= {"kind": "symbolic", "arg": arg, "shapes": shapes, "dtypes": [dtype] * len(shapes), "call": call}
    try:
        symbols = [keras.Input(shape[1:], batch_size=shape[0], dtype=dtype) for shape in shapes]
    except Exception:
        raise Unrecordable("input") from None
    try:
        flat = tree.flatten(invoke(layer, arg, symbols, call))
    except Exception as error:
        return case | {"expect": failure(error)}
    return case | {"expect": {"shapes": [list(x.shape) for x in flat], "masked": [backend.get_keras_mask(x) is not None for x in flat]}}


cases, skipped = [], {}
for index in range(options.count):
    try:
        case = record(index)
        if len(json.dumps(case)) < 60000:
            cases.append(case)
    except (Unrecordable, TypeError, IndexError, ValueError) as error:  # the last ones: of making the case
        skipped[str(error)] = skipped.get(str(error), 0) + 1
print(len(cases), "cases", skipped)
write(options.out, cases, seed=options.seed)
