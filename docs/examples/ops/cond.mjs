// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const x = 3;
console.log(ops.cond(ops.greater(x, 2), () => 'large', () => 'small'));
// → large
