# SPDX-License-Identifier: MIT
"""keras_names.py FILE: the public names of the installed Keras, by namespace, for
tests/web/keras_names.test.js."""
import json
import sys

import keras

NAMESPACES = (
    "activations callbacks constraints initializers layers losses metrics ops optimizers"
    " optimizers.schedules random regularizers utils"
).split()


def names(path):
    space = keras
    for part in path.split("."):
        space = getattr(space, part)
    is_module = lambda value: type(value).__name__ == "module"
    return sorted(n for n, v in vars(space).items() if not n.startswith("_") and not is_module(v))


with open(sys.argv[1], "w") as file:
    recorded = {"version": keras.__version__, **{path: names(path) for path in NAMESPACES}}
    json.dump(recorded, file, indent=0)
