// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.tan([0, Math.PI / 4])));
// → [0 1]
// → shape (2), float32
