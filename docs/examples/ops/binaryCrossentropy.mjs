// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.binaryCrossentropy([1, 0], [0.9, 0.9]))); // right, and wrong
// → [0.105361  2.30258]
// → shape (2), float32
