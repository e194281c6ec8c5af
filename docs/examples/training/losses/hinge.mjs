// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
// 0 from a margin of 1 on
console.log(String(losses.hinge([[1], [1], [-1]], [[2], [0.25], [0.25]], { reduction: 'none' })));
// → [   0 0.75 1.25]
// → shape (3), float32
