// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.rad2deg([Math.PI])));
// → [180]
// → shape (1), float32
