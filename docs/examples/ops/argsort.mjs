// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.argsort([30, 10, 20])));
// → [1 2 0]
// → shape (3), int32
