# SPDX-License-Identifier: MIT
"""keras_edges.py FILE [--seed N] [--count M]: calls of all ops at their edges, a line each: axes of
size 0, single numbers, NaN and infinities, the largest integers, integers and booleans for floats,
shapes that do not match, axes and settings out of range. A line has the results of Keras, or its
error. Every back end makes the same cases. tests/fixtures/ops/edges.jsonl.gz has 1200 of seed 29;
tests/support/op_edges.js repeats them."""
import argparse
import json
import warnings

import keras
import numpy as np
from keras import ops
from keras_edge_calls import Random, is_tensor
from keras_rare_calls import TABLE
from recorded_file import recorded_file

warnings.simplefilter("ignore")
NAMES = {"int64": "int32", "float64": "float32"}


def number(x):
    return float(x) if np.isfinite(x) else str(float(x))


def encoded(value):
    if isinstance(value, (list, tuple)):
        return [encoded(item) for item in value]
    array = np.asarray(value)
    dtype = str(array.dtype)
    data = [number(x) for x in array.reshape(-1).tolist()]
    return {"shape": list(array.shape), "dtype": NAMES.get(dtype, dtype), "data": data}


def tensors_of(value):
    if isinstance(value, list):
        return [tensors_of(item) for item in value]
    return ops.convert_to_tensor(value) if is_tensor(value) else value


def result_of(value):
    if isinstance(value, (list, tuple)):
        return [result_of(item) for item in value]
    if keras.ops.is_tensor(value):
        return encoded(ops.convert_to_numpy(value))
    return encoded(value)


def python_key(part):
    """An index as the package writes it, as Python's."""
    if isinstance(part, list):
        return tuple(python_key(item) for item in part)
    if isinstance(part, dict):
        return slice(part["start"], part["stop"], part["step"])
    return Ellipsis if part == "..." else part


def record(name, case):
    tensors, required, options = case
    entry = {
        "name": name,
        "op": name,
        "tensors": [encoded(x) for x in tensors],
        "required": {k: encoded(v) if is_tensor(v) else v for k, v in required.items()},
        "options": {k: encoded(v) if is_tensor(v) else v for k, v in options.items()},
    }
    settings = {k: tensors_of(v) for k, v in {**required, **options}.items()}
    if name == "get_item":
        settings = {"key": python_key(required["key"])}
    operands = [tensors_of(x) for x in tensors]
    if name == "einsum":
        operands, settings = [required["equation"], *operands], {}
    if name == "batch_normalization":
        settings["axis"] = required["axis"]
    try:
        result = getattr(ops, name)(*operands, **settings)
        entry["results"] = result_of(result if isinstance(result, (list, tuple)) else [result])
    except Exception as error:
        entry["error"] = f"{type(error).__name__}: {str(error)[:200]}"
    return entry


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--op", default="")
    options = parser.parse_args()
    names = [name for name in TABLE if options.op in ("", name)]
    with recorded_file(options.out) as file:
        for i in range(options.count):
            name = names[i % len(names)]
            r = Random([options.seed, i])
            file.write(json.dumps(record(name, TABLE[name](r))) + "\n")
    print(options.count, "calls of", len(names), "ops with", keras.backend.backend())


if __name__ == "__main__":
    main()
