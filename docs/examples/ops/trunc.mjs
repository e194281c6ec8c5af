// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.trunc([-1.5, 1.5])));
// → [-1  1]
// → shape (2), float32
