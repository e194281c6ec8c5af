# SPDX-License-Identifier: MIT
"""A random graph of what keras_graph.py does without: ops, layers of a user, models in models
with several inputs and outputs, stateful layers, ConvLSTM1D, masks as arguments, Lambda."""
import keras
from keras import layers, ops
from keras_custom_layers import (
    Branches,
    CountCell,
    Encoder,
    Gate,
    MaskedMean,
    MinimalCell,
    Scale,
    SplitTime,
    half_plus,
    keep_mask,
    masked,
    my_activation,
)
from keras_graph import Graph, Refused
from keras_ops import Operands, op_table
from keras_random import COUNTS

NAMED_ACTIVATIONS = (
    "relu tanh exponential mish swish log_softmax hard_silu leaky_relu celu glu sparse_plus squareplus"
    " hard_tanh threshold tanh_shrink soft_shrink hard_shrink linear sparsemax sparse_sigmoid gelu selu"
    " log_sigmoid softsign"
).split()

# Kinds of nodes that programs contain in addition to those of graphs.
EXTRA = {
    "ops": {"op": 60},
    "nested": {"submodel": 40},
    "structures": {"submodel": 10},
    "custom": {"custom": 45},
    "stateful": {"stateful": 40},
    "models by step": {"model_by_step": 30},
    "convolutional": {"conv_lstm": 40},
    "explicit": {"explicit": 50},
    "lambda": {"lambdas": 40},
    "edge": {"custom": 5, "op": 10, "model_by_step": 4},
    "dtypes": {"op": 15, "custom": 5},
    "mixed": {
        "op": 12,
        "custom": 8,
        "submodel": 8,
        "model_by_step": 5,
        "conv_lstm": 4,
        "explicit": 8,
        "lambdas": 4,
    },
}

INNER = "recurrent simple merge bidirectional pooling attention custom op".split()


class Program(Graph):
    common = {
        "recurrent": 6,
        "bidirectional": 4,
        "cells": 3,
        "time_distributed": 3,
        "multi_head": 3,
        "attention": 3,
        "merge": 6,
        "pooling": 3,
        "simple": 5,
        "shape": 3,
        "convolution": 1,
        "nested": 1,
    }

    def __init__(self, rng, kind):
        self.kind = kind
        self.weights = {**self.common, **EXTRA[kind]}
        super().__init__(rng)
        if kind == "stateful" and self.known_batch is None:
            raise Refused

    def op(self):
        x = self.of_rank(3) if self.flip(0.75) else self.of_rank(2)
        alike = [t for t in self.tensors if tuple(t.shape) == tuple(x.shape) and t.dtype == x.dtype]
        table = op_table(Operands(self, x, self.one_of(alike), self.known_batch))
        name = self.pick(*table)
        self.give(table[name]())
        COUNTS[f"op {name}"] += 1

    def custom(self):
        x = self.of_rank(3)
        size = self.size
        kinds = {
            "scale": lambda: Scale(masking=self.flip(0.7))(x),
            "mean": lambda: MaskedMean()(x),
            "split": lambda: self.split(x),
            "gate": lambda: Gate(size(), supports=self.flip())(x),
            "encoder": lambda: Encoder(size(), by_hand=self.flip())(x),
            "branches": lambda: self.branches(x),
            "cell": lambda: self.custom_cell(x),
            "both ways": lambda: layers.Bidirectional(
                layers.RNN(MinimalCell(size()), return_sequences=self.flip()),
                merge_mode=self.pick("concat", "sum", "ave", "mul", None),
            )(x),
            "stack": lambda: layers.RNN(
                [MinimalCell(size()), layers.LSTMCell(size()), CountCell(size())],
                return_sequences=self.flip(),
                return_state=self.flip(0.3),
            )(x),
            "by step": lambda: layers.TimeDistributed(Scale(masking=False))(x),
            "activation": lambda: self.pick(
                lambda: layers.Activation(my_activation),
                lambda: layers.Dense(size(), activation=my_activation),
            )()(x),
        }
        self.give(kinds[self.pick(*kinds)]())

    def split(self, x):
        if x.shape[1] is not None and x.shape[1] < 2:
            raise Refused
        return SplitTime()(x)

    def branches(self, x):
        alike = [t for t in self.tensors if tuple(t.shape) == tuple(x.shape)]
        results = Branches()({"a": x, "b": self.one_of(alike)})
        return [results["sum"], results["gap"]]

    def custom_cell(self, x):
        return layers.RNN(
            self.pick(MinimalCell, CountCell)(self.size()),
            return_sequences=self.flip(0.7),
            return_state=self.flip(0.3),
            go_backwards=self.flip(0.25),
            zero_output_for_mask=self.flip(0.3),
        )(x)

    def lambdas(self):
        x = self.of_rank(3)
        kind = self.pick("half", "masked", "keep", "activation")
        if kind == "activation":
            return self.give(layers.Activation(self.pick(*NAMED_ACTIVATIONS))(x))
        function = {"half": half_plus, "masked": masked, "keep": half_plus}[kind]
        # The package finds the JavaScript for it by this name.
        name = f"lambda_{kind}_{len(self.tensors)}"
        mask = keep_mask if kind == "keep" else None
        return self.give(layers.Lambda(function, mask=mask, name=name)(x))

    def submodel(self):
        """A model of one or two inputs and up to three outputs, grouped somehow, perhaps called
        twice."""
        x = self.of_rank(3)
        features = x.shape[-1]
        partners = [
            t
            for t in self.tensors
            if len(t.shape) == 3 and t.shape[-1] == features and t.shape[1] == x.shape[1]
        ]
        count = self.whole(1, 2)
        inputs = [keras.Input((None, features)) for _ in range(count)]
        outputs = self.inner_outputs(inputs)
        named = count > 1 and self.flip(0.4)

        def grouped(values):
            if named:
                return {f"i{i}": value for i, value in enumerate(values)}
            return values if count > 1 else values[0]

        results = outputs if len(outputs) > 1 else outputs[0]
        if self.flip(0.3):
            # In an order that is not that of the alphabet.
            results = {f"{'zam'[i]}": value for i, value in enumerate(outputs)}
        model = keras.Model(grouped(inputs), results)
        for _ in range(self.pick(1, 2, p=[0.6, 0.4])):
            others = [self.one_of(partners) for _ in range(count - 1)]
            self.give(model(grouped([x, *others])))
            x = self.one_of(partners)

    def inner_outputs(self, inputs):
        """One to three tensors of a graph that begins with these inputs and has no others."""
        inner = Program.__new__(Program)
        inner.rng, inner.kind = self.rng, "inner"
        inner.weights = {name: 1 for name in INNER}
        inner.inputs, inner.data, inner.masks = [], [], []
        inner.batch, inner.time, inner.known_batch = self.batch, self.time, None
        inner.tensors = list(inputs)
        inner.grow(2)
        if inner.inputs:
            raise Refused
        known = {id(x) for x in inputs}
        outputs = [t for t in inner.tensors if id(t) not in known]
        if not outputs:
            raise Refused
        return outputs[-self.whole(1, 3) :]

    def model_by_step(self):
        """TimeDistributed of a model or of a layer of recurrent layers."""
        x = self.of_rank(3)
        count, features = self.whole(2, 3), x.shape[-1]
        y = layers.TimeDistributed(layers.RepeatVector(count))(x)
        if self.flip():
            y = ops.cumsum(y, axis=2)
        inputs = keras.Input((count, features))

        def sequence():
            return self.recurrent_layer(sequences=True, state=False, unroll=False)

        def either():
            return self.recurrent_layer(state=False, unroll=False, go_backwards=False)

        inner = self.pick(
            lambda: keras.Sequential(
                [
                    keras.Input((count, features)),
                    layers.Conv1D(self.size(), 2, padding="same"),
                    layers.GlobalMaxPooling1D(),
                    layers.Dense(2),
                ]
            ),
            lambda: keras.Model(inputs, layers.GlobalAveragePooling1D()(sequence()(inputs))),
            lambda: keras.Model(inputs, either()(inputs)),
            lambda: layers.Bidirectional(either()),
            lambda: layers.TimeDistributed(layers.Dense(self.size())),
        )()
        self.give(layers.TimeDistributed(inner)(y))

    def conv_lstm(self):
        x = self.of_rank(3)
        y = layers.TimeDistributed(layers.RepeatVector(self.whole(2, 4)))(x)
        y = ops.cumsum(y, axis=2)
        for _ in range(self.whole(1, 2)):
            config = {
                "filters": self.size(),
                "kernel_size": self.whole(1, 3),
                "padding": self.pick("same", "valid"),
                "return_sequences": self.flip(0.7),
                "go_backwards": self.flip(0.2),
                "zero_output_for_mask": self.flip(0.3),
                "use_bias": self.flip(0.8),
                "activation": self.pick("tanh", "relu"),
                "recurrent_activation": self.pick("sigmoid", "hard_sigmoid"),
            }
            if self.flip(0.3):
                config.update(dilation_rate=2, padding="same")
            elif self.flip(0.2):
                config["strides"] = 2
            options = {"mask": self.mask_input(x)} if self.flip(0.3) else {}
            y = layers.ConvLSTM1D(**config)(y, **options)
            self.give(y)
            if len(y.shape) != 4:
                return

    def explicit(self):
        """A mask as an argument."""
        x = self.of_rank(3)
        mask = self.mask_input(x)
        if self.flip(0.3):
            mask = ops.cast(mask, self.pick("int32", "float32"))
        kept = ops.cast(mask, "bool")
        size, flip, pick = self.size, self.flip, self.pick
        self.give(
            pick(
                lambda: self.recurrent_layer(unroll=False)(x, mask=mask),
                lambda: layers.Bidirectional(
                    self.recurrent_layer(unroll=False, go_backwards=False)
                )(x, mask=mask),
                lambda: layers.TimeDistributed(layers.Dense(2))(x, mask=mask),
                lambda: layers.GlobalAveragePooling1D(keepdims=flip(0.3))(x, mask=mask),
                lambda: layers.BatchNormalization(epsilon=1e-2)(x, mask=mask),
                lambda: layers.Softmax(axis=pick(1, -1))(x, mask=ops.expand_dims(kept, -1)),
                lambda: self.attention_mask(x, kept),
                lambda: layers.MultiHeadAttention(2, size())(
                    x, x, **{pick("value_mask", "key_mask", "query_mask"): kept}
                ),
                lambda: pick(layers.Attention, layers.AdditiveAttention)()(
                    [x, x], mask=[kept, ops.cast(self.mask_input(x), "bool")]
                ),
                lambda: layers.RNN(
                    pick(MinimalCell, layers.GRUCell)(size()), return_sequences=flip()
                )(x, mask=mask),
                lambda: keras.Sequential(
                    [
                        self.recurrent_layer(sequences=True, state=False, unroll=False),
                        layers.GlobalAveragePooling1D(),
                    ]
                )(x, mask=mask),
                lambda: MaskedMean()(x, mask=mask),
                lambda: Gate(2, supports=flip())(x, mask=mask),
                lambda: Encoder(2, by_hand=True)(x, mask=mask),
                lambda: layers.ConvLSTM1D(
                    2, 2, padding="same", return_sequences=flip(), zero_output_for_mask=flip()
                )(layers.TimeDistributed(layers.RepeatVector(3))(x), mask=mask),
            )()
        )

    def attention_mask(self, x, kept):
        seen = ops.logical_and(
            ops.expand_dims(kept, 1), ops.expand_dims(ops.cast(self.mask_input(x), "bool"), 2)
        )
        layer = self.pick(
            layers.MultiHeadAttention(2, self.size()),
            layers.GroupQueryAttention(self.size(), 2, 1),
        )
        options = {"return_attention_scores": True} if self.flip(0.3) else {}
        return layer(x, x, attention_mask=seen, **options)

    def stateful(self):
        x = self.of_rank(3)
        kept = {"unroll": False, "stateful": True, "dropout": 0, "recurrent_dropout": 0}
        kind = self.pick("one way", "one way", "both ways", "cells")
        if kind == "one way":
            self.give(self.recurrent_layer(state=self.flip(0.2), **kept)(x))
        elif kind == "both ways":
            inner = self.recurrent_layer(state=False, go_backwards=False, **kept)
            self.give(layers.Bidirectional(inner)(x))
        else:
            cells = [layers.LSTMCell(self.size()), layers.GRUCell(self.size())]
            self.give(layers.RNN(cells, stateful=True, return_sequences=self.flip())(x))
