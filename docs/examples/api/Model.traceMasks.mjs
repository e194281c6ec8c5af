// SPDX-License-Identifier: MIT
import { Input, layers, Model, ops, ready } from 'maskflow';

await ready();
const ids = Input({ shape: [null], dtype: 'int32' });
const x = layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true }).apply(ids);
const outputs = layers.gru({ units: 3 }).apply(ops.add(x, 1));
const model = new Model({ inputs: ids, outputs });
for (const { className, role } of model.traceMasks([[1, 2, 0]]))
  console.log(className, role);
// → Embedding makes
// → Add drops
// → GRU none
