// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(ops.prod([[1, 2], [3, 4]]).item());
// → 24
