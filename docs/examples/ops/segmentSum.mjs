// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const sentence = tensor([0, 1, 0], { dtype: 'int32' });
console.log(String(ops.segmentSum([1, 5, 2], sentence, 2)));
// → [3 5]
// → shape (2), float32
