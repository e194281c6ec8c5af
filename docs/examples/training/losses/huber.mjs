// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
const differences = [[0.5], [10]];
const each = losses.huber([[0], [0]], differences, { reduction: 'none' });
console.log(String(each)); // 0.5² / 2; beyond 1 it grows with the distance alone: 10 - 1/2
console.log(losses.huber([[0]], [[10]], { delta: 4 }).item()); // 4 · (10 - 4 / 2)
// → [0.125   9.5]
// → shape (2), float32
// → 32
