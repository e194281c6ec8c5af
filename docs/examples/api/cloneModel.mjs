// SPDX-License-Identifier: MIT
import { cloneModel, Input, layers, ready, Sequential } from 'maskflow/train';

await ready({ seed: 1 });
const model = new Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]);
const copy = cloneModel(model); // the same layers with new weights
const kernels = [model, copy].map((each) => String(each.layers[0].kernel.value));
console.log(copy.countParams(), kernels[0] === kernels[1]);
copy.setWeights(model.getWeights());
console.log(String(copy.predict([[1, 2]])) === String(model.predict([[1, 2]])));
// → 3 false
// → true
