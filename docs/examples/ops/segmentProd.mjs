// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const sentence = tensor([0, 0, 1], { dtype: 'int32' });
console.log(String(ops.segmentProd([2, 5, 3], sentence, 2)));
// → [10  3]
// → shape (2), float32
