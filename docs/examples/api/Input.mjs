// SPDX-License-Identifier: MIT
import { Input, layers, Model, ready } from 'maskflow';

await ready({ seed: 1 });
const ids = Input({ shape: [null], dtype: 'int32', name: 'ids' });
const x = layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true }).apply(ids);
const model = new Model({ inputs: ids, outputs: layers.gru({ units: 3 }).apply(x) });
console.log(JSON.stringify(ids.shape), model.predict([[1, 2, 0]]).shape.join());
// → [null,null] 1,3
