// SPDX-License-Identifier: MIT
// Python for chapter 8.

/** A model whose convolution loses the mask. */
export const convolution = `import keras
from keras import layers

inputs = keras.Input(shape=(None,), dtype="int32")
x = layers.Embedding(10, 4, mask_zero=True)(inputs)
x = layers.Conv1D(4, 3, padding="same")(x)
x = layers.LSTM(3)(x)
model = keras.Model(inputs, x)
`;
