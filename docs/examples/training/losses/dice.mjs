// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
console.log(losses.dice([[1, 1, 0, 0]], [[1, 1, 0, 0]]).item().toFixed(4));
// 1 - 2 · 1 / (2 + 1)
console.log(losses.dice([[1, 1, 0, 0]], [[1, 0, 0, 0]]).item().toFixed(4));
// → 0.0000
// → 0.3333
