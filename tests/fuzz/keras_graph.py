# SPDX-License-Identifier: MIT
"""A random graph of layers that have to do with masks, made step by step. Every tensor of the graph
becomes an output, so that the first that differs names its layer."""
import keras
import numpy as np
from keras import layers, ops
from keras_random import COUNTS, Choices, random_mask

RECURRENT = (layers.LSTM, layers.GRU, layers.SimpleRNN)
CELLS = (layers.LSTMCell, layers.GRUCell, layers.SimpleRNNCell)


class Refused(Exception):
    """Raised by a step for which the graph has no suitable tensor."""


class Graph(Choices):
    weights = {
        "recurrent": 18,
        "bidirectional": 11,
        "cells": 6,
        "time_distributed": 9,
        "multi_head": 11,
        "attention": 8,
        "merge": 14,
        "pooling": 7,
        "simple": 10,
        "shape": 4,
        "convolution": 2,
        "nested": 5,
    }

    def __init__(self, rng):
        super().__init__(rng)
        self.inputs, self.data, self.masks = [], [], []
        self.batch, self.time = self.whole(1, 4), self.whole(2, 7)
        # Known for all inputs or for none: Keras mixes both, the package asks for one of them.
        self.known_batch = self.batch if self.flip(0.2) else None
        self.tensors = []
        for _ in range(self.pick(1, 2, 3, p=[0.5, 0.35, 0.15])):
            self.source()

    def size(self):
        return self.whole(1, 6)

    def add_input(self, shape, dtype, data, mask=None):
        x = keras.Input(shape, batch_size=self.known_batch, dtype=dtype)
        self.inputs.append(x)
        self.data.append(data)
        self.masks.append(mask)
        return x

    def source(self):
        batch, rng = self.batch, self.rng
        time = self.time if self.flip(0.75) else self.whole(2, 7)
        known = time if self.flip() else None
        mask = random_mask(rng, batch, time)
        if self.flip(0.3):
            ids = rng.integers(0, 9, size=(batch, time))
            if mask is not None:
                ids = np.where(mask, np.maximum(ids, 1), 0)
            x = self.add_input((known,), "int32", ids.astype("int32"))
            x = layers.Embedding(9, self.size(), mask_zero=self.flip(0.85))(x)
        else:
            x = self.numbers(time, known, mask)
        self.tensors.append(x)

    def numbers(self, time, known, mask):
        features = self.size()
        data = self.rng.standard_normal((self.batch, time, features)).astype("float32")
        if self.flip(0.4):
            value = self.pick(0.0, -1.0)
            if mask is not None:
                data[~mask] = value
            x = self.add_input((known, features), "float32", data)
            return layers.Masking(mask_value=value)(x)
        if mask is not None and self.flip(0.1):
            data[~mask] = 1e4
        return self.add_input((known, features), "float32", data, mask)

    def one_of(self, found):
        if not found:
            raise Refused
        return found[self.whole(0, len(found) - 1)]

    def latest_of(self, found):
        """The newest more often than any other, so that graphs become deep."""
        return found[-1] if found and self.flip(0.6) else self.one_of(found)

    def any(self):
        return self.latest_of(self.tensors)

    def of_rank(self, rank, features=None):
        return self.latest_of(
            [t for t in self.tensors if len(t.shape) == rank and features in (None, t.shape[-1])]
        )

    def as_long_as(self, x, features=None):
        """Sequences whose length is known to be that of `x`."""
        if x.shape[1] is None:
            return []
        return [
            t
            for t in self.tensors
            if len(t.shape) == 3 and t.shape[1] == x.shape[1] and features in (None, t.shape[-1])
        ]

    def give(self, results):
        self.tensors.extend(keras.tree.flatten(results))

    def length(self, x):
        """The length of a sequence whose static length is unknown."""
        model = keras.Model(self.inputs, x)
        return int(model([ops.convert_to_tensor(values) for values in self.data]).shape[1])

    def mask_input(self, x):
        """A mask for `x` that is an input of the graph."""
        time = x.shape[1] or self.length(x)
        mask = random_mask(self.rng, self.batch, time)
        mask = np.ones((self.batch, time), bool) if mask is None else mask
        return self.add_input((x.shape[1],), "bool", mask)

    def recurrent_layer(self, sequences=None, state=None, **more):
        kind = self.pick(*RECURRENT)
        config = {
            "units": self.size(),
            "return_sequences": self.flip(0.65) if sequences is None else sequences,
            "return_state": self.flip(0.2) if state is None else state,
            "go_backwards": self.flip(0.25),
            "zero_output_for_mask": self.flip(0.3),
            "use_bias": self.flip(0.85),
        }
        if self.flip(0.25):
            names = ("relu", "sigmoid", "softsign", "linear", "elu", "gelu", "hard_sigmoid")
            config["activation"] = self.pick(*names)
        if kind is not layers.SimpleRNN and self.flip(0.2):
            config["recurrent_activation"] = self.pick("hard_sigmoid", "tanh", "relu6")
        if kind is layers.GRU:
            config["reset_after"] = self.flip()
        if kind is layers.LSTM:
            config["unit_forget_bias"] = self.flip()
        if not config["go_backwards"] and self.flip(0.08):
            config["unroll"] = True
        if self.flip(0.1):
            config.update(dropout=0.3, recurrent_dropout=0.2)
        return kind(**{**config, **more})

    def recurrent(self):
        x = self.of_rank(3)
        layer = self.recurrent_layer()
        if layer.unroll and x.shape[1] is None:
            raise Refused
        options = {}
        if self.flip(0.2):
            states = self.initial_states(layer)
            options["initial_state"] = states if len(states) > 1 or self.flip() else states[0]
        if self.flip(0.12):
            options["mask"] = self.mask_input(x)
        self.give(layer(x, **options))

    def initial_states(self, layer):
        """Vectors of the graph; creates one if none fits."""
        units = layer.units
        found = [t for t in self.tensors if len(t.shape) == 2 and t.shape[-1] == units]
        count = 2 if isinstance(layer, layers.LSTM) else 1
        if found:
            return [self.one_of(found) for _ in range(count)]
        return [layers.Dense(units)(self.of_rank(2)) for _ in range(count)]

    def bidirectional(self):
        x = self.of_rank(3)
        inner = self.recurrent_layer(go_backwards=False, unroll=False)
        options = {"merge_mode": self.pick("concat", "sum", "mul", "ave", None)}
        if self.flip(0.3):
            options["backward_layer"] = type(inner)(
                inner.units,
                return_sequences=inner.return_sequences,
                return_state=inner.return_state,
                go_backwards=True,
                zero_output_for_mask=inner.zero_output_for_mask,
                use_bias=self.flip(),
            )
        self.give(layers.Bidirectional(inner, **options)(x))

    def cell(self):
        return self.pick(*CELLS)(self.size())

    def cells(self):
        x = self.of_rank(3)
        if self.flip(0.15):
            inner = layers.RNN(self.cell(), return_sequences=True)
            return self.give(layers.Bidirectional(inner)(x))
        cell = self.cell() if self.flip(0.3) else [self.cell() for _ in range(self.whole(1, 3))]
        layer = layers.RNN(
            cell,
            return_sequences=self.flip(0.7),
            return_state=self.flip(0.15),
            go_backwards=self.flip(0.2),
            zero_output_for_mask=self.flip(0.3),
        )
        return self.give(layer(x))

    def repeated(self, x, count):
        """Each step as a short sequence: (batch, time, count, features)."""
        y = layers.TimeDistributed(layers.RepeatVector(1))(x)
        y = layers.TimeDistributed(layers.UpSampling1D(count))(y)
        return ops.cumsum(y, axis=2) if self.flip() else y

    def time_distributed(self):
        x = self.of_rank(3)
        each_step = {
            "dense": lambda: layers.Dense(
                self.size(), activation=self.pick(None, "relu", "softmax")
            ),
            "normalization": layers.LayerNormalization,
            "activation": lambda: layers.Activation("tanh"),
            "dropout": lambda: layers.Dropout(0.4),
        }
        each_sequence = {
            "recurrent": lambda: self.recurrent_layer(state=False, unroll=False),
            "pooling": lambda: self.pick(
                layers.GlobalAveragePooling1D, layers.GlobalMaxPooling1D
            )(),
            "masking": lambda: layers.Masking(0.0),
            "flatten": layers.Flatten,
        }
        kind = self.pick(*each_step, *each_sequence)
        if kind in each_sequence:
            x = self.repeated(x, self.whole(2, 3))
        inner = {**each_step, **each_sequence}[kind]()
        self.give(layers.TimeDistributed(inner)(x))

    def multi_head_layer(self):
        if self.flip(1 / 3):
            heads = self.whole(1, 3)
            return layers.GroupQueryAttention(
                self.size(), heads * self.whole(1, 2), heads, use_bias=self.flip(0.8)
            )
        options = {"value_dim": self.size()} if self.flip(0.3) else {}
        if self.flip(0.2):
            options["output_shape"] = self.size()
        if self.flip(0.15):
            options["sliding_window"] = self.whole(1, 3)
        return layers.MultiHeadAttention(
            self.whole(1, 3),
            self.size(),
            use_bias=self.flip(0.8),
            dropout=0.2 if self.flip(0.1) else 0.0,
            **options,
        )

    def multi_head(self):
        query, value = self.of_rank(3), self.of_rank(3)
        if self.flip(0.4):
            value = query
        options = {"use_causal_mask": True} if self.flip(0.3) else {}
        if self.flip(0.15):
            options["return_attention_scores"] = True
        keys = self.as_long_as(value)
        if keys and self.flip(0.3):
            options["key"] = self.one_of(keys)
        if self.flip(0.1):
            options[self.pick("value_mask", "query_mask")] = None
        self.give(self.multi_head_layer()(query, value, **options))

    def attention(self):
        query = self.of_rank(3)
        value = self.of_rank(3, query.shape[-1])
        kind = self.pick(layers.Attention, layers.AdditiveAttention)
        config = {"use_scale": self.flip()}
        if kind is layers.Attention and self.flip(0.4):
            config["score_mode"] = "concat"
        inputs = [query, value]
        keys = self.as_long_as(value, query.shape[-1])
        if keys and self.flip(0.3):
            inputs.append(self.one_of(keys))
        options = {"use_causal_mask": True} if self.flip(0.25) else {}
        if self.flip(0.15):
            options["return_attention_scores"] = True
        self.give(kind(**config)(inputs, **options))

    def partners(self, a, fits, most=2):
        """`a` and one or two others of its rank and dtype that fit."""
        found = [
            t
            for t in self.tensors
            if len(t.shape) == len(a.shape) and t.dtype == a.dtype and fits(t)
        ]
        return [a, *(self.one_of(found) for _ in range(self.whole(1, most)))]

    def merge(self):
        a = self.any()

        def broadcasts(t):
            if tuple(t.shape[1:]) == tuple(a.shape[1:]):
                return True
            if len(a.shape) != 3 or t.shape[1] != a.shape[1]:
                return False
            return 1 in (t.shape[2], a.shape[2])

        same = ("Add", "Multiply", "Average", "Maximum", "Minimum", "Subtract")
        kind = self.pick(*same, "features", "time", "dot")
        if kind == "features":
            parts = self.partners(a, lambda t: len(a.shape) == 2 or t.shape[1] == a.shape[1])
            self.give(layers.Concatenate(axis=-1)(parts))
        elif kind == "time":
            parts = self.partners(a, lambda t: t.shape[-1] == a.shape[-1])
            self.give(layers.Concatenate(axis=1)(parts))
        elif kind == "dot":
            parts = self.partners(a, lambda t: t.shape[-1] == a.shape[-1], 1)
            self.give(layers.Dot(axes=-1, normalize=self.flip(0.3))(parts))
        else:
            parts = self.partners(a, broadcasts, 1 if kind == "Subtract" else 2)
            self.give(getattr(layers, kind)()(parts))

    def pooling(self):
        layer = self.pick(
            lambda: layers.GlobalAveragePooling1D(keepdims=self.flip(0.15)),
            lambda: layers.GlobalAveragePooling1D(keepdims=self.flip(0.15)),
            lambda: layers.GlobalMaxPooling1D(keepdims=self.flip(0.15)),
            lambda: layers.MaxPooling1D(
                2, strides=self.pick(1, 2), padding=self.pick("valid", "same")
            ),
            lambda: layers.AveragePooling1D(2, strides=self.pick(1, 2)),
        )()
        self.give(layer(self.of_rank(3)))

    def convolution(self):
        size = self.whole(1, 3)
        if self.flip(0.2):
            layer = layers.SeparableConv1D(self.size(), size, padding="same")
        elif self.flip(0.25):
            layer = layers.DepthwiseConv1D(size, padding="same")
        else:
            layer = layers.Conv1D(
                self.size(),
                size,
                padding=self.pick("same", "causal"),
                dilation_rate=self.pick(1, 2),
            )
        self.give(layer(self.of_rank(3)))

    def simple(self):
        x = self.any()
        activations = ("relu", "tanh", "sigmoid", "softplus", "silu")
        layer = self.pick(
            lambda: layers.Dense(
                self.size(), activation=self.pick(None, "relu", "tanh", "softmax", "gelu")
            ),
            lambda: layers.Activation(self.pick(*activations)),
            lambda: layers.Dropout(0.3),
            lambda: layers.LayerNormalization(epsilon=1e-2),
            lambda: layers.BatchNormalization(epsilon=1e-2),
            lambda: self.pick(
                lambda x: x + 1.0,
                lambda x: x * 0.5,
                ops.tanh,
                lambda x: x - ops.mean(x, axis=-1, keepdims=True),
            ),
            layers.Softmax,
            lambda: self.pick(layers.LeakyReLU, layers.ELU, layers.ReLU)(),
            layers.UnitNormalization,
            lambda: layers.RMSNormalization(epsilon=1e-2),
            lambda: layers.SpatialDropout1D(0.3),
            lambda: self.pick(layers.GaussianNoise, layers.GaussianDropout, layers.AlphaDropout)(
                0.2
            ),
            layers.Identity,
            lambda: layers.Rescaling(0.5, offset=0.1),
            lambda: layers.GroupNormalization(groups=1, epsilon=1e-2),
            lambda: layers.PReLU(shared_axes=[1] if len(x.shape) == 3 else None),
        )()
        self.give(layer(x))

    def shape(self):
        kinds = {
            "repeat": lambda: layers.RepeatVector(self.time),
            "pad": lambda: layers.ZeroPadding1D((1, 0)),
            "crop": lambda: layers.Cropping1D((1, 0)),
            "longer": lambda: layers.UpSampling1D(2),
            "masking": layers.Masking,
            "permute": lambda: layers.Permute((2, 1)),
            "flatten": layers.Flatten,
            "reshape": lambda: layers.Reshape((x.shape[2], x.shape[1])),
        }
        kind = self.pick(*kinds)
        x = self.of_rank(2 if kind == "repeat" else 3)
        if x.shape[1] is None and kind in ("permute", "flatten", "reshape"):
            raise Refused
        self.give(kinds[kind]()(x))

    def nested(self):
        """A model inside the model, functional or sequential, perhaps called twice."""
        x = self.of_rank(3)
        inner = keras.Input((None, x.shape[-1]))
        first = self.recurrent_layer(sequences=True, state=False, unroll=False)
        if self.flip():
            model = keras.Sequential([first, layers.Dense(self.size())])
        else:
            sum_ = layers.Add()([first(inner), layers.Dense(first.units)(inner)])
            model = keras.Model(inner, sum_)
        self.give(model(x))
        if self.flip(0.3):
            self.give(model(self.of_rank(3, x.shape[-1])))

    def step(self):
        """Adds a layer, or leaves the graph as it was where Keras refuses it."""
        lists = (self.tensors, self.inputs, self.data, self.masks)
        before = [len(items) for items in lists]
        name = self.weighted(self.weights)
        try:
            getattr(self, name)()
        except Exception as error:
            COUNTS[f"step refused: {type(error).__name__}"] += 1
            for items, size in zip(lists, before):
                del items[size:]
            return None
        return name

    def grow(self, steps):
        """Adds up to the given number of layers and returns them."""
        names = []
        for _ in range(30):
            if len(names) == steps:
                break
            name = self.step()
            if name:
                names.append(name)
        COUNTS.update(names)
        return names

    def outputs(self):
        """All tensors that are not inputs, each once."""
        inputs = {id(x) for x in self.inputs}
        return list({id(t): t for t in self.tensors if id(t) not in inputs}.values())
