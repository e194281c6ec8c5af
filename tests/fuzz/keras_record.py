# SPDX-License-Identifier: MIT
"""What the recorders of layers share: calls of Keras layers as plain data, with weights, inputs, masks, and what came out or which
error. Needs Keras 3.15.1 with its PyTorch back end (KERAS_BACKEND=torch). tests/fuzz/replay_layers.mjs runs what is written here."""
import base64
import json
import os
import re
import warnings

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np
import torch
from keras.src import backend, tree
from keras.src.layers import layer as layer_module
from recorded_file import recorded_file

torch.set_num_threads(1)
# With oneDNN, PyTorch 2.6 computes wrong derivatives of conv1d for inputs with exchanged axes.
torch.backends.mkldnn.enabled = False
DTYPES = {"float64": "float32", "int64": "int32", "int16": "int32", "int8": "int32", "uint8": "int32", "uint32": "int32", "uint16": "int32"}


class Watch:
    """In place of the warnings module of Keras's Layer: remembers whether a mask was said to be dropped."""

    warned = False

    def __getattr__(self, name):
        return getattr(warnings, name)

    def warn(self, message, *rest, **more):
        Watch.warned = Watch.warned or "does not support masking" in str(message)


layer_module.warnings = Watch()


class Unrecordable(Exception):
    pass


def encode(x, keep=()):
    """A tensor as JSON has it, in the dtypes of the package and those of `keep`."""
    if x is None:
        return None
    array = np.asarray(x if isinstance(x, np.ndarray) else backend.convert_to_numpy(x))
    dtype = str(array.dtype)
    if dtype not in keep:
        dtype = DTYPES.get(dtype, dtype)
        if dtype not in ("float32", "int32", "bool"):
            raise Unrecordable(f"dtype {dtype}")
    data = np.ascontiguousarray(array.astype("uint8" if dtype == "bool" else dtype))
    return {"shape": list(array.shape), "dtype": dtype, "data": base64.b64encode(data.tobytes()).decode()}


def is_array(x):
    return isinstance(x, np.ndarray) or backend.is_tensor(x)


def plain(x):
    """A value of a configuration or an argument: tensors encoded, else what JSON has."""
    if is_array(x) or isinstance(x, np.generic):
        return encode(x)
    if isinstance(x, (list, tuple)):
        return [plain(item) for item in x]
    if isinstance(x, dict):
        return {str(key): plain(item) for key, item in x.items()}
    if isinstance(x, keras.layers.Layer):
        return serialized(x)
    if x is None or isinstance(x, (bool, int, float, str)):
        return x
    if isinstance(x, (keras.initializers.Initializer, keras.regularizers.Regularizer, keras.constraints.Constraint)):
        return keras.saving.serialize_keras_object(x)
    if callable(x) and hasattr(x, "__name__") and getattr(keras.activations, x.__name__, None) is x:
        return x.__name__
    raise Unrecordable(type(x).__name__)


def serialized(layer):
    config = json.loads(json.dumps(keras.saving.serialize_keras_object(layer), default=plain))
    check_known(config)
    return short(config)


UNUSED = ("_initializer", "_regularizer", "_constraint")  # weights are recorded, and nothing is trained


def short(item):
    """A configuration without what says nothing here."""
    if isinstance(item, list):
        return [short(x) for x in item]
    if not isinstance(item, dict):
        return item
    dropped = {"module", "registered_name", "build_config", "name", "seed"}
    if item.get("trainable") is True:
        dropped.add("trainable")
    if isinstance(item.get("dtype"), dict) and item["dtype"]["config"].get("name") == "float32":
        dropped.add("dtype")
    return {
        k: v if k == "dtype" else short(v)
        for k, v in item.items()
        if k not in dropped and not k.endswith(UNUSED)
    }


def check_known(config):
    """Python classes of a test have no counterpart."""
    for item in config.values() if isinstance(config, dict) else config if isinstance(config, list) else []:
        check_known(item)
    if isinstance(config, dict) and "class_name" in config and "config" in config:
        module = config.get("module") or "builtins"
        if not module.startswith(("keras", "builtins")) or "_test" in module or config["class_name"] in ("function", "Conv2D"):
            raise Unrecordable("a class of the test")


def outcome(result):
    flat = tree.flatten(result)
    return {
        "outputs": [encode(x) for x in flat],
        "masks": [encode(backend.get_keras_mask(x)) for x in flat],
        "warns_mask_destroyed": Watch.warned,
    }


def failure(error):
    inside = re.search(r"\x1b\[1m(.*?)\x1b\[0m", str(error), re.DOTALL)
    return {"error": type(error).__name__, "message": (inside[1] if inside else str(error))[:160]}


def write(path, cases, **more):
    with recorded_file(path) as file:
        json.dump({"format": 1, "keras_version": keras.__version__, "backend": "torch", **more, "cases": cases}, file, separators=(",", ":"))
