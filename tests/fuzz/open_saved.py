# SPDX-License-Identifier: MIT
# Opens with real Keras what save_layers.js saved, and compares: python open_saved.py FOLDER [FROM TO]
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
    """What is wrong with a saved model; None when it opens with the same numbers."""
    try:
        model = keras.models.load_model(f"{folder}/{case['file']}")
        inputs = [array(x) for x in case["inputs"]]
        got = model(inputs[0] if len(inputs) == 1 else inputs, training=False)
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:400]}"
    got = [keras.ops.convert_to_numpy(x) for x in keras.tree.flatten(got)]
    wanted = [array(x) for x in case["outputs"]]
    if [x.shape for x in got] != [x.shape for x in wanted]:
        return f"shapes {[x.shape for x in got]}, not {[x.shape for x in wanted]}"
    for one, other in zip(got, wanted):
        near = np.isclose(one, other, rtol=1e-4, atol=2e-5, equal_nan=True)
        if not near.all():
            return f"differs by {np.abs(one.astype('float64') - other)[~near].max()}"
    return None


folder, *limits = sys.argv[1:]
cases = json.load(open(f"{folder}/index.json"))
if limits:
    cases = cases[int(limits[0]) : int(limits[1])]
found = collections.defaultdict(list)
for case in cases:
    what = problem(folder, case)
    if what is not None:
        found[what].append(f"{case['file']} {case['form']} {case['name']}")
for what, names in found.items():
    print(f"{len(names)} x {what}\n    {names[:3]}")
print(f"{len(cases) - sum(map(len, found.values()))} of {len(cases)} agree")
