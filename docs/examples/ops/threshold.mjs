// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.threshold([-1, 0.5, 2], { threshold: 1, defaultValue: -9 })));
// → [-9 -9  2]
// → shape (3), float32
