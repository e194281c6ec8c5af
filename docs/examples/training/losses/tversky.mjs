// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
const missing = [[[1, 1, 0, 0]], [[1, 0, 0, 0]]];
const extra = [[[1, 1, 0, 0]], [[1, 1, 1, 0]]];
const settings = { alpha: 0.1, beta: 0.9 };
console.log(losses.tversky(...missing, settings).item().toFixed(3), losses.tversky(...extra, settings).item().toFixed(3));
// → 0.091 0.310
