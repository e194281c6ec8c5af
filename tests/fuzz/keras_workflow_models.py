# SPDX-License-Identifier: MIT
"""Models of a user, for random workflows: subclassed models, and classes that override steps of
training. tests/fuzz/workflow_models.js has the same in JavaScript."""
import keras
import torch
from keras import ops
from keras_workflow_layers import LAYERS, registered


@registered
class Net(keras.Model):
    """Has its layers in a list, a dictionary or attributes, and may scale results in training."""

    def __init__(self, parts, where="list", flag="none", **config):
        super().__init__(**config)
        self.where, self.flag, self.count = where, flag, len(parts)
        if where == "list":
            self.parts = list(parts)
        elif where == "dict":
            self.parts = {f"p{i}": part for i, part in enumerate(parts)}
        else:
            # The order of these names is not that of the alphabet.
            for i, part in enumerate(parts):
                setattr(self, f"part{9 - i}", part)

    def part(self, i):
        if self.where == "attr":
            return getattr(self, f"part{9 - i}")
        return self.parts[i if self.where == "list" else f"p{i}"]

    def call(self, x, training=None, mask=None):
        for i in range(self.count):
            x = self.part(i)(x)
        return x * 1.5 if self.flag == "training" and training else x

    def get_config(self):
        parts = [keras.saving.serialize_keras_object(self.part(i)) for i in range(self.count)]
        return {"name": self.name, "where": self.where, "flag": self.flag, "parts": parts}

    @classmethod
    def from_config(cls, config):
        parts = [keras.saving.deserialize_keras_object(part) for part in config["parts"]]
        return cls(**{**config, "parts": parts})


def with_losses(base):
    class LossNet(base):
        def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
            loss = super().compute_loss(x, y, y_pred, sample_weight, training)
            return loss * 2.0 + 0.25

    class FreeNet(base):
        """Needs no loss in compile."""

        def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
            return ops.mean(ops.square(y_pred - 0.5))

    class MetricNet(base):
        def compute_metrics(self, x, y, y_pred, sample_weight=None):
            logs = super().compute_metrics(x, y, y_pred, sample_weight)
            return {**logs, "extra": 3.0}

    return LossNet, FreeNet, MetricNet


def trained(model, data):
    """Takes half a step of the optimizer, and returns the loss and the predictions."""
    x, y, weight = keras.utils.unpack_x_y_sample_weight(data)
    model.zero_grad()
    outputs = model(x, training=True)
    loss = model.compute_loss(x=x, y=y, y_pred=outputs, sample_weight=weight)
    variables = model.trainable_variables
    if variables:
        loss.backward()
    gradients = [v.value.grad for v in variables]
    with torch.no_grad():
        model.optimizer.apply([g if g is None else g * 0.5 for g in gradients], variables)
    return loss, outputs


def with_steps(base):
    class StepNet(base):
        def train_step(self, data):
            loss, _ = trained(self, data)
            return {"loss": loss, "twice": loss * 2.0}

    class GroupNet(base):
        """Returns a dictionary in its logs, which Keras flattens."""

        def train_step(self, data):
            loss, outputs = trained(self, data)
            return {"loss": loss, "seen": {"top": ops.max(outputs), "low": ops.min(outputs)}}

    class TestNet(base):
        def test_step(self, data):
            x, y, weight = keras.utils.unpack_x_y_sample_weight(data)
            outputs = self(x, training=False)
            loss = self.compute_loss(x=x, y=y, y_pred=outputs, sample_weight=weight)
            return {"loss": loss, "top": ops.max(outputs)}

    class PredictNet(base):
        def predict_step(self, data):
            x, _, _ = keras.utils.unpack_x_y_sample_weight(data)
            return self(x, training=False) * 2.0 + 1.0

    return StepNet, GroupNet, TestNet, PredictNet


def with_metrics(base):
    class SeenNet(base):
        """Has a metric in an attribute, which its test step updates."""

        # Keras restores a functional model whose parameters have these names.
        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.seen = keras.metrics.Mean(name="seen")

        def test_step(self, data):
            x, y, weight = keras.utils.unpack_x_y_sample_weight(data)
            outputs = self(x, training=False)
            self.seen.update_state(ops.mean(outputs, axis=-1))
            return self.compute_metrics(x, y, outputs, weight)

    class WatchNet(base):
        """Has a metric in an attribute, which its training step updates."""

        def __init__(self, *args, **kwargs):
            super().__init__(*args, **kwargs)
            self.watch = keras.metrics.Mean(name="watch")

        def train_step(self, data):
            x, y, weight = keras.utils.unpack_x_y_sample_weight(data)
            loss, outputs = trained(self, data)
            self.watch.update_state(loss)
            return {**self.compute_metrics(x, y, outputs, weight), "last": loss}

    return SeenNet, WatchNet


def overriding(base, ending):
    """The classes that override steps of `base`, by name."""
    classes = {}
    for each in (*with_losses(base), *with_steps(base), *with_metrics(base)):
        each.__name__ = each.__qualname__ = each.__name__ + ending
        classes[each.__name__] = registered(each)
    return classes


CLASSES = {
    **LAYERS,
    "Net": Net,
    "Model": keras.Model,
    "Sequential": keras.Sequential,
    **overriding(keras.Model, ""),
    **overriding(keras.Sequential, "OfSequential"),
    **overriding(Net, "OfNet"),
}
