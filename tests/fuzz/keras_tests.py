#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""KERAS_BACKEND=torch python3 keras_tests.py OUT.json CLASS,CLASS,... [--most BYTES] [--total BYTES]: runs Keras's own tests of layers, where Keras is installed
from its sources, and records what they make and call of these classes: constructions, calls with numbers, calls with symbols. Only the facts
are kept: configurations, inputs, results, classes of errors. tests/fuzz/replay_layers.mjs runs them."""
import argparse
import inspect
import json
import pathlib
import unittest

from keras_record import Unrecordable, Watch, check_known, encode, failure, is_array, outcome, plain, serialized, write

import keras
import keras.src.layers
from keras.src import backend, tree
from keras.src.layers.layer import Layer

parser = argparse.ArgumentParser()
parser.add_argument("out")
parser.add_argument("classes")
parser.add_argument("--most", type=int, default=20000, help="bytes of a case")
parser.add_argument("--total", type=int, default=1 << 30, help="bytes of all cases")
parser.add_argument("--only", default="", help="part of the path of a test's file")
options = parser.parse_args()

cases, seen, skipped = [], set(), {}
OTHER_WEIGHTS = ("quantiz", "lora", "int4", "int8", "float8", "legacy_load", "gptq", "awq")
state = {"call": None, "init": 0, "test": ""}
classes = {name: getattr(keras.layers, name) for name in options.classes.split(",") if hasattr(keras.layers, name)}
known = {cls: name for name, cls in classes.items()}


def keep(case):
    if any(word in state["test"] for word in OTHER_WEIGHTS) or "use_cudnn" in case["layer"]["config"]:
        return
    text = json.dumps(case, sort_keys=True)
    if text in seen or len(text) > options.most:
        return
    seen.add(text)
    cases.append({"name": f"{state['test']} {len(cases)}", **case})


def skip(why):
    skipped[why] = skipped.get(why, 0) + 1


def watch_constructor(cls, name):
    original = cls.__init__

    def init(self, *args, **kwargs):
        if state["init"] or state["call"] or type(self) is not cls:
            return original(self, *args, **kwargs)
        state["init"] += 1
        try:
            expect = {"made": True}
            bound = {}
            try:
                original(self, *args, **kwargs)
            except Exception as error:
                expect = failure(error)
                raise
            finally:
                try:
                    bound = dict(zip(list(inspect.signature(original).parameters)[1:], args)) | kwargs
                    config = plain(bound)
                    check_known(config)
                    keep({"kind": "constructor", "layer": {"class_name": name, "config": config}, "expect": expect})
                except (Unrecordable, TypeError) as error:
                    skip(str(error))
        finally:
            state["init"] -= 1

    init.__signature__ = inspect.signature(original)
    init.__wrapped__ = original
    cls.__init__ = init


for cls, name in known.items():
    watch_constructor(cls, name)


def arguments_of(layer, args, kwargs):
    """(arg, tensors, other arguments) of a call."""
    names = [n for n in inspect.signature(layer.call).parameters]
    bound = dict(zip(names, args)) | kwargs
    first = names[0]
    if first == "query":
        arg = [n for n in ("query", "value", "key") if bound.get(n) is not None]
        tensors = [bound.pop(n) for n in arg]
        bound.pop("key", None)
    else:
        value = bound.pop(first, None)
        arg = "list" if isinstance(value, (list, tuple)) else "single"
        tensors = list(value) if arg == "list" else [value]
    return arg, tensors, {k: v for k, v in bound.items() if v is not None}


original_build = Layer._maybe_build
original_call = Layer.__call__


def build(self, spec):
    original_build(self, spec)
    call = state["call"]
    if call is not None and call["layer"] is self and call["weights"] is None:
        call["weights"] = [encode(w.value) for w in self.weights]


def call(self, *args, **kwargs):
    if state["call"] is not None or state["init"]:
        return original_call(self, *args, **kwargs)
    if type(self) not in known:
        state["call"] = {"layer": None}
        try:
            return original_call(self, *args, **kwargs)
        finally:
            state["call"] = None
    state["call"] = {"layer": self, "weights": None}
    case = None
    try:
        try:
            arg, tensors, more = arguments_of(self, args, kwargs)
            config = serialized(self)
            if self.compute_dtype not in ("float32", "int32", "bool", "int64"):
                raise Unrecordable(f"computes in {self.compute_dtype}")
            if any(isinstance(x, keras.KerasTensor) for x in tensors):
                if any(is_array(x) or isinstance(x, keras.KerasTensor) for x in tree.flatten(more)) or any(backend.get_keras_mask(x) is not None for x in tensors):
                    raise Unrecordable("symbols with masks or more tensors")
                if any(x.sparse or getattr(x, "ragged", False) for x in tensors):
                    raise Unrecordable("sparse")
                dtypes = [str(x.dtype) for x in tensors]
                case = {"kind": "symbolic", "layer": config, "arg": arg, "shapes": [list(x.shape) for x in tensors], "dtypes": [{"int64": "int32"}.get(d, d) for d in dtypes], "call": plain(more)}
            else:
                inputs = [encode(x if is_array(x) else __import__("numpy").asarray(x)) for x in tensors]
                masks = [encode(backend.get_keras_mask(x)) if backend.is_tensor(x) else None for x in tensors]
                case = {"kind": "layer", "layer": config, "arg": arg, "inputs": inputs, "masks": masks, "call": plain(more)}
                history = getattr(self, "_recorded", [])
                if getattr(self, "stateful", False) and history:
                    case["history"] = list(history)
        except (Unrecordable, TypeError, ValueError, KeyError, AttributeError, RuntimeError) as error:
            skip(str(error)[:60])
            case = None
        if case is not None and self.built:
            shape = self.get_build_config()
            case["build"] = plain(shape["input_shape"]) if shape and "input_shape" in shape else None
        Watch.warned = False
        try:
            result = original_call(self, *args, **kwargs)
            if case is not None:
                try:
                    if case["kind"] == "symbolic":
                        flat = tree.flatten(result)
                        case["expect"] = {"shapes": [list(x.shape) for x in flat], "masked": [backend.get_keras_mask(x) is not None for x in flat]}
                    else:
                        case["weights"] = state["call"]["weights"]
                        case["expect"] = outcome(result)
                        if more.get("training") and self._seed_generators_in():
                            case["expect"]["random"] = True
                        after = [encode(w.value) for w in self.weights]
                        if after != case["weights"]:
                            case["expect"]["weights_after"] = after
                        if getattr(self, "stateful", False):
                            self._recorded = history + [{k: case[k] for k in ("arg", "inputs", "masks", "call")}]
                    keep(case)
                except (Unrecordable, TypeError, AttributeError) as error:
                    skip(str(error)[:60])
            return result
        except Exception as error:
            if case is not None and "expect" not in case and "meta tensor" not in str(error):
                case["weights"] = state["call"]["weights"] or []
                case["expect"] = failure(error)
                keep(case)
            raise
    finally:
        state["call"] = None


def seed_generators(self):
    return bool(self._seed_generators) or any(seed_generators(l) for l in self._layers)


def watch_reset(cls):
    original = cls.reset_state

    def reset_state(self):
        self._recorded = []
        original(self)

    cls.reset_state = reset_state


watch_reset(keras.layers.RNN)
watch_reset(keras.layers.Bidirectional)
Layer._seed_generators_in = seed_generators
Layer._maybe_build = build
Layer.__call__ = call


class Result(unittest.TestResult):
    def startTest(self, test):
        super().startTest(test)
        state["test"] = test.id().split(".", 4)[-1].split(".", 1)[-1]


root = pathlib.Path(keras.src.layers.__file__).parent
suite = unittest.TestSuite()
for path in sorted(root.glob("*/*_test.py")) + sorted(root.glob("*_test.py")):
    if "image_preprocessing" in str(path) or options.only not in str(path):
        continue
    module = "keras.src.layers." + ".".join(path.relative_to(root).with_suffix("").parts)
    suite.addTests(unittest.defaultTestLoader.loadTestsFromName(module))
result = Result()
suite.run(result)
# The smallest ones, in their order.
kept, room = set(), options.total
for index in sorted(range(len(cases)), key=lambda i: len(json.dumps(cases[i]))):
    room -= len(json.dumps(cases[index], separators=(",", ":"))) + 1
    if room > 0:
        kept.add(index)
cases = [case for index, case in enumerate(cases) if index in kept]
print(result, len(cases), "cases", skipped)
write(options.out, cases)
