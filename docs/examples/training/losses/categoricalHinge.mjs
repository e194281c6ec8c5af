// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
// The right class leads by 2
console.log(losses.categoricalHinge([[0, 1, 0]], [[0.5, 3, 1]]).item());
console.log(losses.categoricalHinge([[0, 1, 0]], [[0.5, 1, 1.5]]).item()); // 1 + 1.5 - 1
// → 0
// → 1.5
