# SPDX-License-Identifier: MIT
"""Stands in for TensorFlow in programs of keras_port.py, which run with PyTorch: the names of
`tensorflow.keras` are Keras's own, and some functions of `tf` are ops of Keras."""
import sys
import types

import keras
import torch
from keras import ops
from keras_port_text import BACKEND_OPS


class GradientTape:
    def __init__(self, persistent=False):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def gradient(self, loss, variables):
        return list(torch.autograd.grad(loss, [v.value for v in variables], allow_unused=True))


def renamed(function):
    """An op with TensorFlow's names of arguments."""

    def call(*args, **kwargs):
        kwargs.pop("name", None)
        if "perm" in kwargs:
            kwargs["axes"] = kwargs.pop("perm")
        return function(*args, **kwargs)

    return call


def module(name, values):
    made = types.ModuleType(name)
    made.__dict__.update(values)
    sys.modules[name] = made
    return made


def other_name(name):
    """Keras asks whether a value is of one of TensorFlow's classes, if TensorFlow is imported."""
    if name[0].isupper():
        return type(name, (), {})
    raise AttributeError(f"module 'tensorflow' has no attribute {name!r}")


NAMES = {
    **{"reduce_mean": "mean", "reduce_sum": "sum", "reduce_max": "max", "reduce_min": "min"},
    **{"reduce_any": "any", "reduce_all": "all", "concat": "concatenate", "pow": "power"},
    **{"constant": "convert_to_tensor", "range": "arange"},
}
EQUAL = (
    *("cast", "expand_dims", "squeeze", "stack", "reshape", "transpose", "tile", "where", "matmul"),
    *("not_equal", "equal", "greater", "less", "logical_and", "logical_or", "logical_not", "exp"),
    *("square", "sqrt", "abs", "maximum", "minimum", "tanh", "sigmoid", "zeros_like", "ones_like"),
    *("zeros", "ones", "argmax", "cumsum", "shape", "convert_to_tensor", "add", "multiply"),
)


def install():
    """Makes `import tensorflow` and its submodules importable."""
    names = {name: renamed(getattr(ops, name)) for name in EQUAL}
    names.update({name: renamed(getattr(ops, target)) for name, target in NAMES.items()})
    own = keras._tf_keras.keras if hasattr(keras, "_tf_keras") else keras
    nn = module("tensorflow.nn", {n: getattr(ops, n) for n in ("softmax", "relu", "sigmoid")})
    nn.tanh = ops.tanh
    math_module = module("tensorflow.math", {"log": ops.log, "not_equal": ops.not_equal})
    math_module.__dict__.update({"reduce_mean": ops.mean, "reduce_sum": ops.sum, "exp": ops.exp})
    dtypes = {name: name for name in ("float32", "int32", "int64", "bool")}
    more = {"nn": nn, "math": math_module, "newaxis": None, "GradientTape": GradientTape}
    tensorflow = module("tensorflow", {**names, **dtypes, **more, "keras": own, "Variable": keras.Variable})
    tensorflow.__path__ = []
    tensorflow.__getattr__ = other_name
    sys.modules["tensorflow.keras"] = own
    for name in BACKEND_OPS:
        setattr(own.backend, name, getattr(ops, name))
    for name, value in list(sys.modules.items()):
        prefix = f"{own.__name__}."
        if name.startswith(prefix):
            sys.modules[f"tensorflow.keras.{name[len(prefix):]}"] = value
    original = keras.optimizers.Optimizer.apply_gradients

    def apply_gradients(self, *args, **kwargs):
        with torch.no_grad():
            return original(self, *args, **kwargs)

    keras.optimizers.Optimizer.apply_gradients = apply_gradients
