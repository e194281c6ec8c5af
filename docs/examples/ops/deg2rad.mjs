// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.deg2rad([0, 90, 180])));
// → [      0  1.5708 3.14159]
// → shape (3), float32
