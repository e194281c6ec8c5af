# SPDX-License-Identifier: MIT
"""Data of random workflows by closed formulas, so that a recording holds descriptions in place of
numbers, and results as JSON has them. tests/fuzz/workflow_data.js has the same formulas.

A description is {"kind", "shape", "seed"}, with "limit" (ids and classes) or "padding"."""
import keras
import numpy as np
import torch
from keras.src import backend
from keras_record import encode


def mixed(number, seed):
    """A number from 0 to 1008 that looks random."""
    return (
        number * 7919 + seed * 104729 + (number * number % 97) * 31 + (number // 7) * 53
    ) % 1009


def kept_steps(rows, time, seed, padding):
    """A mask without empty rows."""
    t, row = np.arange(time)[None], np.arange(rows)[:, None]
    lengths = 1 + mixed(row, seed + 3) % time
    scattered = mixed(row * time + t, seed + 5) % 10 < 6
    return {
        "post": t < lengths,
        "pre": t >= time - lengths,
        "holes": scattered | (t == mixed(row, seed) % time),
        "none": t >= 0 * lengths,
    }[padding]


def data_of(description):
    kind, shape, seed = (description[key] for key in ("kind", "shape", "seed"))
    numbers = mixed(np.arange(int(np.prod(shape)), dtype=np.int64), seed)
    floats = ((numbers - 504) / 400).reshape(shape).astype("float32")
    if kind in ("ids", "sequence", "mask"):
        kept = kept_steps(*shape[:2], seed, description["padding"])
        if kind == "mask":
            return kept
        if kind == "sequence":
            return np.where(kept[..., None], floats, 0).astype("float32")
        ids = 1 + numbers.reshape(shape) % (description["limit"] - 1)
        return np.where(kept, ids, 0).astype("int32")
    if kind == "classes":
        return (numbers % description["limit"]).reshape(shape).astype("int32")
    if kind == "one-hot":
        limit = description["limit"]
        return np.eye(limit, dtype="float32")[(numbers % limit).reshape(shape)]
    if kind == "weights":
        return ((numbers % 10) / 4).reshape(shape).astype("float32")
    return floats


def is_description(value):
    return isinstance(value, dict) and "kind" in value and "shape" in value


def start_of(variable, index, seed):
    """The values with which a weight begins."""
    count = int(np.prod(variable.shape))
    values = (mixed(np.arange(count, dtype=np.int64) + 131 * index, seed) - 504) / 900
    name = variable.name.split("/")[-1]
    if name == "gamma":
        values = 1 + values / 4
    elif name == "moving_variance":
        values = 1 + np.abs(values)
    return values.reshape(tuple(variable.shape)).astype("float32")


def start_values(holder, seed):
    return [start_of(variable, i, seed) for i, variable in enumerate(holder.weights)]


def shapes_of(holder):
    return [[w.name.split("/")[-1], list(w.shape)] for w in holder.weights]


def encoded(values):
    return [encode(value) for value in values]


def masked(x):
    """A result as JSON has it, with its mask; of a symbolic tensor, its shape and whether it has
    a mask."""
    if x is None:
        return None
    if isinstance(x, keras.KerasTensor):
        shape = [None if size is None else int(size) for size in x.shape]
        return {"symbolic": shape, "mask": getattr(x, "_keras_mask", None) is not None}
    mask = None if isinstance(x, np.ndarray) else backend.get_keras_mask(x)
    return {**encode(x), **({} if mask is None else {"mask": encode(mask)})}


def mapped(value, function):
    if isinstance(value, (list, tuple)):
        return [mapped(item, function) for item in value]
    if isinstance(value, dict):
        return {key: mapped(item, function) for key, item in value.items()}
    return function(value)


def number_of(value):
    """A number, or numbers, of a log; a word for one that JSON lacks."""
    value = backend.convert_to_numpy(value) if torch.is_tensor(value) else np.asarray(value)
    if value.ndim:
        return [number_of(item) for item in value]
    return float(value) if np.isfinite(value) else str(float(value))


def logs_of(logs):
    return {key: number_of(value) for key, value in logs.items()}
