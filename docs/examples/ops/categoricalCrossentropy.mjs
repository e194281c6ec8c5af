// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.categoricalCrossentropy([[0, 1]], [[0.2, 0.8]])));
// → [0.223144]
// → shape (1), float32
