# SPDX-License-Identifier: MIT
"""Draws the layers of a random workflow: each is made at once, in Keras, as it is drawn."""
import keras
from keras_random import COUNTS, Choices
from keras_workflow_models import CLASSES
from keras_workflow_steps import Run

RECURRENT = ("LSTM", "GRU", "SimpleRNN")
NORM = {"epsilon": 0.01, "momentum": 0.6}
# Kinds of layers from [batch, time, features] to the same, with their frequencies.
PARTS = {
    **{"dense": 4, "recurrent": 4, "both ways": 3, "by step": 3, "cells": 3, "own cell": 3},
    **{"norm": 4, "layer norm": 2, "dropout": 1, "activation": 1, "convolution": 2, "einsum": 1},
    **{"Scale": 2, "Block": 3, "ListBlock": 2, "DictBlock": 2, "Tower": 2, "NormBlock": 4},
    **{"Mixed": 2, "LateParts": 2, "HalfFrozen": 2, "InTraining": 2, "AddsLoss": 2, "Counter": 2},
    **{"KnownShape": 0.15, "Twice": 2, "Transformer": 2, "Inner": 2, "wrapper": 4, "base": 5},
}
# Custom layers that keep the number of features.
SAME_FEATURES = ("Scale", "InTraining", "Counter", "Transformer", "AddsLoss")
# Layers that Keras freezes when they are constructed as it does later, and their files, too.
SIMPLE = ("Scale", "InTraining", "Counter", "PlainCell", "MaskedMean")
CELLS = ("PlainCell", "LayerCell", "StartCell", "StartLayerCell")
# Sublayers of these are made in build, so that freezing them before it does nothing in Keras.
LATE = ("Transformer", "LateParts")


class Refused(Exception):
    """Keras refused a step that a drawing needs."""


class Ended(Exception):
    """Keras refused a step that a program may end with."""


class Draw(Choices):
    def __init__(self, rng):
        super().__init__(rng)
        self.run, self.steps, self.made = Run(), [], 0
        self.rows, self.time = self.whole(4, 7), self.whole(3, 5)
        # Names of layers and models; descriptions of models; features before and after a layer.
        self.layers, self.models, self.features = [], {}, {}
        # Files of a model with such a node are not for Keras.
        self.has_private_node = False

    def named(self, prefix):
        self.made += 1
        return f"{prefix}{self.made}"

    def object(self, name):
        return self.run.objects[name]

    def go(self, do, may_end=False, **step):
        """Appends a step and runs it; returns its result."""
        step = {"do": do, **step}
        self.steps.append(step)
        COUNTS[f"step {do}"] += 1
        if self.run.step(step):
            return step.get("result")
        if may_end:
            raise Ended
        raise Refused(f"{do} {step.get('class', '')}: {step['error']}")

    def layer(self, kind, **config):
        name = self.named("l")
        if kind in SIMPLE or kind not in CLASSES:
            holds_layers = kind in ("TimeDistributed", "Bidirectional", "RNN")
            if not holds_layers and self.flip(0.06):
                config["trainable"] = False
        config = {key: x for key, x in config.items() if x is not None or key == "activation"}
        self.go("layer", id=name, **{"class": kind}, config=config)
        self.layers.append(name)
        return name

    def config_of(self, layer):
        """The class and the config of a layer that the program made."""
        steps = (s for s in self.steps if s["do"] == "layer" and s["id"] == layer)
        return next((s["class"], s["config"]) for s in steps)

    def call(self, layer, x, count=1, **options):
        name = self.named("t") if count == 1 else [self.named("t") for _ in range(count)]
        self.go("call", id=name, on=layer, x=x, options=options)
        return name

    def input(self, shape, dtype="float32", name=None):
        tensor = self.named("t")
        self.go("input", id=tensor, shape=shape, dtype=dtype, name=name)
        return tensor

    def part(self, features, depth=0):
        """A layer from [batch, time, features], and the number of features that it returns."""
        weights = {k: w for k, w in PARTS.items() if depth < 2 or k not in ("base", "wrapper")}
        kind, units = self.weighted(weights), self.whole(2, 4)
        COUNTS[f"part {kind}"] += 1
        if kind in CLASSES:
            layer, result = self.custom(kind, units, features)
        elif kind == "wrapper":
            inner, result = self.part(features, depth + 1)
            layer = self.layer("Wrapper", layer=f"${inner}", masking=self.flip(0.7))
        elif kind == "base":
            layer, result = self.base(features, depth + 1)
        elif kind in ("both ways", "by step", "cells", "own cell"):
            makers = {"both ways": self.both_ways, "by step": self.by_step}
            make = makers.get(kind) or (self.cells if kind == "cells" else self.own_cell)
            layer, result = make(units, features)
        else:
            layer, result = self.simple(kind, units, features)
        self.features[layer] = (features, result)
        return layer, result

    def simple(self, kind, units, features):
        if kind == "dense":
            activation = self.pick(None, "tanh", "relu")
            return self.layer("Dense", units=units, activation=activation), units
        if kind == "recurrent":
            return self.recurrent(units, go_backwards=self.flip(0.2)), units
        if kind == "convolution":
            return self.layer("Conv1D", filters=units, kernel_size=2, padding="same"), units
        if kind == "einsum":
            config = {"output_shape": [None, units], "bias_axes": "d"}
            return self.layer("EinsumDense", equation="abc,cd->abd", **config), units
        kinds = {
            "norm": ("BatchNormalization", NORM),
            "layer norm": ("LayerNormalization", {"epsilon": 0.01}),
            "dropout": ("Dropout", {"rate": 0.0}),
            "activation": ("Activation", {"activation": "tanh"}),
        }
        name, config = kinds[kind]
        return self.layer(name, **config), features

    def recurrent(self, units, **config):
        return self.layer(self.pick(*RECURRENT), units=units, return_sequences=True, **config)

    def custom(self, kind, units, features):
        config = {"masking": kind == "Transformer" or self.flip(0.7)}
        if kind == "AddsLoss":
            config["rate"] = 0.25
        elif kind not in SAME_FEATURES:
            config["units"] = units
        if kind == "NormBlock":
            config["explicit"] = self.flip()
        if kind == "Inner":
            config["by_hand"] = self.flip()
        return self.layer(kind, **config), features if kind in SAME_FEATURES else units

    def both_ways(self, units, features):
        mode = self.pick("concat", "sum", "ave")
        if self.flip(0.25):
            cell = self.layer(self.pick(*CELLS), units=units)
            inner = self.layer("RNN", cell=f"${cell}", return_sequences=True)
        else:
            inner = self.recurrent(units)
        layer = self.layer("Bidirectional", layer=f"${inner}", merge_mode=mode)
        return layer, units * (2 if mode == "concat" else 1)

    def by_step(self, units, features):
        kind, result = self.pick("dense", "model", "norm"), units
        if kind == "dense":
            inner = self.layer("Dense", units=units)
        elif kind == "model":
            inner = self.small_model(units)
        else:
            inner, result = self.layer("LayerNormalization", epsilon=0.01), features
        return self.layer("TimeDistributed", layer=f"${inner}"), result

    def small_model(self, units):
        """A model from [batch, features], for TimeDistributed."""
        parts, model = [self.layer("Dense", units=units, activation="tanh")], self.named("m")
        if self.flip(0.3):
            parts.append(self.layer("BatchNormalization", **NORM))
        names = [f"${part}" for part in parts]
        self.go("model", id=model, **{"class": "Sequential"}, layers=names)
        self.layers.append(model)
        return model

    def cells(self, units, features):
        kinds = ("LSTMCell", "GRUCell", "SimpleRNNCell", "PlainCell", "LayerCell")
        sizes = [self.whole(2, 3) for _ in range(self.whole(1, 2))]
        cells = [f"${self.layer(self.pick(*kinds), units=size)}" for size in sizes]
        cell = cells if len(cells) > 1 else cells[0]
        return self.layer("RNN", cell=cell, return_sequences=True), sizes[-1]

    def own_cell(self, units, features):
        cell = self.layer(self.pick(*CELLS), units=units)
        return self.layer("RNN", cell=f"${cell}", return_sequences=True), units

    def base(self, features, depth):
        """A model in place of a layer."""
        parts, result, model = [], features, self.named("m")
        for _ in range(self.whole(1, 3)):
            layer, result = self.part(result, depth)
            parts.append(layer)
        names = [f"${part}" for part in parts]
        how = self.pick("deferred", "sequential", "functional", "functional", "subclass")
        if how == "subclass":
            config = {"where": self.pick("list", "dict", "attr"), "flag": "none"}
            self.go("model", id=model, **{"class": "Net"}, layers=names, config=config)
        elif how == "functional":
            first = x = self.input([self.pick(None, self.time), features])
            for part in parts:
                x = self.call(part, f"${x}")
            step = {"inputs": f"${first}", "outputs": f"${x}"}
            self.go("model", id=model, **{"class": "Model"}, **step)
        else:
            head = [f"${self.input([None, features])}"] if how == "sequential" else []
            self.go("model", id=model, **{"class": "Sequential"}, layers=head + names)
        self.layers.append(model)
        return model, result

    def last(self, features):
        """A layer from [batch, time, features] to [batch, result], and the result's features."""
        kinds = ("recurrent", "recurrent", "average", "maximum", "mean", "both ways", "cell")
        kind, units = self.pick(*kinds), self.whole(2, 4)
        if kind == "recurrent":
            return self.layer(self.pick(*RECURRENT), units=units), units
        if kind == "both ways":
            inner = self.layer(self.pick(*RECURRENT), units=units)
            return self.layer("Bidirectional", layer=f"${inner}"), 2 * units
        if kind == "cell":
            cell = self.layer(self.pick("GRUCell", *CELLS), units=units)
            return self.layer("RNN", cell=f"${cell}"), units
        poolings = {
            "average": "GlobalAveragePooling1D",
            "maximum": "GlobalMaxPooling1D",
            "mean": "MaskedMean",
        }
        return self.layer(poolings[kind]), features

    def first(self, kind):
        """The layers that follow an input of a kind, and the number of features."""
        if kind == "ids":
            size = self.whole(2, 4)
            if self.flip(0.15):
                return [self.layer("Positions", vocabulary=9, length=8, size=size)], size
            config = {"input_dim": 9, "output_dim": size, "mask_zero": self.flip(0.75)}
            return [self.layer("Embedding", **config)], size
        features = self.whole(2, 3)
        return ([self.layer("Masking")] if kind == "sequence" else []), features

    def head(self, name, by_step):
        """The last layer of a model, and the description of the output."""
        activation = self.pick(None, None, "sigmoid", "softmax")
        units = self.whole(2 if activation == "softmax" else 1, 3)
        layer = self.layer("Dense", units=units, activation=activation, name=name)
        output = {"name": name, "by step": by_step, "units": units, "activation": activation}
        return layer, output

    def toggle(self, layer):
        """Freezes or unfreezes a layer. All models then need compile, because back ends differ
        in what training does without it."""
        value = self.flip(0.4)
        inner = self.object(layer)._flatten_layers()
        if any(type(one).__name__ in LATE and not one.built for one in inner):
            value = True
        self.go("set", on=layer, value=value)
        self.need_compile()

    def need_compile(self):
        for model in self.models.values():
            model["is stale"] = True

    def is_lost(self, name):
        """Does an object hold a frozen custom layer whose sublayers Keras would train again after
        a file, a clone or a config?"""
        for layer in self.object(name)._flatten_layers():
            kind = type(layer).__name__
            is_custom = kind in CLASSES and not isinstance(layer, keras.Sequential)
            if not is_custom or layer.trainable:
                continue
            if kind in LATE or any(True for _ in layer._flatten_layers(include_self=False)):
                return True
        return False
