// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.convertToTensor([1.5, -1.5], { dtype: 'int32' })));
// → [ 1 -1]
// → shape (2), int32
