// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.size([[1, 2, 3]])));
// → 3
// → shape (), int32
