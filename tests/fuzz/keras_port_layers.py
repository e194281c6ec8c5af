# SPDX-License-Identifier: MIT
"""Layers of random Keras programs, as calls in source text."""
from keras_port_text import Raw, Text


class Layers(Text):
    is_trained = False

    def start(self):
        """Settings of initializers, for programs whose start values are written in the layers."""
        if not self.fixed_start:
            return {}
        constant = round(float(self.rng.uniform(-0.4, 0.6)), 2)
        written = self.pick(
            "ones", Raw(self.call(self.name("initializers.Constant"), [("value", constant)]))
        )
        return {"kernel_initializer": written}

    def recurrent_start(self):
        if not self.fixed_start:
            return {}
        # Bidirectional copies its layer by its config, in which Keras's Identity forgets its gain.
        identity = Raw(self.call(self.name("initializers.Identity")))
        recurrent = "zeros" if self.flip(0.3) else Raw(self.name("initializers.Ones") + "()")
        return {**self.start(), "recurrent_initializer": self.pick(recurrent, identity, "ones")}

    def some(self, p, **settings):
        return settings if self.flip(p) else {}

    def units(self):
        return self.whole(1, 4)

    def activation(self):
        word = self.pick("relu", "tanh", "sigmoid", "elu", "softplus", "gelu", "linear", "swish")
        if self.flip(0.2):
            return Raw(self.name(f"activations.{word}"))
        return word

    def dense(self, units=None, **settings):
        settings = {**self.some(0.5, activation=self.activation()), **self.start(), **settings}
        settings.update(self.some(0.15, use_bias=False))
        return self.call(self.layer("Dense"), [("units", units or self.units())], **settings)

    def recurrent(self, sequences, units=None, kind=None, **more):
        kind = kind or self.pick("LSTM", "LSTM", "GRU", "SimpleRNN")
        settings = {**self.some(sequences or 0.1, return_sequences=bool(sequences))}
        settings.update(self.some(0.1, go_backwards=True))
        settings.update(self.some(0.15, activation=self.pick("tanh", "relu", "softsign")))
        settings.update(self.some(0.1, use_bias=False))
        if kind != "SimpleRNN":
            settings.update(self.some(0.15, recurrent_activation=self.pick("sigmoid", "hard_sigmoid")))
        if kind == "GRU":
            settings.update(self.some(0.15, reset_after=self.flip()))
        if kind == "LSTM":
            settings.update(self.some(0.1, unit_forget_bias=False))
        if not self.is_trained:
            settings.update(self.some(0.15, dropout=0.2))
            settings.update(self.some(0.08, recurrent_dropout=0.1))
        settings.update({**self.recurrent_start(), **more})
        return self.call(self.layer(kind), [("units", units or self.units())], **settings)

    def bidirectional(self, sequences):
        inner = Raw(self.recurrent(sequences, go_backwards=False))
        modes = ("concat", "sum", "mul", "ave")
        settings = self.some(0.4, merge_mode=self.pick(*modes))
        return self.call(self.layer("Bidirectional"), [("layer", inner)], **settings)

    def stacked_cells(self, sequences):
        """An RNN over a list of cells."""
        kind = self.pick("LSTMCell", "GRUCell", "SimpleRNNCell")
        settings = self.recurrent_start()
        if self.flip():
            cell = self.call(self.layer(kind), [("units", Raw("units"))], **settings)
            cells = Raw(f"[{cell} for units in {self.value(self.pick((3, 2), [2, 2], (4, 3, 2)))}]")
        else:
            cells = [
                Raw(self.call(self.layer(kind), [("units", self.units())], **settings))
                for _ in range(self.whole(1, 3))
            ]
        return self.call(
            self.layer("RNN"), [("cell", cells)], **self.some(sequences, return_sequences=True)
        )

    def over_steps(self):
        """A layer that returns a sequence and needs no start values of its own kind."""
        kinds = {
            **{"dense": 3, "time": 1.5, "norm": 1.5, "batch norm": 0.5, "dropout": 1, "conv": 1.2},
            **{"pool": 0.6, "activation": 1, "lambda": 1, "pad": 0.4, "leaky": 0.4, "rescale": 0.3},
            **{"unit": 0.3, "regularized": 0.5, "crop": 0.2, "up": 0.2},
        }
        return getattr(self, f"step_{self.weighted(kinds).replace(' ', '_')}")()

    def step_dense(self):
        return self.dense()

    def step_time(self):
        return self.call(self.layer("TimeDistributed"), [("layer", Raw(self.dense()))])

    def step_norm(self):
        return self.call(self.layer("LayerNormalization"), [], **self.some(0.4, epsilon=0.001))

    def step_batch_norm(self):
        return self.call(self.layer("BatchNormalization"), [], **self.some(0.4, momentum=0.9))

    def step_dropout(self):
        if self.is_trained:
            return self.call(self.layer("Dropout"), [("rate", 0.0)])
        name = self.pick("Dropout", "Dropout", "SpatialDropout1D", "GaussianNoise")
        first = "stddev" if name == "GaussianNoise" else "rate"
        return self.call(self.layer(name), [(first, self.pick(0.1, 0.5, 0.25))])

    def step_conv(self):
        settings = {"padding": self.pick("same", "causal"), **self.some(0.5, activation="relu")}
        settings.update(self.some(0.2, dilation_rate=2))
        name = self.pick("Conv1D", "Conv1D", "Convolution1D")
        sizes = [("filters", self.units()), ("kernel_size", self.whole(1, 3))]
        return self.call(self.layer(name), sizes, **settings, **self.start())

    def step_pool(self):
        name = self.pick("MaxPooling1D", "MaxPool1D", "AveragePooling1D")
        return self.call(
            self.layer(name), self.pick([], [("pool_size", 2)]), **self.some(0.5, padding="same")
        )

    def step_activation(self):
        name = self.pick("Activation", "Activation", "ReLU", "ELU", "Softmax")
        if name == "Activation":
            return self.call(self.layer(name), [("activation", self.activation())])
        return self.call(self.layer(name))

    def step_lambda(self):
        x = self.pick("x", "t", "tensor")
        bodies = (
            f"{x} * {self.pick('2', '0.5', '2.0')}",
            f"{x} + {x}",
            f"{self.op(self.pick('tanh', 'exp', 'square', 'abs', 'relu'))}({x})",
            f"-{x}",
            f"{x} ** 2",
            f"1 - {x}",
            f"{x}[:, ::-1]" if self.flip(0.0) else f"{x} / 2 - 1",
            f"{x}[..., :1]",
            f"{x}[:, 1:, :]",
            f"{self.op('maximum')}({x}, 0.1)",
            f"{x} - {self.op('mean')}({x}, axis=-1, keepdims=True)",
        )
        return self.call(self.layer("Lambda"), [("function", Raw(f"lambda {x}: {self.pick(*bodies)}"))])

    def step_pad(self):
        size = self.pick(1, (1, 0), (0, 2))
        return self.call(self.layer("ZeroPadding1D"), [("padding", size)])

    def step_crop(self):
        return self.call(self.layer("Cropping1D"), [("cropping", self.pick((1, 0), (0, 1)))])

    def step_up(self):
        return self.call(self.layer("UpSampling1D"), [("size", 2)])

    def step_leaky(self):
        return self.call(self.layer("LeakyReLU"), [("negative_slope", self.pick(0.1, 0.3))])

    def step_rescale(self):
        return self.call(self.layer("Rescaling"), [("scale", 0.5)], **self.some(0.5, offset=-1.0))

    def step_unit(self):
        return self.call(self.layer("UnitNormalization"))

    def step_regularized(self):
        penalty = self.pick("l2", Raw(self.call(self.name("regularizers.L2"), [("l2", 0.01)])))
        written = self.pick(penalty, Raw(self.call(self.name("regularizers.l1"), [("l1", 0.01)])))
        return self.dense(kernel_regularizer=written)

    def last(self):
        """A layer that returns one vector a sequence."""
        kinds = {"recurrent": 4, "bidirectional": 2, "mean": 1.5, "max": 0.7, "cells": 0.7}
        kind = self.weighted(kinds)
        if kind == "recurrent":
            return self.recurrent(False)
        if kind == "bidirectional":
            return self.bidirectional(False)
        if kind == "cells":
            return self.stacked_cells(False)
        name = "GlobalAveragePooling1D" if kind == "mean" else "GlobalMaxPooling1D"
        return self.call(self.layer(name))

    def embedding(self, vocabulary, masked=None):
        masked = self.flip(0.75) if masked is None else masked
        sizes = [("input_dim", vocabulary), ("output_dim", self.units() + 1)]
        start = {"embeddings_initializer": "ones"} if self.fixed_start else {}
        name = self.some(0.2, name=self.fresh("tokens", "words", "word_vectors"))
        mask = {"mask_zero": True} if masked else self.some(0.1, mask_zero=False)
        return self.call(self.layer("Embedding"), sizes, **mask, **start, **name)

    def masking(self):
        return self.call(self.layer("Masking"), self.pick([], [("mask_value", 0.0)]))

    def head(self, kind=None):
        """The last layer, for a loss."""
        kind = kind or self.pick("value", "class", "binary")
        sizes = {"value": 1, "class": 3, "binary": 1}
        words = {"value": None, "class": "softmax", "binary": "sigmoid"}
        settings = {"activation": words[kind]} if words[kind] else {}
        return self.call(
            self.layer("Dense"), [("units", sizes[kind])], **{**settings, **self.start()}
        )
