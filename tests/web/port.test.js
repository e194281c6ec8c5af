// SPDX-License-Identifier: MIT
// Python programs as JavaScript: names, settings, notes, lines, errors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { port, PortError } from '../../dist/port.js';

/** Returns the program without its imports and start. */
const bodyOf = (source) => {
  const { code } = port(source);
  return code.slice(code.indexOf('await ready();') < 0 ? 0 : code.indexOf('await ready();') + 16);
};
const kindsOf = (source) => port(source).notes.map(({ kind }) => kind);

test('translates a Sequential model with its imports', () => {
  const { code, notes } = port(`from tensorflow import keras
from tensorflow.keras import layers as L

model = keras.Sequential([
    L.Embedding(5000, 16, mask_zero=True),
    L.LSTM(32, return_sequences=True),
    L.Dense(3, activation="softmax"),
])
`);
  assert.equal(
    code,
    `import { layers, ready, Sequential } from 'maskflow';

await ready();

const model = new Sequential([
  layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true }),
  layers.lstm({ units: 32, returnSequences: true }),
  layers.dense({ units: 3, activation: 'softmax' }),
]);
`,
  );
  assert.deepEqual(notes, []);
});

test('errors have line and column', () => {
  assert.throws(
    () => port('x = 1\ny = = 2\n'),
    (error) => error instanceof PortError && error.line === 2 && error.column === 5,
  );
});

test('a statement without a partner is a comment and a note', () => {
  const source = 'import matplotlib.pyplot as plt\nplt.plot([1])\nx = 1\n';
  assert.match(bodyOf(source), /\/\/ plt\.plot\(\[1\]\)\nconst x = 1;/);
  assert.deepEqual(kindsOf(source), ['import', 'absent']);
});
