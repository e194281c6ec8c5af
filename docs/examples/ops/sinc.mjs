// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.sinc([0, 0.5, 1.5])));
// → [        1   0.63662 -0.212207]
// → shape (3), float32
