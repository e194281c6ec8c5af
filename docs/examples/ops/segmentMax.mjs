// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const sentence = tensor([0, 1, 0], { dtype: 'int32' });
console.log(String(ops.segmentMax([1, 5, 2], sentence, 2)));
// → [2 5]
// → shape (2), float32
