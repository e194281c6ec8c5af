// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.arccosh([1, 10])));
// → [      0 2.99322]
// → shape (2), float32
