# SPDX-License-Identifier: MIT
"""Random models to be trained: a body of layers over sequences, whose derivatives every back end
agrees on, and where masks end as they must."""
import keras
import numpy as np
from keras import layers, ops
from keras_ops import TRAINED, Operands, op_table
from keras_random import COUNTS, Choices

ACTIVATIONS = (
    "tanh sigmoid softplus silu gelu elu selu softsign mish hard_silu leaky_relu log_softmax celu"
    " squareplus"
).split()


class Unfit(Exception):
    """Raised by a layer that cannot follow the layers so far."""


class Body(Choices):
    """Adds layers to a sequence; `masked` says whether a mask reaches the next one."""

    def size(self, low=2, high=5):
        return self.whole(low, high)

    def regularizer(self):
        COUNTS["regularizer"] += 1
        strength = float(np.round(self.rng.random() * 0.05, 3)) + 0.001
        r = keras.regularizers
        return self.pick(r.L1(strength), r.L2(strength), r.L1L2(strength, strength / 2))

    def constraint(self):
        COUNTS["constraint"] += 1
        c = keras.constraints
        most = float(np.round(0.5 + self.rng.random(), 2))
        return self.pick(
            c.MaxNorm(most, axis=0),
            c.NonNeg(),
            c.UnitNorm(axis=0),
            c.MinMaxNorm(0.3, 1.2, rate=0.7, axis=0),
        )

    def extras(self, recurrent=False):
        """Regularizers and constraints."""
        config = {}
        shares = {"kernel_regularizer": 0.12, "kernel_constraint": 0.1, "bias_regularizer": 0.08}
        if recurrent:
            shares.update(recurrent_regularizer=0.08, recurrent_constraint=0.06)
        for name, share in shares.items():
            if self.flip(share):
                config[name] = (
                    self.constraint() if name.endswith("constraint") else self.regularizer()
                )
        if self.flip(0.08):
            COUNTS["activity regularizer"] += 1
            r = keras.regularizers
            config["activity_regularizer"] = self.pick(r.L1(0.01), r.L2(0.02))
        return config

    def recurrent_layer(self, sequences, **more):
        kind = self.pick(layers.LSTM, layers.GRU, layers.SimpleRNN)
        config = {
            "units": self.size(),
            "return_sequences": sequences,
            "go_backwards": self.flip(0.2),
            "zero_output_for_mask": self.flip(0.3),
            "use_bias": self.flip(0.85),
            **self.extras(recurrent=True),
        }
        if self.flip(0.2):
            config["activation"] = self.pick(*"relu sigmoid softsign linear elu gelu".split())
        if kind is not layers.SimpleRNN and self.flip(0.2):
            config["recurrent_activation"] = self.pick("hard_sigmoid", "tanh")
        if kind is layers.GRU:
            config["reset_after"] = self.flip()
        config.update(more)
        if not config["use_bias"]:
            config.pop("bias_regularizer", None)
        return kind(**config)

    def kinds(self, x):
        """Layers that pass a mask on, or need no mask, by name."""
        features, size, flip, pick = x.shape[-1], self.size, self.flip, self.pick
        dense = layers.Dense
        return {
            **self.recurrent_kinds(x),
            **self.mixing_kinds(x),
            "dense": lambda: dense(
                size(), activation=pick(None, "relu", "tanh", "gelu", "sigmoid"), **self.extras()
            )(x),
            "dense each step": lambda: layers.TimeDistributed(
                dense(size(), activation=pick(None, "relu", "tanh"))
            )(x),
            "normalization": lambda: layers.LayerNormalization(epsilon=1e-2)(x),
            "group": lambda: layers.GroupNormalization(groups=1, epsilon=1e-2)(x),
            "unit": lambda: layers.UnitNormalization()(dense(size(2, 4))(x)),
            "batch": lambda: layers.BatchNormalization(
                epsilon=1e-2, momentum=pick(0.99, 0.6), center=flip(0.8), scale=flip(0.8)
            )(x),
            "residual": lambda: layers.Add()([x, dense(features, activation="tanh")(x)]),
            "block": lambda: layers.LayerNormalization(epsilon=1e-2)(
                layers.Add()([x, dense(features)(dense(size(), activation="gelu")(x))])
            ),
            "merge": lambda: pick(layers.Multiply, layers.Average, layers.Subtract)()(
                [dense(features)(x), dense(features, activation="sigmoid")(x)]
            ),
            "maximum": lambda: pick(layers.Maximum, layers.Minimum)()([dense(3)(x), dense(3)(x)]),
            "activation": lambda: layers.Activation(pick(*ACTIVATIONS))(x),
            "activity": lambda: layers.ActivityRegularization(l1=0.01, l2=0.02)(x),
            "prelu": lambda: layers.PReLU(shared_axes=[1])(x),
            "noise of nothing": lambda: pick(
                layers.Dropout(0.0), layers.SpatialDropout1D(0.0), layers.GaussianNoise(0.0)
            )(x),
            "shared": lambda: self.shared(x),
            "nested": lambda: self.nested(x),
        }

    def shared(self, x):
        layer = layers.Dense(x.shape[-1], activation="tanh")
        return layer(layer(x))

    def nested(self, x):
        inner = keras.Input((None, x.shape[-1]))
        if self.flip():
            first = layers.Dense(3, activation="relu")
            return keras.Sequential([first, self.recurrent_layer(True)])(x)
        return keras.Model(inner, layers.Add()([layers.Dense(3)(inner), layers.Dense(3)(inner)]))(x)

    def recurrent_kinds(self, x):
        pick, flip = self.pick, self.flip

        def cell():
            return pick(layers.LSTMCell, layers.GRUCell, layers.SimpleRNNCell)(self.size())

        def both_ways():
            # Keras 3.15 refuses an activity regularizer here.
            inner = self.recurrent_layer(True, go_backwards=False, activity_regularizer=None)
            return layers.Bidirectional(inner, merge_mode=pick("concat", "sum", "ave", "mul"))(x)

        return {
            "recurrent": lambda: self.recurrent_layer(True)(x),
            "recurrent again": lambda: self.recurrent_layer(True)(x),
            "both ways": both_ways,
            "cells": lambda: layers.RNN(
                [cell() for _ in range(self.size(1, 3))],
                return_sequences=True,
                go_backwards=flip(0.2),
                zero_output_for_mask=flip(0.3),
            )(x),
            "concatenate": lambda: layers.Concatenate(axis=-1)([x, self.recurrent_layer(True)(x)]),
        }

    def mixing_kinds(self, x):
        """Layers whose steps depend on several steps."""
        pick, flip = self.pick, self.flip
        causal = {"use_causal_mask": True} if flip(0.3) else {}

        def multi_head():
            if flip():
                layer = layers.MultiHeadAttention(
                    self.size(1, 3), self.size(1, 3), use_bias=flip(0.8)
                )
            else:
                layer = layers.GroupQueryAttention(
                    self.size(1, 3), 2, pick(1, 2), use_bias=flip(0.8)
                )
            # Asked for the scores, torch leaves its fused attention alone, which has wrong
            # gradients for queries that attend to nothing.
            return layer(x, x, return_attention_scores=True, **causal)[0]

        return {
            "multi head": multi_head,
            "attention": lambda: pick(
                layers.Attention(use_scale=flip(), score_mode=pick("dot", "concat")),
                layers.AdditiveAttention(use_scale=flip()),
            )([x, x], **causal),
        }

    def unmasked_kinds(self, x):
        """Layers that fail with a mask, or whose derivatives would be NaN where all is masked."""
        size = self.size
        short = layers.TimeDistributed(layers.RepeatVector(2))
        wide = layers.TimeDistributed(layers.RepeatVector(3))

        def each_step():
            inner = self.recurrent_layer(False, activity_regularizer=None)
            return layers.TimeDistributed(inner)(short(x))

        def conv_lstm():
            y = layers.ConvLSTM1D(size(1, 3), 2, padding="same", return_sequences=True)(wide(x))
            return layers.TimeDistributed(layers.Flatten())(y)

        kinds = {
            "recurrent each step": each_step,
            "conv lstm": conv_lstm,
            "softmax": lambda: layers.Softmax()(x),
            "initial state": lambda: layers.GRU(3, return_sequences=True)(
                x, initial_state=layers.Dense(3)(layers.GlobalAveragePooling1D()(x))
            ),
        }
        if x.shape[1] is not None:
            kinds["unrolled"] = lambda: self.recurrent_layer(True, unroll=True, go_backwards=False)(
                x
            )
        return kinds

    def dropping_kinds(self, x):
        """Layers that drop a mask."""
        features, size, pick = x.shape[-1], self.size, self.pick

        def einsum():
            units = size()
            return layers.EinsumDense("abc,cd->abd", output_shape=(None, units), bias_axes="d")(x)

        kinds = {
            "einsum": einsum,
            "rms": lambda: layers.RMSNormalization(epsilon=1e-2)(x),
            "convolution": lambda: layers.Conv1D(
                size(),
                size(1, 3),
                padding=pick("same", "causal"),
                dilation_rate=pick(1, 2),
                activation=pick(None, "relu"),
                **self.extras(),
            )(x),
            "separable": lambda: pick(
                layers.SeparableConv1D(size(), 2, padding="same"),
                layers.DepthwiseConv1D(2, padding="same", depth_multiplier=size(1, 2)),
            )(x),
            "transposed": lambda: layers.Conv1DTranspose(
                size(), 2, strides=pick(1, 2), padding="same"
            )(x),
            "pooling": lambda: pick(
                layers.MaxPooling1D(2, strides=1, padding="same"),
                layers.AveragePooling1D(2, strides=1),
                layers.UpSampling1D(2),
                layers.ZeroPadding1D(1),
            )(x),
            "ops": lambda: self.op(x, layers.Dense(features)(x)),
        }
        if x.shape[1] is not None:
            kinds["permute"] = lambda: layers.Permute((2, 1))(layers.Dense(3)(x))
        return kinds

    def op(self, x, y):
        table = op_table(Operands(self, x, y, None, keepdims=True))
        name = self.pick(*TRAINED)
        result = table[name]()
        if len(result.shape) != 3 or result.shape[-1] is None or result.dtype != x.dtype:
            raise Unfit
        COUNTS[f"op {name}"] += 1
        return result

    def add(self, x, masked, only_ops):
        """Another layer: the sequence and whether it still has a mask."""
        if only_ops:
            x = layers.Dense(self.size(2, 4), activation="tanh")(x)
            return self.op(x, layers.Dense(x.shape[-1])(x)), False
        keeping, dropping = self.kinds(x), self.dropping_kinds(x)
        rest = {} if masked else self.unmasked_kinds(x)
        name = self.pick(*keeping, *dropping, *rest)
        result = {**keeping, **dropping, **rest}[name]()
        if len(result.shape) != 3:
            raise Unfit
        COUNTS[f"layer {name}"] += 1
        # With returned scores, the result of multi-head attention has no mask, even of masked
        # queries.
        return result, masked and name in keeping and name != "multi head"
