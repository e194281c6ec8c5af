# SPDX-License-Identifier: MIT
"""keras_names.py FILE: the public names of the installed Keras by namespace, the members of its
classes, and the parameters of its ops, for tests/web/keras_names.test.js. Run it with NumPy as back
end, which adds no members of its own to layers."""
import inspect
import json
import sys

import keras
from recorded_file import recorded_file

NAMESPACES = (
    "activations callbacks constraints initializers layers losses metrics models ops optimizers"
    " optimizers.schedules random regularizers saving utils"
).split()
CLASSES = "Model Sequential Layer Metric Optimizer Variable callbacks.Callback random.SeedGenerator"
# Namespaces of which only the names are listed.
OTHERS = "applications config datasets distillation distribution dtype_policies export quantizers"
OTHERS += " tree visualization wrappers"
PLAIN = (int, float, str, bool, type(None), list, tuple)


def find(path):
    value = keras
    for part in path.split("."):
        value = getattr(value, part)
    return value


def is_module(value):
    return type(value).__name__ == "module"


def names(path):
    return sorted(n for n, v in vars(find(path)).items() if n[0] != "_" and not is_module(v))


def members(path):
    inherited = set(dir(keras.Layer)) if path in ("Model", "Sequential") else set()
    inherited |= set(dir(keras.Model)) if path == "Sequential" else set()
    return sorted(n for n in dir(find(path)) if n[0] != "_" and n not in inherited)


def parameters(name):
    """Each parameter: [name], or [name, default]."""
    signature = inspect.signature(getattr(keras.ops, name))
    listed = []
    for p in signature.parameters.values():
        if p.kind.name.startswith("VAR"):
            listed.append([f"*{p.name}"])
        elif p.default is inspect.Parameter.empty:
            listed.append([p.name])
        else:
            listed.append([p.name, p.default if isinstance(p.default, PLAIN) else str(p.default)])
    return listed


with recorded_file(sys.argv[1]) as file:
    recorded = {
        "version": keras.__version__,
        "names": {path: names(path) for path in NAMESPACES},
        "members": {path: members(path) for path in CLASSES.split()},
        "others": {path: len(names(path)) for path in OTHERS.split()},
        "parameters": {n: parameters(n) for n in names("ops") if callable(getattr(keras.ops, n))},
    }
    json.dump(recorded, file, indent=0, sort_keys=True)
