# SPDX-License-Identifier: MIT
# Opens the files of save_layers.js or save_ops.js in real Keras and compares the results:
# python open_saved.py FOLDER [FROM TO]
import collections
import json
import sys
import warnings

import keras
import numpy as np

warnings.simplefilter("ignore")


def array(recorded):
    values = [float(x) for x in recorded["data"]]
    return np.array(values, recorded["dtype"]).reshape(recorded["shape"])


def problem(folder, case):
    """Describes what differs; returns None if the model opens with equal results."""
    try:
        model = keras.models.load_model(f"{folder}/{case['file']}")
        inputs = [array(x) for x in case["inputs"]]
        result = model(inputs[0] if len(inputs) == 1 else inputs, training=False)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:400]}"
    outputs = [keras.ops.convert_to_numpy(x) for x in keras.tree.flatten(result)]
    expected = [array(x) for x in case["outputs"]]
    if [x.shape for x in outputs] != [x.shape for x in expected]:
        return f"shapes {[x.shape for x in outputs]}, not {[x.shape for x in expected]}"
    for output, recorded in zip(outputs, expected):
        near = np.isclose(output, recorded, rtol=1e-4, atol=2e-5, equal_nan=True)
        if not near.all():
            return f"differs by {np.abs(output.astype('float64') - recorded)[~near].max()}"
    return None


folder, *limits = sys.argv[1:]
cases = json.load(open(f"{folder}/index.json"))
if limits:
    cases = cases[int(limits[0]) : int(limits[1])]
problems = collections.defaultdict(list)
for case in cases:
    message = problem(folder, case)
    if message is not None:
        problems[message].append(f"{case['file']} {case['form']} {case['name']}")
for message, names in problems.items():
    print(f"{len(names)} x {message}\n    {names[:3]}")
print(f"{len(cases) - sum(map(len, problems.values()))} of {len(cases)} agree")
