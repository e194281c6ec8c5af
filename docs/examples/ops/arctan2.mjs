// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.arctan2([1, -1], [-1, -1]))); // angles of two points
// → [ 2.35619 -2.35619]
// → shape (2), float32
