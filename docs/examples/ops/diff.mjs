// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.diff([[1, 4, 9, 16]]))); // steps of a series
// → [[3 5 7]]
// → shape (1, 3), float32
