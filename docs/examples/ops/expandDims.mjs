// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
const mask = tensor([[true, false]]); // [batch, time]
console.log(String(ops.expandDims(mask, -1))); // [batch, time, 1]: fits [batch, time, features]
// → [[[T]
// →   [F]]]
// → shape (1, 2, 1), bool
