// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
console.log(String(ops.cast([-1.7, 0.2, 1.7], 'int32'))); // cut towards 0
console.log(String(ops.cast([-1.7, 0, 1.7], 'bool')));
console.log(String(ops.cast(tensor([true, false]), 'float32')));
// → [-1  0  1]
// → shape (3), int32
// → [T F T]
// → shape (3), bool
// → [1 0]
// → shape (2), float32
