# SPDX-License-Identifier: MIT
"""The steps of random workflows, as Keras runs them.

A step is {"do", …} in JSON: what it does, the object that it works on ("on"), and the name of
what it makes ("id"). "$name" stands for an object, a description of data for its numbers. A
recorded step has in addition its "result", the "counts" of all objects that changed (trainable,
number of weights that are trained, number of the others), or the "error" with which Keras refused
it."""
import base64
import copy
import os
import tempfile

import keras
import keras_evaluation  # noqa: F401  corrects how torch applies masks to weights
import numpy as np
from keras import layers, ops
from keras.src import backend
from keras_workflow_callbacks import callback_of
from keras_workflow_data import (
    data_of,
    encoded,
    is_description,
    logs_of,
    mapped,
    masked,
    shapes_of,
    start_values,
)
from keras_workflow_layers import WithMask
from keras_workflow_models import CLASSES

EPOCH = {"verbose": 0, "shuffle": False}


def deserialized(value, function):
    """The losses or metrics of a structure whose leaves are names or configurations."""
    if isinstance(value, list):
        return [deserialized(item, function) for item in value]
    if isinstance(value, dict) and "class_name" not in value:
        return {key: deserialized(item, function) for key, item in value.items()}
    return function(value) if isinstance(value, dict) else value


def tensors(value):
    return mapped(value, lambda x: ops.convert_to_tensor(x) if isinstance(x, np.ndarray) else x)


def counts_of(holder):
    return [
        int(holder.trainable),
        len(holder.trainable_weights),
        len(holder.non_trainable_weights),
    ]


class Saved:
    """The name of a file that lasts for a block."""

    def __init__(self, ending):
        self.ending = ending

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, f"model{self.ending}")
        return self

    def __exit__(self, *_):
        self.folder.cleanup()

    def text(self):
        with open(self.path, "rb") as file:
            return base64.b64encode(file.read()).decode()


class Objects:
    """The objects of a program, and steps that make, change and read them."""

    def __init__(self):
        keras.backend.clear_session(free_memory=False)
        self.objects, self.seen = {}, {}

    def value(self, described):
        """What a description in JSON stands for."""
        if isinstance(described, str) and described.startswith("$"):
            return self.objects[described[1:]]
        if is_description(described):
            return data_of(described)
        if isinstance(described, list):
            return [self.value(item) for item in described]
        if isinstance(described, dict):
            return {key: self.value(item) for key, item in described.items()}
        return described

    def layer(self, step, on):
        make = CLASSES.get(step["class"]) or getattr(layers, step["class"])
        self.objects[step["id"]] = make(**self.value(step.get("config", {})))

    def input(self, step, on):
        self.objects[step["id"]] = keras.Input(
            tuple(step["shape"]),
            dtype=step["dtype"],
            name=step.get("name"),
            batch_size=step.get("batch"),
        )

    def tensor(self, step, on):
        self.objects[step["id"]] = ops.convert_to_tensor(data_of(step["x"]))

    def op(self, step, on):
        x = self.value(step["x"])
        calls = {"add": lambda: x[0] + x[1], "half": lambda: x[0] * 0.5}
        self.objects[step["id"]] = result = calls[step["name"]]()
        return masked(result)

    def with_mask(self, step, on):
        x, mask = self.value(step["x"]), tensors(self.value(step["mask"]))
        self.objects[step["id"]] = result = WithMask()(x, mask)
        return masked(result)

    def mask_of(self, step, on):
        self.objects[step["id"]] = backend.get_keras_mask(self.value(step["x"]))

    def call(self, step, on):
        x, call = tensors(self.value(step["x"])), tensors(self.value(step.get("options", {})))
        result = on(**x, **call) if step.get("named") else on(x, **call)
        if isinstance(step["id"], list):
            self.objects.update(zip(step["id"], result))
        else:
            self.objects[step["id"]] = result
        return mapped(result, masked)

    def model(self, step, on):
        make, config = CLASSES[step["class"]], self.value(step.get("config", {}))
        if "inputs" in step:
            model = make(self.value(step["inputs"]), self.value(step["outputs"]), **config)
        else:
            model = make(self.value(step["layers"]), **config)
        self.objects[step["id"]] = model

    def get(self, step, on):
        """A layer of a model, or a layer inside of a layer."""
        inner = on.layers[step["index"]] if "index" in step else on
        for key in step.get("path", []):
            inner = inner[key] if isinstance(inner, (list, dict)) else getattr(inner, key)
        self.objects[step["id"]] = inner
        return type(inner).__name__

    def read(self, step, on):
        """A weight or a setting of a layer."""
        value = getattr(on, step["name"])
        return masked(value.value) if isinstance(value, keras.Variable) else value

    def set(self, step, on):
        on.trainable = step["value"]

    def build(self, step, on):
        on.build(tuple(step["shape"]))
        return shapes_of(on)

    def fill(self, step, on):
        shapes = shapes_of(on)
        on.set_weights(start_values(on, step["seed"]))
        return shapes

    def weights(self, step, on):
        return encoded(on.get_weights())

    def count(self, step, on):
        return on.count_params()

    def shape(self, step, on):
        try:
            return mapped(on.compute_output_shape(tuple(step["shape"])), lambda size: size)
        except NotImplementedError:
            # Keras asks a custom layer alone; the package tries its call.
            step["is_free"] = True

    def add(self, step, on):
        on.add(self.value(step["x"]))

    def pop(self, step, on):
        on.pop()

    def clone(self, step, on):
        self.objects[step["id"]] = keras.models.clone_model(on)

    def from_config(self, step, on):
        self.objects[step["id"]] = type(on).from_config(on.get_config())

    def cut(self, step, on):
        """A model from the inputs of another one to the output of one of its layers."""
        self.objects[step["id"]] = keras.Model(on.inputs, on.layers[step["index"]].output)

    def reset_state(self, step, on):
        holders = [on] if hasattr(on, "reset_state") else on._flatten_layers()
        for holder in holders:
            if hasattr(holder, "reset_state"):
                holder.reset_state()

    def states(self, step, on):
        return encoded(state.value for state in on.states)

    def losses(self, step, on):
        return encoded(on.losses)


class Run(Objects):
    """Runs and records steps: those of Objects, of training and of files."""

    def optimizer(self, step, on):
        self.objects[step["id"]] = keras.optimizers.deserialize(copy.deepcopy(step["config"]))

    def compile(self, step, on):
        config = copy.deepcopy(step["config"])
        if isinstance(config.get("optimizer"), dict):
            config["optimizer"] = keras.optimizers.deserialize(config["optimizer"])
        elif "optimizer" in config:
            config["optimizer"] = self.value(config["optimizer"])
        if "loss" in config:
            config["loss"] = deserialized(config["loss"], keras.losses.deserialize)
        for key in ("metrics", "weighted_metrics"):
            if key in config:
                config[key] = deserialized(config[key], keras.metrics.deserialize)
        on.compile(**config)

    def options(self, step):
        options = self.value(step.get("options", {}))
        if "class_weight" in options:
            weights = options["class_weight"].items()
            options["class_weight"] = {int(key): value for key, value in weights}
        if "validation_data" in options:
            options["validation_data"] = tuple(options["validation_data"])
        return options

    def callbacks(self, step, events):
        return [callback_of(config, self.objects, events) for config in step.get("callbacks", [])]

    def after(self, model):
        """What training leaves: all weights, and the state of the optimizer."""
        result, optimizer = {"weights": encoded(model.weights)}, model.optimizer
        if optimizer is not None:
            rate = float(backend.convert_to_numpy(optimizer.learning_rate))
            steps = int(backend.convert_to_numpy(optimizer.iterations.value))
            result["optimizer"] = [steps, rate, len(optimizer.variables)]
        return result

    def fit(self, step, on):
        events, x, y = [], self.value(step["x"]), self.value(step.get("y"))
        callbacks = self.callbacks(step, events)
        history = on.fit(x, y, callbacks=callbacks, **EPOCH, **self.options(step))
        return {
            "logs": logs_of(history.history),
            "epochs": history.epoch,
            "events": events,
            **self.after(on),
        }

    def evaluate(self, step, on):
        events, x, y = [], self.value(step["x"]), self.value(step.get("y"))
        callbacks, options = self.callbacks(step, events), self.options(step)
        logs = on.evaluate(x, y, verbose=0, return_dict=True, callbacks=callbacks, **options)
        return {"logs": logs_of(logs), "events": events}

    def train_on_batch(self, step, on):
        x, y = self.value(step["x"]), self.value(step.get("y"))
        logs = on.train_on_batch(x, y, return_dict=True, **self.options(step))
        return {"logs": logs_of(logs), **self.after(on)}

    def test_on_batch(self, step, on):
        x, y = self.value(step["x"]), self.value(step.get("y"))
        return {"logs": logs_of(on.test_on_batch(x, y, return_dict=True, **self.options(step)))}

    def predict(self, step, on):
        events, x = [], self.value(step["x"])
        callbacks = self.callbacks(step, events)
        outputs = on.predict(x, verbose=0, callbacks=callbacks, **step.get("options", {}))
        return {"outputs": mapped(outputs, masked), "events": events}

    def predict_on_batch(self, step, on):
        return {"outputs": mapped(on.predict_on_batch(self.value(step["x"])), masked), "events": []}

    def metrics(self, step, on):
        names = [metric.name for metric in on.metrics]
        return {"logs": logs_of(on.get_metrics_result()), "names": names}

    def reset_metrics(self, step, on):
        on.reset_metrics()

    def file(self, step, on):
        """Keras saves, and both sides open its file."""
        with Saved(".keras") as saved:
            on.save(saved.path)
            step["file"] = saved.text()
            self.objects[step["id"]] = keras.saving.load_model(saved.path)

    def weights_file(self, step, on):
        target = self.objects[step["to"]]
        with Saved(".weights.h5") as saved:
            on.save_weights(saved.path)
            step["file"] = saved.text()
            target.load_weights(saved.path)
        # The file has the state of an optimizer, too.
        step["state"] = encoded(target.optimizer.variables) if target.compiled else []
        return encoded(target.weights)

    def save(self, step, on):
        """The package saves, and both sides open its file. Keras does the same with its own: the
        counts and the predictions of the copy, and its next epoch."""
        x = self.value(step["x"])
        with Saved(".keras") as saved:
            on.save(saved.path)
            copied = keras.saving.load_model(saved.path)
        result = {
            "counts": counts_of(copied),
            "outputs": mapped(on.predict(x, verbose=0), masked),
        }
        if "y" in step:
            history = copied.fit(x, self.value(step["y"]), epochs=1, batch_size=3, **EPOCH)
            result["next"] = {"logs": logs_of(history.history), **self.after(copied)}
        return result

    def changed_counts(self):
        changed = {}
        for name, holder in self.objects.items():
            if isinstance(holder, layers.Layer):
                counts = counts_of(holder)
                if self.seen.get(name) != counts:
                    changed[name] = self.seen[name] = counts
        return changed

    def step(self, step):
        """Runs and records a step; returns whether Keras accepted it."""
        try:
            result = getattr(self, step["do"])(step, self.objects.get(step.get("on")))
        except Exception as error:
            step["error"] = f"{type(error).__name__}: {str(error)[:160]}"
            if os.environ.get("TRACE"):
                raise
            return False
        if result is not None:
            step["result"] = result
        counts = self.changed_counts()
        if counts:
            step["counts"] = counts
        return True
