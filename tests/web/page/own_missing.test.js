// SPDX-License-Identifier: MIT
// Chapter 7: Python code whose data has no partner.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { port } from '../../../dist/port.js';
import * as mf from '../../../dist/train.js';
import { pageModule } from '../../support/page.js';
import { runPorted } from '../../support/ported.js';

const { withoutData } = await pageModule("export * from './chapters/own/missing.ts';");

before(() => mf.ready());

test('Python code whose data is missing still shows its model', async () => {
  const source = `import keras
import pandas as pd
from keras import layers
df = pd.read_csv("a.csv")
x, y = df["x"], df["y"]
n = x.shape[0]
model = keras.Sequential([layers.Input((3, 1)), layers.LSTM(2, name="x")])
model.compile(loss="mse")
def train(epochs):
    return model.fit(x, y, epochs=epochs)
history = train(3)
for k in range(2):
    model.fit(x, y, epochs=k)
print(
    model.predict(x[:5]).shape)
print(history.history)
x = [1]
print(x)
`;
  const { code } = port(source);
  const text = withoutData(code);
  assert.equal(text.split('\n').length, code.split('\n').length);
  const rest = text.split('\n').filter((line) => line && !/^\s*\/\/|^import/.test(line));
  const { found, lines } = await runPorted(text, ['model']);
  assert.deepEqual(found.model.getWeights()[0].shape, [1, 8]);
  assert.deepEqual(lines, ['1']);
  assert.match(text, /^\/\/ const history = await train\(3\);$/m);
  assert.match(text, /^\/\/ for \(.*\n\/\/ {3}await model.fit.*\n\/\/ \}$/m);
  assert.ok(rest.length > 6, rest.join('\n'));
  assert.equal(withoutData('const x = 1;\nf(x);\n'), 'const x = 1;\nf(x);\n');
});
