// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
// Divide under NumPy's other name
console.log(String(ops.trueDivide(tensor([7, -7], { dtype: 'int32' }), 2)));
// → [ 3.5 -3.5]
// → shape (2), float32
