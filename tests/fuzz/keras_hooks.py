#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""keras_hooks.py FOLDER [--seed N] [--count M]: classes of models that override parts of training,
with one to three outputs, sample weights in every form, callbacks of fit, evaluate and predict,
metrics in properties, losses of layers, and compile in between. Each program is a list of calls with
what Keras returned; replay_hooks.js makes the same calls.

Left out because the package accepts more: dictionaries of weights for lists of targets."""
import os

os.environ.setdefault("KERAS_BACKEND", "torch")
import keras
import numpy as np
import torch
from keras import layers, ops
from keras_random import COUNTS, Choices, arguments, record_all

options = arguments(__doc__)
torch.set_num_threads(1)
EVENTS = (
    "train_begin train_end epoch_begin epoch_end train_batch_begin train_batch_end test_begin test_end "
    "test_batch_begin test_batch_end predict_begin predict_end predict_batch_begin predict_batch_end"
).split()


def plain(value):
    """Numbers as JSON has them, in lists and dictionaries."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    return np.asarray(keras.ops.convert_to_numpy(value), "float64").tolist()


def arrays(value):
    """Lists of numbers of a program as arrays; names and positions stay."""
    if isinstance(value, dict):
        return {key: arrays(item) for key, item in value.items()}
    if isinstance(value, list) and any(item is None or isinstance(item, dict) for item in value):
        return [arrays(item) for item in value]
    return None if value is None else np.array(value, "float32")


def first(outputs):
    if isinstance(outputs, dict):
        return outputs[sorted(outputs)[0]]
    return outputs[0] if isinstance(outputs, (list, tuple)) else outputs


class Total(keras.metrics.Sum):
    """A sum whose result does not change later, as it does with torch."""

    def result(self):
        return self.total + 0.0


class Adding(layers.Layer):
    """Adds losses, and counts what it sees in a metric."""

    def __init__(self, **config):
        super().__init__(**config)
        self.means = [keras.metrics.Mean(name="inside")]

    def call(self, inputs):
        self.add_loss(0.1 * ops.sum(ops.square(inputs)))
        self.means[0].update_state(ops.mean(inputs, axis=-1))
        return inputs


def class_of(base, how):
    class Net(base):
        def __init__(self, *args, **config):
            super().__init__(*args, **config)
            if how["seen"]:
                self.seen = keras.metrics.Mean(name="seen")
                self.others = {"a": [Total(name="total")]}

        if how["loss"]:

            def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
                if how["loss"] == "own":
                    return ops.mean(ops.square(first(y_pred) - 0.5))
                if how["loss"] == "weighted":
                    loss = ops.mean(ops.square(first(y_pred) - first(y)), axis=-1)
                    w = None if sample_weight is None else first(sample_weight)
                    loss = ops.mean(loss if w is None else loss * ops.convert_to_tensor(w))
                    return loss + ops.sum(x) * 0.01
                if how["loss"] == "losses":
                    return ops.mean(ops.square(first(y_pred))) + sum(ops.sum(v) for v in self.losses)
                usual = super().compute_loss(x, y, y_pred, sample_weight, training)
                return usual * 2.0 + (0.25 if training else 0.5)

        if how["metrics"]:

            def compute_metrics(self, x, y, y_pred, sample_weight=None):
                if how["seen"]:
                    self.seen.update_state(ops.mean(first(y_pred), axis=-1))
                    self.others["a"][0].update_state(ops.ones((2,)))
                if how["metrics"] == "only":
                    return {"only": ops.max(first(y_pred))}
                usual = super().compute_metrics(x, y, y_pred, sample_weight)
                more = {"extra": 3.0} if how["metrics"] == "extra" else {"more": {"q": 1.0, "b": 2.0}}
                return usual if how["metrics"] == "update" else {**usual, **more}

        if how["result"]:

            def get_metrics_result(self):
                return {**super().get_metrics_result(), "final": 7.0}

        if how["train"]:

            def train_step(self, data):
                x, y, w = keras.utils.unpack_x_y_sample_weight(data)
                if how["train"] == "usual":
                    return {**super().train_step(data), "twice": 2.0}
                self.zero_grad()
                y_pred = self(x, training=True)
                loss = self.compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=w)
                loss.backward()
                variables = self.trainable_variables
                with torch.no_grad():
                    self.optimizer.apply([v.value.grad for v in variables], variables)
                self.metrics[0].update_state(loss)
                return self.compute_metrics(x, y, y_pred, w)

        if how["test"]:

            def test_step(self, data):
                x, y, w = keras.utils.unpack_x_y_sample_weight(data)
                if how["test"] == "usual":
                    return {**super().test_step(data), "tested": 1.0}
                y_pred = self(x, training=False)
                loss = self.compute_loss(x=x, y=y, y_pred=y_pred, sample_weight=w, training=False)
                return {"loss": loss, "top": ops.max(first(y_pred))}

        if how["predict"]:

            def predict_step(self, data):
                outputs = super().predict_step(data)
                if how["predict"] == "usual":
                    return outputs
                return {"p": first(outputs) * 10.0, "m": first(outputs) + 1.0}

    return Net


class Noting(keras.callbacks.Callback):
    def __init__(self, adds):
        super().__init__()
        self.notes, self.adds = [], adds

    def note(self, name, index, logs):
        self.notes.append([name, index, plain(dict(sorted((logs or {}).items())))])
        if self.adds and logs is not None and name.endswith("_end") and name != "predict_batch_end":
            logs["added"] = 1.0


def listener(name):
    def with_index(self, index, logs=None):
        self.note(name, index, logs)

    def without(self, logs=None):
        self.note(name, None, logs)

    return with_index if "batch" in name or "epoch" in name else without


for name in EVENTS:
    setattr(Noting, f"on_{name}", listener(name))


class Program(Choices):
    def __init__(self, rng):
        super().__init__(rng)
        self.rows = self.whole(3, 6)
        self.count = self.pick(1, 1, 2, 3)
        self.form = "one" if self.count == 1 else self.pick("list", "list", "dict")
        self.base = "sequential" if self.count == 1 and self.flip(0.4) else "functional"
        self.units = [self.whole(1, 2) for _ in range(self.count)]
        self.adds = self.flip(0.3)
        loss = self.pick("own", "weighted", "scale", "losses") if self.flip(0.55) else None
        self.how = {
            "loss": loss,
            "metrics": self.pick("extra", "nested", "only", "update") if self.flip(0.4) else None,
            "result": self.flip(0.1),
            "seen": self.flip(0.35),
            "train": self.pick("usual", "own") if self.flip(0.25) else None,
            "test": self.pick("usual", "own") if self.flip(0.2) else None,
            "predict": self.pick("usual", "other") if self.flip(0.3) else None,
        }
        self.calls = []

    def numbers(self, *shape):
        return np.round(self.rng.standard_normal(shape), 2).tolist()

    def names(self):
        return ["zyx"[i] for i in range(self.count)] if self.form == "dict" else [f"out{i}" for i in range(self.count)]

    def build(self):
        weights, kinds = [], []
        for units in self.units:
            weights.append([self.numbers(3, units), self.numbers(units)])
            kinds.append(self.pick("l2", None, None) if not self.how["train"] else None)
        self.spec = {
            "base": self.base, "form": self.form, "units": self.units, "adds": self.adds,
            "how": self.how, "weights": weights, "regularizers": kinds,
        }
        dense = [
            layers.Dense(units, name=f"out{i}", kernel_regularizer=kinds[i])
            for i, units in enumerate(self.units)
        ]
        if self.base == "sequential":
            parts = [keras.Input((3,)), *([Adding()] if self.adds else []), *dense]
            self.model = class_of(keras.Sequential, self.how)(parts)
        else:
            start = keras.Input((3,))
            inner = Adding()(start) if self.adds else start
            ends = [layer(inner) for layer in dense]
            outputs = dict(zip(self.names(), ends)) if self.form == "dict" else ends if self.form == "list" else ends[0]
            self.model = class_of(keras.Model, self.how)(start, outputs)
        for layer, values in zip(dense, weights):
            layer.set_weights([np.array(v, "float32") for v in values])

    def structure(self, items):
        if self.form == "dict":
            return dict(zip(self.names(), items))
        return items if self.form == "list" else items[0]

    def targets(self, rows):
        return self.structure([self.numbers(rows, units) for units in self.units])

    def weights(self, rows, is_checked):
        """Sample weights in some form; wrong ones where Keras checks them."""
        one = lambda: np.round(self.rng.uniform(0, 2, rows), 2).tolist()
        if self.form == "one" or self.flip(0.3):
            return one()
        items = [one() if self.flip(0.75) else None for _ in range(self.count)]
        if is_checked and self.flip(0.12):
            items = (items + [one()])[: self.pick(self.count - 1, self.count + 1)]
            if self.form == "list":
                return items
        if self.form == "list":
            return items
        names = self.names()
        if is_checked and self.flip(0.12):
            names = [*names[1:], "typo"]
        return dict(zip(names, items + [one()] * (len(names) - len(items))))

    def compile(self):
        settings = {"optimizer": {"learning_rate": 0.01, **({"momentum": 0.5} if self.flip(0.3) else {})}}
        again = bool(self.calls)
        if self.how["loss"] not in ("own", "weighted", "losses") and not (again and self.flip(0.6)):
            settings["loss"] = self.pick("mse", "mae")
            if self.count > 1 and self.flip(0.3):
                settings["loss_weights"] = self.structure([0.5 + i for i in range(self.count)])
                settings["loss"] = self.structure(["mse"] * self.count)
        for kind in ("metrics", "weighted_metrics"):
            if self.flip(0.35):
                settings[kind] = self.structure([["mae"]] * self.count) if self.count > 1 else ["mae"]
        self.call("compile", settings)

    def data(self, is_checked=False):
        rows = self.rows
        result = {"x": self.numbers(rows, 3), "y": self.targets(rows)}
        if self.flip(0.5):
            result["w"] = self.weights(rows, is_checked)
        return result

    def draw(self):
        kind = self.weighted(dict(fit=4, evaluate=3, train_on_batch=2, test_on_batch=1, predict=2, predict_on_batch=1,
                                  result=1.5, losses=1, compile=1, reset=0.3, direct=1.5))
        if kind == "compile":
            return self.compile()
        settings = {}
        if kind in ("fit", "evaluate", "predict"):
            settings["batch_size"] = self.whole(1, self.rows)
            if self.flip(0.5):
                settings["notes"] = True
                settings["adds"] = self.flip(0.3)
        if kind == "fit":
            settings["epochs"] = self.whole(1, 2)
            if self.flip(0.35):
                settings["validation"] = self.data(True)
        if kind in ("predict", "predict_on_batch"):
            return self.call(kind, {**settings, "x": self.numbers(self.rows, 3)})
        if kind in ("result", "losses", "reset"):
            return self.call(kind, {})
        return self.call(kind, {**settings, **self.data(kind in ("fit", "evaluate"))})

    def call(self, kind, settings):
        entry = {"do": kind, **settings}
        noting = Noting(settings.get("adds", False)) if settings.get("notes") else None
        try:
            result = getattr(self, f"do_{kind}")(settings, [noting] if noting else [])
            entry["result"] = plain(result)
        except Exception as error:
            text = str(error)
            COUNTS[f"refused: {type(error).__name__}: {text[:60]}"] += 1
            entry["refused"] = f"{type(error).__name__}: {text[:200]}"
            self.ended = True
            # An error that is no refusal of these arguments says nothing about them.
            if not text.startswith(("You should provide one `sample_weight`", "No loss to compute")):
                return
        if noting:
            entry["events"] = noting.notes
        entry["weights"] = [plain(w) for w in self.model.get_weights()]
        self.calls.append(entry)

    def do_compile(self, settings, _):
        optimizer = keras.optimizers.SGD(**settings["optimizer"])
        self.model.compile(**{**settings, "optimizer": optimizer})
        # Metrics that stay keep their means, which nothing needs.
        self.model.reset_metrics()

    def do_fit(self, s, callbacks):
        validation = s.get("validation")
        data = validation and [arrays(self.listed(validation[k])) for k in ("x", "y", "w") if k in validation]
        history = self.model.fit(
            arrays(s["x"]), arrays(self.listed(s["y"])), sample_weight=arrays(self.listed(s.get("w"))),
            batch_size=s["batch_size"], epochs=s["epochs"], validation_data=data and tuple(data), shuffle=False,
            verbose=0, callbacks=callbacks,
        )
        return history.history

    def listed(self, value):
        """Marks a list with an item for each output, which `arrays` keeps."""
        if self.form == "list" and isinstance(value, list) and len(value) and isinstance(value[0], (list, type(None))):
            is_items = any(v is None for v in value) or not isinstance(value[0][0], (int, float)) or len(value[0]) == self.rows
            if is_items and len(value) <= self.count + 1:
                return Items(value)
        return value

    def do_evaluate(self, s, callbacks):
        return self.model.evaluate(
            arrays(s["x"]), arrays(self.listed(s["y"])), sample_weight=arrays(self.listed(s.get("w"))),
            batch_size=s["batch_size"], verbose=0, callbacks=callbacks, return_dict=True,
        )

    def on_batch(self, method, s):
        return method(arrays(s["x"]), arrays(self.listed(s["y"])), sample_weight=arrays(self.listed(s.get("w"))), return_dict=True)

    def do_train_on_batch(self, s, _):
        return self.on_batch(self.model.train_on_batch, self.on_batch_data(s))

    def do_test_on_batch(self, s, _):
        return self.on_batch(self.model.test_on_batch, self.on_batch_data(s))

    def on_batch_data(self, s):
        # Keras does not repeat one array of weights here.
        return s

    def do_predict(self, s, callbacks):
        return self.model.predict(arrays(s["x"]), batch_size=s["batch_size"], verbose=0, callbacks=callbacks)

    def do_predict_on_batch(self, s, _):
        return self.model.predict_on_batch(arrays(s["x"]))

    def do_result(self, s, _):
        return self.model.get_metrics_result()

    def do_reset(self, s, _):
        self.model.reset_metrics()

    def do_losses(self, s, _):
        return sorted(float(loss) for loss in self.model.losses)

    def do_direct(self, s, _):
        x, y, w = (arrays(self.listed(s.get(k))) for k in ("x", "y", "w"))
        to = lambda v: keras.tree.map_structure(lambda a: None if a is None else ops.convert_to_tensor(a), v)
        y_pred = self.model(x, training=False)
        loss = self.model.compute_loss(x=to(x), y=to(y), y_pred=y_pred, sample_weight=to(w), training=False)
        return {"loss": loss, **keras.src.utils.python_utils.pythonify_logs(self.model.compute_metrics(to(x), to(y), y_pred, to(w)))}


class Items(list):
    pass


_arrays = arrays


def arrays(value):  # noqa: F811
    return [_arrays(item) for item in value] if isinstance(value, Items) else _arrays(value)


def record(rng, number):
    program = Program(rng)
    program.build()
    program.ended = False
    program.compile()
    for _ in range(program.whole(3, 7)):
        if program.ended:
            break
        program.draw()
    if len(program.calls) < 2:
        return None
    for call in program.calls:
        COUNTS[f"call {call['do']}"] += 1
    return {"note": str({k: v for k, v in program.how.items() if v}), "spec": program.spec, "calls": program.calls}


record_all(options, record)
