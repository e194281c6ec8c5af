// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const classes = tensor([0, 1], { dtype: 'int32' });
console.log(String(ops.inTopK(classes, [[0.1, 0.2, 0.7], [0.5, 0.3, 0.2]], 2)));
// → [F T]
// → shape (2), bool
