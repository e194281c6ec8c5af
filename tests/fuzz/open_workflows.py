# SPDX-License-Identifier: MIT
"""open_workflows.py FOLDER: opens the files of save_workflows.js in real Keras and compares with
what Keras's own files give: the counts of weights, the predictions and the next epoch. A file of
weights is loaded into the model of the program, which runs once more up to the step that saved
it."""
import base64
import collections
import json
import sys

import keras
import numpy as np
from keras_workflow_data import mapped
from keras_workflow_steps import EPOCH, Run, counts_of

DTYPES = {"float32": "float32", "int32": "int32", "bool": "uint8"}


def array(recorded):
    data = np.frombuffer(base64.b64decode(recorded["data"]), DTYPES[recorded["dtype"]])
    return data.reshape(recorded["shape"])


def leaves(value):
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    if "data" in value:
        return [value]
    return [leaf for key in sorted(value) for leaf in leaves(value[key])]


def near(values, recorded):
    expected = [array(one) for one in recorded]
    arrays = [keras.ops.convert_to_numpy(value) for value in values]
    return len(arrays) == len(expected) and all(
        a.shape == b.shape and np.allclose(a, b, rtol=2e-4, atol=2e-5, equal_nan=True)
        for a, b in zip(arrays, expected)
    )


def problem_of_model(path, step):
    run, result = Run(), step["result"]
    model = keras.saving.load_model(path)
    if counts_of(model) != result["counts"]:
        return f"counts {counts_of(model)}, not {result['counts']}"
    outputs = mapped(model.predict(run.value(step["x"]), verbose=0), lambda x: {"data": x})
    if not near([leaf["data"] for leaf in leaves(outputs)], leaves(result["outputs"])):
        return "predictions differ"
    if "y" not in step:
        return None
    x, y = run.value(step["x"]), run.value(step["y"])
    history = model.fit(x, y, epochs=1, batch_size=3, **EPOCH).history
    logs = result["next"]["logs"]
    if set(history) != set(logs):
        return f"logs {sorted(history)}, not {sorted(logs)}"
    if not all(np.allclose(history[name], np.float64(logs[name]), 2e-4, 2e-5, True) for name in logs):
        return "the logs of the next epoch differ"
    return None if near(model.weights, result["next"]["weights"]) else "the next epoch differs"


def problem_of_weights(path, steps):
    run, (*before, last) = Run(), steps
    for step in before:
        recorded = ("result", "counts", "error")
        run.step({key: value for key, value in step.items() if key not in recorded})
    target = run.objects[last["to"]]
    target.load_weights(path)
    if not near(target.weights, last["result"]):
        return "weights differ"
    state = target.optimizer.variables if target.compiled else []
    return None if near(state, last["state"]) else "the state of the optimizer differs"


def problem(path, steps):
    keras.backend.clear_session(free_memory=False)
    try:
        if path.endswith(".h5"):
            return problem_of_weights(path, steps)
        return problem_of_model(path, steps[-1])
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:300]}"


def main():
    (folder,) = sys.argv[1:]
    with open(f"{folder}/index.json") as file:
        cases = [case for case in json.load(file) if "result" in case["steps"][-1]]
    problems = collections.defaultdict(list)
    for case in cases:
        message = problem(f"{folder}/{case['file']}", case["steps"])
        if message is not None:
            problems[message].append(case["name"])
    for message, names in sorted(problems.items(), key=lambda item: -len(item[1])):
        print(f"{len(names)} x {message}\n    {names[:3]}")
    print(f"{len(cases) - sum(map(len, problems.values()))} of {len(cases)} agree")


main()
