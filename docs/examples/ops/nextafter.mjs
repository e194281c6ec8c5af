// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const next = ops.nextafter([1], [2]);
console.log(next.item() - 1);
// → 1.1920928955078125e-7
