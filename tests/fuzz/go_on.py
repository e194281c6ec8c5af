# SPDX-License-Identifier: MIT
"""go_on.py FOLDER: opens the files of save_trained.js in real Keras, predicts, trains a step and
compares with the results of the package."""
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


def arrays(value):
    if "data" in value and "dtype" in value:
        return array(value)
    return {key: arrays(item) for key, item in value.items()}


def near(a, b, rtol=1e-3, atol=1e-4):
    return np.allclose(a, b, rtol=rtol, atol=atol, equal_nan=True)


def flat(value):
    return [keras.ops.convert_to_numpy(x) for x in keras.tree.flatten(value)]


def steps(model, case):
    """Describes how a weight differs after the step; the tolerance depends on the largest step."""
    after = [array(w) for w in case["after"]]
    before = [array(w) for w in case["before"]]
    longest = max([np.abs(a - b).max() for a, b in zip(after, before) if a.size], default=0)
    for i, weight in enumerate(model.get_weights()):
        if weight.shape != after[i].shape:
            return f"weight {i} has shape {weight.shape}, not {after[i].shape}"
        off = np.abs(weight.astype("float64") - after[i])
        scale = 0.02 * longest + 1e-4 + 1e-3 * np.abs(after[i])
        if not np.all((off <= scale) | (np.isnan(weight) & np.isnan(after[i]))):
            return "the weights after a step differ"
    return None


def problem(folder, case):
    try:
        model = keras.models.load_model(f"{folder}/{case['file']}")
        x, y = array(case["x"]), arrays(case["y"])
        outputs = flat(model.predict(x, verbose=0))
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:300]}"
    expected = flat(arrays(case["predicted"]))
    if not all(near(a, b) for a, b in zip(outputs, expected, strict=True)):
        return "predictions differ"
    try:
        logs = model.train_on_batch(x, y, return_dict=True)
    except Exception as error:
        return f"training: {type(error).__name__}: {str(error)[:300]}"
    recorded = case["logs"]
    if set(logs) != set(recorded):
        return f"logs {sorted(logs)}, not {sorted(recorded)}"
    for name, value in recorded.items():
        if not near(np.array(logs[name], "float64"), np.array(value, "float64")):
            return f"log {name} differs: {logs[name]}, not {value}"
    return steps(model, case)


(folder,) = sys.argv[1:]
cases = json.load(open(f"{folder}/trained.json"))
problems = collections.defaultdict(list)
for case in cases:
    message = problem(folder, case)
    if message is not None:
        problems[message].append(case["file"])
for message, names in sorted(problems.items(), key=lambda item: -len(item[1])):
    print(f"{len(names)} x {message}\n    {names[:3]}")
print(f"{len(cases) - sum(map(len, problems.values()))} of {len(cases)} agree")
