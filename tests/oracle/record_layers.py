# SPDX-License-Identifier: MIT
"""Records the cases of tests/fixtures/layers: calls of single layers, and activation functions.

    python record_layers.py FIXTURES [--family lstm] [--case TEXT] [--check]
    python record_layers.py FIXTURES --new CASE.json

Keras must run with the back end of the family: PyTorch, or NumPy where the file says so.
README.md describes the fields of a case and of CASE.json.
"""

import json

import keras
import numpy as np
from keras.src import backend, tree
from oracle import (
    Report,
    decode,
    drawn_mask,
    dropped_masks,
    encode,
    masks_of,
    options,
    read,
    seeded,
    values,
    with_mask,
    write,
)


def called(layer, case):
    """Calls a layer as the case says; returns the result."""
    inputs = [with_mask(x, mask) for x, mask in zip(case["inputs"], case["masks"])]
    more = values(case["call"])
    if case["arg"] == "single":
        return layer(inputs[0], **more)
    if case["arg"] == "list":
        return layer(inputs, **more)
    return layer(**dict(zip(case["arg"], inputs)), **more)


def weights_of(layer):
    return [
        {
            "name": weight.name,
            "path": weight.path,
            **encode(weight.value),
            "trainable": weight.trainable,
        }
        for weight in layer.weights
    ]


def built(case):
    """Returns the layer of a case with its weights, or with new ones if the case has none."""
    layer = keras.saving.deserialize_keras_object(case["layer"])
    if case.get("weights") == []:
        return layer
    called(layer, case)
    recorded = case.get("weights")
    rng = seeded(case["name"])
    if recorded is None:
        layer.set_weights([drawn_weight(weight, rng) for weight in layer.weights])
    else:
        layer.set_weights([decode(weight) for weight in recorded])
    if getattr(layer, "stateful", False):
        layer.reset_state()
    return layer


def drawn_weight(weight, rng):
    drawn = rng.normal(size=weight.shape, scale=0.5)
    return np.abs(drawn) + 0.5 if "variance" in weight.name else drawn


def expectation(layer, case):
    """Returns what a call of the layer returns, or the class of its error."""
    calls = []
    before = [numbers.copy() for numbers in layer.get_weights()]
    with dropped_masks() as dropped:
        for _ in range(case.get("repeat", 1)):
            result = called(layer, case)
            calls.append([encode(x) for x in tree.flatten(result)])
    expect = {
        "outputs": calls[-1],
        "masks": masks_of(result),
        "warns_mask_destroyed": bool(dropped),
    }
    if "repeat" in case:
        expect["outputs_per_call"] = calls
    after = layer.get_weights()
    changes = any(not np.array_equal(*pair) for pair in zip(before, after))
    if changes or "weights_after" in case.get("expect", {}):
        expect["weights_after"] = weights_of(layer)
    return expect


def recorded_again(case):
    """Returns a case as Keras computes it now."""
    if "fn" in case:
        function = getattr(keras.activations, case["fn"])
        return {**case, "y": encode(function(values(case["x"]), **case["kwargs"]))}
    try:
        layer = built(case)
        expect = expectation(layer, case)
    except Exception as error:  # Which errors Keras raises is part of a recording.
        return {**case, "weights": case.get("weights", []), "expect": {"error": type(error).__name__}}
    weights = weights_of(layer) if "weights_after" not in expect else case.get("weights")
    return {**case, "weights": weights, "expect": expect}


def drawn(case):
    """Returns a case with the inputs and masks that its description asks for."""
    rng = seeded(case["name"])

    def tensor(item):
        if not isinstance(item, dict) or "shape" not in item or "data" in item:
            return item
        dtype = item.get("dtype", "float32")
        if dtype == "float32":
            return encode(rng.normal(size=item["shape"]).astype("float32"))
        low, high = item.get("low", 0), item.get("high", 2 if dtype == "bool" else 10)
        return encode(rng.integers(low, high, item["shape"]).astype(dtype))

    inputs = [tensor(item) for item in case["inputs"]]
    masks = [
        encode(drawn_mask(mask, tuple(x["shape"][:2]), rng)) if isinstance(mask, str) else mask
        for mask, x in zip(case.get("masks", [None] * len(inputs)), inputs)
    ]
    call = {
        key: [tensor(x) for x in item] if isinstance(item, list) else tensor(item)
        for key, item in case.get("call", {}).items()
    }
    return {
        "name": case["name"],
        "layer": complete(case["layer"]),
        "inputs": inputs,
        "arg": case.get("arg", "single" if len(inputs) == 1 else "list"),
        "masks": masks,
        "call": call,
        **({"repeat": case["repeat"]} if "repeat" in case else {}),
    }


def complete(layer):
    """Returns the whole configuration of a layer, with the defaults of Keras."""
    given = {"module": "keras.layers", "registered_name": None, **layer}
    made = keras.saving.deserialize_keras_object(given)
    return keras.saving.serialize_keras_object(made)


def add(fixtures, path):
    """Adds the cases that a file describes to the files of their families."""
    described = read(path)
    for description in described if isinstance(described, list) else [described]:
        file = fixtures / "layers" / f"{description['family']}.json"
        empty = {
            "format": 1,
            "keras_version": keras.__version__,
            "backend": backend.backend(),
            "seed": 7,
            "variant": "main",
            "family": description["family"],
            "cases": [],
        }
        content = read(file) if file.exists() else empty
        case = recorded_again(drawn(description))
        others = [each for each in content["cases"] if each["name"] != case["name"]]
        content["cases"] = [*others, case]
        write(file, content)
        result = case["expect"].get("error") or [x["shape"] for x in case["expect"]["outputs"]]
        print(f"{file.name}: {case['name']} {json.dumps(result)}")


def record(fixtures, report, families):
    for file in sorted((fixtures / "layers").glob("*.json")):
        content = read(file)
        if families and file.stem not in families:
            continue
        if content["backend"] != backend.backend():
            print(f"{file.stem}: left out, because it is recorded with {content['backend']}")
            continue
        content["cases"] = [
            report.compare(f"{file.stem} {case['name']} ", case, recorded_again(case))
            if report.is_chosen(case["name"])
            else case
            for case in content["cases"]
        ]
        if not report.chosen.check:
            write(file, {**content, "keras_version": keras.__version__})


if __name__ == "__main__":
    chosen = options(
        "Records calls of single layers.",
        family={"action": "append", "help": "a file of layers/; several are possible"},
        new={"help": "a file that describes cases to add"},
    )
    if chosen.new:
        add(chosen.fixtures, chosen.new)
    else:
        report = Report(chosen)
        record(chosen.fixtures, report, chosen.family)
        report.end()
