// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.inner([1, 2, 3], [4, 5, 6])));
// → 32
// → shape (), float32
