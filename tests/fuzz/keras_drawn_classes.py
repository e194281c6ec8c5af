# SPDX-License-Identifier: MIT
"""Classes of a user whose attributes come from a description: which layers they make, in which
order, and where they keep them. tests/fuzz/drawn_classes.js has the same in JavaScript.

A description has `steps`: {"make": id, "item"}, {"set": attribute, "to": structure} and {"push":
attribute, "id"}. An item is a layer; its `of` names earlier ones. `calls` lists the paths of the
layers that `call` applies, one after the other."""
import json

import keras
from keras import layers, ops

WIDTH = 3


def plain_layer(kind, options):
    if kind == "dense":
        return layers.Dense(WIDTH, activation="tanh", **options)
    if kind in ("LSTM", "GRU", "SimpleRNN"):
        return getattr(layers, kind)(WIDTH, return_sequences=True, **options)
    if kind == "conv":
        return layers.Conv1D(WIDTH, 2, padding="same", **options)
    if kind == "batch norm":
        return layers.BatchNormalization(**options)
    if kind == "norm":
        return layers.LayerNormalization(epsilon=0.01, **options)
    if kind == "attention":
        return layers.MultiHeadAttention(1, WIDTH, **options)
    if kind == "dropout":
        return layers.Dropout(0.5, **options)
    raise ValueError(kind)


def cell_of(item):
    if item["kind"] == "custom":
        return drawn(item["description"], {})
    return getattr(layers, item["kind"])(WIDTH)


def layer_of(item, made):
    """The layer of an item; `made` has the layers that were made before."""
    kind = item["kind"]
    options = {"name": item["name"]} if "name" in item else {}
    inner = [made[number] for number in item.get("of", [])]
    if kind == "custom":
        return drawn(item["description"], options)
    if kind == "rnn":
        cells = [cell_of(cell) for cell in item["cells"]]
        return layers.RNN(cells if len(cells) > 1 else cells[0], return_sequences=True, **options)
    if kind == "bidirectional":
        return layers.Bidirectional(inner[0], merge_mode="sum", **options)
    if kind == "time distributed":
        return layers.TimeDistributed(inner[0], **options)
    if kind == "sequential":
        return (Chain if item.get("own") else keras.Sequential)(inner, **options)
    if kind == "functional":
        x = y = keras.Input((None, WIDTH))
        for layer in inner:
            y = called(layer, y)
        return (Graph if item.get("own") else keras.Model)(x, y, **options)
    return plain_layer(kind, options)


def called(layer, x):
    if isinstance(layer, layers.MultiHeadAttention):
        return layer(x, x)
    return layer(x)


def structure_of(place, made):
    if "id" in place:
        return made[place["id"]]
    if "list" in place:
        return [structure_of(item, made) for item in place["list"]]
    if "tuple" in place:
        return tuple(structure_of(item, made) for item in place["tuple"])
    return {key: structure_of(item, made) for key, item in place["dict"].items()}


@keras.saving.register_keras_serializable(package="Fuzzgraph")
class Chain(keras.Sequential):
    """A class of a user that is a chain of layers."""


@keras.saving.register_keras_serializable(package="Fuzzgraph")
class Graph(keras.Model):
    """A class of a user that is a graph of layers."""


class Drawn:
    """What the classes share. The description is kept as text, which Keras does not track."""

    def __init__(self, description=None, **options):
        super().__init__(**options)
        self.description = description
        content = json.loads(description)
        made = {}
        for step in content["steps"]:
            if "make" in step:
                made[step["make"]] = layer_of(step["item"], made)
            elif "push" in step:
                getattr(self, step["push"]).append(made[step["id"]])
            else:
                setattr(self, step["set"], structure_of(step["to"], made))

    def get_config(self):
        return {**super().get_config(), "description": self.description}

    def called_layers(self):
        for name, *keys in json.loads(self.description)["calls"]:
            layer = getattr(self, name)
            for key in keys:
                layer = layer[key]
            yield layer


class DrawnLayer(Drawn):
    def call(self, x):
        for layer in self.called_layers():
            x = 0.5 * x + called(layer, x)
        return x


class DrawnCell(Drawn):
    """A cell whose first layer sees the input, and whose others see the state."""

    state_size = WIDTH
    output_size = WIDTH

    def build(self, shape):
        for layer in self.called_layers():
            layer.build((None, WIDTH))

    def call(self, x, states):
        first, *others = self.called_layers()
        h = first(x)
        for layer in others:
            h = h + layer(states[0])
        h = ops.tanh(h)
        return h, [h]


CLASSES = {}
for base, parents, names in (
    ("model", (DrawnLayer, keras.Model), ("Tagger", "Block2D", "Dense")),
    ("layer", (DrawnLayer, layers.Layer), ("Gate", "GRUBlock", "LSTM")),
    ("cell", (DrawnCell, layers.Layer), ("Cell", "GRUCell")),
):
    for name in names:
        CLASSES[name, base] = keras.saving.register_keras_serializable(package=f"Fuzz{base}")(
            type(name, parents, {})
        )
BASES = {"model": ["Tagger", "Block2D", "Dense"], "layer": ["Gate", "GRUBlock", "LSTM"]}


def drawn(description, options):
    cls = CLASSES[description["class"], description["base"]]
    return cls(json.dumps(description), **options)
