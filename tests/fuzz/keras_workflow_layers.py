# SPDX-License-Identifier: MIT
"""Layers and cells of a user, for random workflows. tests/fuzz/workflow_layers.js has the same in
JavaScript, under the same names."""
import keras
from keras import layers, ops

registered = keras.saving.register_keras_serializable(package="Workflows")
dense = layers.Dense


class Configured(layers.Layer):
    """A layer whose own settings, named in `own`, are in its config; `prepare` receives them."""

    own = ()

    def __init__(self, masking=False, **config):
        settings = {key: config.pop(key) for key in self.own if key in config}
        super().__init__(**config)
        self.settings = settings
        self.supports_masking = self.masking = masking
        self.prepare(**settings)

    def prepare(self, **settings):
        pass

    def get_config(self):
        return {**super().get_config(), "masking": self.masking, **self.settings}


@registered
class Scale(Configured):
    def build(self, shape):
        self.factor = self.add_weight(name="factor", shape=(shape[-1],), initializer="ones")

    def call(self, x):
        return x * self.factor


@registered
class Block(Configured):
    """Has sublayers in attributes and no build."""

    own = ("units",)

    def prepare(self, units):
        self.first, self.second = dense(units, activation="tanh"), dense(units)

    def call(self, x):
        return self.second(self.first(x))


@registered
class ListBlock(Configured):
    own = ("units",)

    def prepare(self, units):
        self.parts = [dense(units, activation="tanh") for _ in range(3)]

    def call(self, x):
        for part in self.parts:
            x = part(x)
        return x


@registered
class DictBlock(Configured):
    own = ("units",)

    def prepare(self, units):
        self.parts = {"b": dense(units), "a": dense(units, activation="tanh")}

    def call(self, x):
        return self.parts["a"](x) + self.parts["b"](x)


@registered
class Tower(Configured):
    """Has sublayers in a dictionary of lists, and one that normalizes."""

    own = ("units",)

    def prepare(self, units):
        self.floors = {
            "up": [dense(units, activation="tanh"), dense(units)],
            "down": [layers.BatchNormalization(epsilon=0.01, momentum=0.6)],
        }

    def call(self, x):
        for part in [*self.floors["up"], *self.floors["down"]]:
            x = part(x)
        return x


@registered
class NormBlock(Configured):
    own = ("units", "explicit")

    def prepare(self, units, explicit):
        self.dense, self.explicit = dense(units), explicit
        self.norm = layers.BatchNormalization(epsilon=0.01, momentum=0.6)

    def call(self, x, training=None):
        y = self.dense(x)
        return self.norm(y, training=training) if self.explicit else self.norm(y)


@registered
class Mixed(Configured):
    """Has weights, one of which is not trained, and a sublayer."""

    own = ("units",)

    def prepare(self, units):
        self.dense = dense(units)

    def build(self, shape):
        self.k = self.add_weight(name="k", shape=(shape[-1],), initializer="ones")
        self.c = self.add_weight(
            name="c", shape=(self.settings["units"],), initializer="ones", trainable=False
        )

    def call(self, x):
        return self.dense(x * self.k) * self.c


@registered
class LateParts(Configured):
    """Creates its sublayer in build."""

    own = ("units",)

    def build(self, shape):
        self.dense = dense(self.settings["units"])
        self.dense.build(shape)

    def call(self, x):
        return self.dense(x)


@registered
class HalfFrozen(Configured):
    own = ("units",)

    def prepare(self, units):
        self.kept, self.dense = dense(units), dense(units)
        self.kept.trainable = False

    def call(self, x):
        return self.dense(self.kept(x))


@registered
class InTraining(Configured):
    def call(self, x, training=None):
        # The result is always another tensor: Keras would keep the mask on x itself.
        return x * 1.5 if training else x * 1.0


@registered
class AddsLoss(Configured):
    own = ("rate",)

    def call(self, x):
        self.add_loss(self.settings["rate"] * ops.mean(ops.square(x)))
        return x * 1.0


@registered
class Counter(Configured):
    def build(self, shape):
        self.n = self.add_weight(name="n", shape=(1,), initializer="zeros", trainable=False)

    def call(self, x, training=None):
        if training:
            self.n.assign(self.n + 1.0)
        return x * 1.0


@registered
class KnownShape(Configured):
    """Has compute_output_shape and no build."""

    own = ("units",)

    def prepare(self, units):
        self.dense = dense(units)

    def call(self, x):
        return self.dense(x)

    def compute_output_shape(self, shape):
        return (*shape[:-1], self.settings["units"])


@registered
class Twice(Configured):
    """Has one sublayer under two names."""

    own = ("units",)

    def prepare(self, units):
        self.first, self.a = dense(units), dense(units, activation="tanh")
        self.b = self.a

    def call(self, x):
        return self.b(self.a(self.first(x)))


@registered
class MaskedMean(Configured):
    def call(self, x, mask=None):
        if mask is None:
            return ops.mean(x, axis=1)
        kept = ops.expand_dims(ops.cast(mask, x.dtype), -1)
        return ops.sum(x * kept, axis=1) / ops.maximum(ops.sum(kept, axis=1), 1.0)

    def compute_mask(self, x, mask=None):
        return None


@registered
class Transformer(Configured):
    """A block of a transformer whose sublayers are created in build."""

    def build(self, shape):
        self.attention = layers.MultiHeadAttention(2, 2)
        self.norm = layers.LayerNormalization(epsilon=0.01)
        self.feed = keras.Sequential([dense(3, activation="relu"), dense(shape[-1])])
        self.drop = layers.Dropout(0.0)
        self.attention.build(shape, shape)
        self.norm.build(shape)
        self.feed.build(shape)

    def call(self, x):
        # Scores keep torch from its fused attention, whose gradients are wrong for some masks.
        y = self.attention(x, x, return_attention_scores=True)[0]
        x = self.norm(x + self.drop(y))
        return x + self.feed(x)


@registered
class Inner(Configured):
    """Has a recurrent layer that a mask reaches attached to its input, or as an argument."""

    own = ("units", "by_hand")

    def prepare(self, units, by_hand):
        self.rnn, self.by_hand = layers.GRU(units, return_sequences=True), by_hand

    def call(self, x, mask=None):
        return self.rnn(x, mask=mask) if self.by_hand else self.rnn(x)


@registered
class Positions(Configured):
    """Adds a learned vector for each position to that of each id."""

    own = ("vocabulary", "length", "size")

    def prepare(self, vocabulary, length, size):
        self.tokens = layers.Embedding(vocabulary, size)
        self.places = layers.Embedding(length, size)

    def call(self, ids):
        return self.tokens(ids) + self.places(ops.arange(ops.shape(ids)[1]))

    def compute_mask(self, ids, mask=None):
        return ops.not_equal(ids, 0)


@registered
class Wrapper(layers.Layer):
    """Holds a layer that the program created."""

    def __init__(self, layer, masking=True, **config):
        super().__init__(**config)
        self.layer, self.masking, self.supports_masking = layer, masking, masking

    def call(self, x):
        return self.layer(x)

    def get_config(self):
        layer = keras.saving.serialize_keras_object(self.layer)
        return {**super().get_config(), "layer": layer, "masking": self.masking}

    @classmethod
    def from_config(cls, config):
        layer = keras.saving.deserialize_keras_object(config["layer"])
        return cls(**{**config, "layer": layer})


@registered
class PlainCell(Configured):
    own = ("units",)

    def prepare(self, units):
        self.state_size = units

    def build(self, shape):
        size = self.state_size
        self.k = self.add_weight(name="k", shape=(shape[-1], size))
        self.r = self.add_weight(name="r", shape=(size, size))

    def call(self, x, states, training=None):
        h = ops.tanh(ops.matmul(x, self.k) + ops.matmul(states[0], self.r))
        return h, [h]


@registered
class StartCell(PlainCell):
    """Begins with states that are not zeros."""

    def get_initial_state(self, batch_size=None):
        return [ops.full((batch_size, self.state_size), 0.5)]


@registered
class LayerCell(Configured):
    """Consists of a sublayer."""

    own = ("units",)

    def prepare(self, units):
        self.state_size, self.dense = units, dense(units, activation="tanh")

    def build(self, shape):
        self.dense.build((shape[0], shape[-1] + self.state_size))

    def call(self, x, states):
        h = self.dense(ops.concatenate([x, states[0]], axis=-1))
        return h, [h]


@registered
class StartLayerCell(LayerCell):
    def get_initial_state(self, batch_size=None):
        return [ops.full((batch_size, self.state_size), -0.25)]


LAYERS = {
    each.__name__: each
    for each in (
        *(Scale, Block, ListBlock, DictBlock, Tower, NormBlock, Mixed, LateParts, HalfFrozen),
        *(InTraining, AddsLoss, Counter, KnownShape, Twice, MaskedMean, Transformer, Inner),
        *(Positions, Wrapper, PlainCell, StartCell, LayerCell, StartLayerCell),
    )
}


class WithMask(keras.Operation):
    """The identity with another mask. Keras has no public call for it, the package `withMask`."""

    def call(self, x, mask):
        y = x * 1.0
        keras.src.backend.set_keras_mask(y, mask)
        return y

    def compute_output_spec(self, x, mask):
        y = keras.KerasTensor(x.shape, x.dtype)
        y._keras_mask = mask
        return y
