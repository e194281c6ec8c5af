// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.trace([[1, 2], [3, 4]])));
// → 5
// → shape (), float32
