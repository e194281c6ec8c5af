# SPDX-License-Identifier: MIT
# Opens the files that replay_classes.js saved in real Keras and compares the results:
# python open_classes.py FOLDER
import base64
import collections
import json
import sys
import warnings

import keras
import numpy as np
from keras_classes import root_layer

warnings.simplefilter("ignore")


def array(recorded):
    values = np.frombuffer(base64.b64decode(recorded["data"]), recorded["dtype"])
    return values.reshape(recorded["shape"])


def whole(path, _case, _x):
    return keras.models.load_model(f"{path}.keras")


def weights(path, case, x):
    model = root_layer(case["root"])
    model(x)
    model.load_weights(f"{path}.weights.h5")
    return model


def problem(path, case, load):
    """Describes what differs; returns None if the file opens with equal results."""
    keras.backend.clear_session(free_memory=False)
    x, y = array(case["x"]), array(case["y"])
    try:
        result = keras.ops.convert_to_numpy(load(path, case, x)(x))
    except Exception as error:
        return f"{load.__name__} {type(error).__name__}: {str(error)[:300]}"
    difference = float(np.abs(result - y).max())
    return f"{load.__name__} differs" if difference > 1e-4 else None


folder = sys.argv[1]
cases = json.load(open(f"{folder}/index.json"))
problems = collections.defaultdict(list)
for case in cases:
    for load in (whole, weights):
        message = problem(f"{folder}/{case['saved']}", case, load)
        if message is not None:
            problems[message].append(case["name"].strip())
for message, names in problems.items():
    print(f"{len(names)} x {message}\n    {names[:3]}")
print(f"{2 * len(cases) - sum(map(len, problems.values()))} of {2 * len(cases)} agree")
