// SPDX-License-Identifier: MIT
// The entry maskflow/port: it translates a program without wasm, and names the place of an error.
const source = `import keras
from keras import layers

# Ids of words; 0 is padding.
model = keras.Sequential([layers.Embedding(9, 4, mask_zero=True), layers.LSTM(3)])
print(model.predict([[3, 1, 0]]).shape)
import pandas
`;
const translated = `import { layers, ready, Sequential } from 'maskflow';

await ready();

// Ids of words; 0 is padding.
const model = new Sequential([
  layers.embedding({ inputDim: 9, outputDim: 4, maskZero: true }),
  layers.lstm({ units: 3 }),
]);
console.log(model.predict([[3, 1, 0]]).shape);
// Not translated: import of pandas
`;

/** Whether the code is as expected, the lines of a note and of the code, the place of an error. */
export const wanted = [1, 7, 4, 1, 10];

export async function run({ port: { port, PortError } }) {
  const { code, notes, lines } = port(source);
  try {
    port('model = (');
  } catch (error) {
    if (!(error instanceof PortError)) throw error;
    const { line, column } = error;
    return [Number(code === translated), notes[0].line, lines.find(Boolean), line, column];
  }
  return [];
}
