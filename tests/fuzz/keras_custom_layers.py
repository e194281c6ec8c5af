# SPDX-License-Identifier: MIT
"""Layers, cells and functions of a user, for random programs. tests/fuzz/custom_layers.js has
the same in JavaScript, under the same names."""
import keras
from keras import ops

registered = keras.saving.register_keras_serializable(package="Fuzz")


@registered
class Scale(keras.layers.Layer):
    """Passes the mask on, or says that it cannot."""

    def __init__(self, masking=True, **kwargs):
        super().__init__(**kwargs)
        self.masking = masking
        self.supports_masking = masking

    def build(self, shape):
        self.factor = self.add_weight(name="factor", shape=(shape[-1],), initializer="ones")

    def call(self, x):
        return x * self.factor

    def get_config(self):
        return {**super().get_config(), "masking": self.masking}


@registered
class MaskedMean(keras.layers.Layer):
    """Consumes the mask."""

    def call(self, x, mask=None):
        if mask is None:
            return ops.mean(x, axis=1)
        kept = ops.expand_dims(ops.cast(mask, x.dtype), -1)
        return ops.sum(x * kept, axis=1) / ops.maximum(ops.sum(kept, axis=1), 1.0)

    def compute_mask(self, x, mask=None):
        return None


@registered
class SplitTime(keras.layers.Layer):
    """Returns two tensors with a mask each."""

    def call(self, x):
        return [x[:, :1], x[:, 1:]]

    def compute_mask(self, x, mask=None):
        return [None, None] if mask is None else [mask[:, :1], mask[:, 1:]]


@registered
class Gate(keras.layers.Layer):
    """Has layers of its own and uses a mask, without a compute_mask."""

    def __init__(self, units, supports=False, **kwargs):
        super().__init__(**kwargs)
        self.units, self.supports = units, supports
        self.supports_masking = supports
        self.value = keras.layers.Dense(units)
        self.gate = keras.layers.Dense(units, activation="sigmoid")

    def build(self, shape):
        self.value.build(shape)
        self.gate.build(shape)

    def call(self, x, mask=None):
        y = self.value(x) * self.gate(x)
        return y if mask is None else ops.where(ops.expand_dims(ops.cast(mask, "bool"), -1), y, 0.0)

    def get_config(self):
        return {**super().get_config(), "units": self.units, "supports": self.supports}


@registered
class Encoder(keras.layers.Layer):
    """Has a recurrent layer that a mask reaches attached to its input, or as an argument."""

    def __init__(self, units, by_hand=False, **kwargs):
        super().__init__(**kwargs)
        self.units, self.by_hand = units, by_hand
        self.rnn = keras.layers.GRU(units, return_sequences=True)
        self.norm = keras.layers.LayerNormalization(epsilon=1e-2)
        self.supports_masking = True

    def build(self, shape):
        self.rnn.build(shape)
        self.norm.build((*shape[:-1], self.units))

    def call(self, x, mask=None):
        return self.norm(self.rnn(x, mask=mask) if self.by_hand else self.rnn(x))

    def get_config(self):
        return {**super().get_config(), "units": self.units, "by_hand": self.by_hand}


@registered
class Branches(keras.layers.Layer):
    """Takes a dictionary and returns one, whose keys are not in the order of the alphabet."""

    def call(self, inputs):
        a, b = inputs["a"], inputs["b"]
        return {"sum": a + b, "gap": a - b}


@registered
class MinimalCell(keras.layers.Layer):
    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units, self.state_size, self.output_size = units, units, units

    def build(self, shape):
        units = self.units
        self.kernel = self.add_weight(
            name="kernel", shape=(shape[-1], units), initializer="uniform"
        )
        self.recurrent = self.add_weight(
            name="recurrent", shape=(units, units), initializer="uniform"
        )

    def call(self, x, states):
        h = ops.tanh(ops.matmul(x, self.kernel) + ops.matmul(states[0], self.recurrent))
        return h, [h]

    def get_config(self):
        return {**super().get_config(), "units": self.units}


@registered
class CountCell(keras.layers.Layer):
    """Has two states of different sizes; its output is neither."""

    def __init__(self, units, **kwargs):
        super().__init__(**kwargs)
        self.units, self.state_size, self.output_size = units, [units, 1], units + 1

    def build(self, shape):
        self.kernel = self.add_weight(
            name="kernel", shape=(shape[-1], self.units), initializer="uniform"
        )

    def call(self, x, states, training=None):
        total = 0.5 * states[0] + ops.matmul(x, self.kernel)
        count = states[1] + 1.0
        return ops.concatenate([total / count, count], axis=-1), [total, count]

    def get_config(self):
        return {**super().get_config(), "units": self.units}


@registered
def my_activation(x):
    return ops.where(x > 0, x, 0.1 * ops.tanh(x))


def half_plus(x):
    return x * 0.5 + 1.0


def masked(x, mask=None):
    return x if mask is None else x * ops.expand_dims(ops.cast(mask, x.dtype), -1)


def keep_mask(x, mask):
    return mask
