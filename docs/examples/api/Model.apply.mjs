// SPDX-License-Identifier: MIT
import { layers, ready, Sequential } from 'maskflow';

await ready({ seed: 1 });
const lstm = layers.lstm({ units: 2, returnSequences: true });
const model = new Sequential([layers.masking(), lstm]);
const y = model.apply([[[1, 2], [0, 0]]]);
console.log(y.shape.join(), String(y.mask)); // `predict` returns no mask
// → 1,2,2 [[T F]]
// → shape (1, 2), bool
