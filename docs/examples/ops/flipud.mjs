// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.flipud([[1, 2], [3, 4]])));
// → [[3 4]
// →  [1 2]]
// → shape (2, 2), float32
