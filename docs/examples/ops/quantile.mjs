// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const rows = ops.quantile([[1, 2, 3, 4]], [0.1, 0.9], { axis: 1 });
console.log(String(rows)); // a row for each quantile
// → [[1.3]
// →  [3.7]]
// → shape (2, 1), float32
