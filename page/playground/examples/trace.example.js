// SPDX-License-Identifier: MIT
// Where does the mask go? Each layer says what it did with it, and what to do where it was lost.
import { Input, layers, Model, ops, padSequences, ready } from 'maskflow';

await ready({ seed: 7, onMaskDropped: 'silent' });
const input = Input({ shape: [null], dtype: 'int32' });
const x = layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true }).apply(input);
const model = new Model({ inputs: input, outputs: layers.lstm({ units: 8 }).apply(ops.add(x, 1)) });

const ids = padSequences(
  [
    [711, 632, 71],
    [73, 8, 3215, 55, 927],
  ],
  { padding: 'post' },
);
for (const { className, role, reason, remedy } of model.traceMasks(ids)) {
  console.log(`${className} ${role}. ${reason}`);
  if (remedy) console.log(`  What to do: ${remedy}`);
}
