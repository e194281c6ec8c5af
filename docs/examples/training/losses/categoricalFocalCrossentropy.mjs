// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
const sure = losses.categoricalFocalCrossentropy([[0, 1]], [[0.1, 0.9]]).item();
const wrong = losses.categoricalFocalCrossentropy([[0, 1]], [[0.9, 0.1]]).item();
console.log(sure.toFixed(4), wrong.toFixed(4)); // 0.25 (1 - p)² · -log p
// → 0.0003 0.4663
