# SPDX-License-Identifier: MIT
# Opens the files of save_text.js in real Keras and compares the results: python open_text.py FOLDER
import collections
import json
import sys
import warnings

import tensorflow_strings

standing_in = tensorflow_strings.install()
import keras  # noqa: E402
import numpy as np  # noqa: E402

warnings.simplefilter("ignore")


def call(model, x):
    """Calls a chain of layers one by one: only TensorFlow passes texts through a whole model."""
    if not isinstance(model, keras.Model):
        return model(x)
    for layer in model.layers:
        if not isinstance(layer, keras.layers.InputLayer):
            x = call(layer, x)
    return x


def problem(folder, case):
    """Describes what differs; returns None if the model opens with equal results."""
    try:
        model = keras.models.load_model(f"{folder}/{case['file']}")
        output = keras.ops.convert_to_numpy(call(model, np.array(case["texts"], object)))
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[-300:]}"
    expected = np.array(case["output"]).reshape(case["shape"])
    if output.shape != expected.shape:
        return f"shape {output.shape}, not {expected.shape}"
    if not np.allclose(output, expected, rtol=1e-4, atol=2e-5):
        return f"differs by {np.abs(output - expected).max()}"
    return None


[folder] = sys.argv[1:]
cases = json.load(open(f"{folder}/index.json"))
problems = collections.defaultdict(list)
for case in cases:
    message = problem(folder, case)
    if message is not None:
        problems[message].append(f"{case['file']} {case['name']}")
for message, names in problems.items():
    print(f"{len(names)} x {message}\n    {names[:3]}")
if standing_in:
    print("without TensorFlow: its functions of texts are those of tensorflow_strings.py")
print(f"{len(cases) - sum(map(len, problems.values()))} of {len(cases)} agree")
