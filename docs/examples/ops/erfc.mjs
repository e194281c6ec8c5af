// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.erfc([0, 1, 4])));
// → [         1   0.157299 1.54173e-8]
// → shape (3), float32
