// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
// X² / 2, then |x| - log 2
console.log(String(losses.logCosh([[0], [0]], [[0.01], [100]], { reduction: 'none' })));
// → [0.0000500083      99.3069]
// → shape (2), float32
