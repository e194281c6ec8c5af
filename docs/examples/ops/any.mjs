// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const x = [[0, 0], [1, 0]];
console.log(String(ops.any(x, { axis: 1 }))); // one that is not zero?
const features = tensor([[[0, 0], [0, 3]]]);
// The mask that Masking makes
console.log(String(ops.any(ops.notEqual(features, 0), { axis: -1 })));
// → [F T]
// → shape (2), bool
// → [[F T]]
// → shape (1, 2), bool
