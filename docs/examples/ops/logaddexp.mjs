// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.logaddexp([1000], [1000]))); // e^1000 would overflow
// → [1000.69]
// → shape (1), float32
