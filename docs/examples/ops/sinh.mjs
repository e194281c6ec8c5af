// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.sinh([-1, 0, 1])));
// → [-1.1752       0  1.1752]
// → shape (3), float32
