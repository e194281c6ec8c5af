// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.arctanh([-0.5, 0, 0.5])));
// → [-0.549306         0  0.549306]
// → shape (3), float32
