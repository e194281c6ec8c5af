// SPDX-License-Identifier: MIT
// Python programs to begin with: the guide's model, and three that lose a mask.

const classifier = `import keras
from keras import layers

# Ids of words; 0 is padding.
inputs = keras.Input(shape=(None,), dtype="int32")
x = layers.Embedding(5000, 16, mask_zero=True)(inputs)
x = layers.Bidirectional(layers.LSTM(32))(x)
outputs = layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
`;

const convolution = `import keras
from keras import layers

# A convolution has no rule for masks, so the LSTM runs over the padding.
model = keras.Sequential([
    keras.Input(shape=(None,), dtype="int32"),
    layers.Embedding(1000, 16, mask_zero=True),
    layers.Conv1D(32, 5, padding="same", activation="relu"),
    layers.LSTM(16),
    layers.Dense(1, activation="sigmoid"),
])
`;

const custom = `import keras
from keras import layers, ops


class Halve(layers.Layer):
    """Adds neighbouring features. It does not say that it supports masking."""

    def call(self, x):
        return (x[..., ::2] + x[..., 1::2]) / 2


inputs = keras.Input(shape=(None,), dtype="int32")
x = layers.Embedding(1000, 16, mask_zero=True)(inputs)
x = Halve()(x)
outputs = layers.GRU(8)(x)
model = keras.Model(inputs, outputs)
`;

const operation = `import keras
from keras import layers, ops

# Functions of keras.ops return tensors without masks.
inputs = keras.Input(shape=(None, 3))
x = layers.Masking()(inputs)
x = layers.LSTM(8, return_sequences=True)(x)
x = ops.concatenate([x, ops.flip(x, axis=-1)], axis=-1)
outputs = layers.GlobalAveragePooling1D()(x)
model = keras.Model(inputs, outputs)
`;

/** Title and text of each example. */
export const pythonExamples: readonly { title: string; text: string }[] = [
  { title: 'A classifier of words', text: classifier },
  { title: 'Lost in a convolution', text: convolution },
  { title: 'Lost in a layer of one’s own', text: custom },
  { title: 'Lost in an operation', text: operation },
];
