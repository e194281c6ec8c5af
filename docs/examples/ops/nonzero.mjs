// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const [rows, columns] = ops.nonzero([[0, 7], [8, 0]]);
console.log(String(rows), String(columns));
// → [0 1]
// → shape (2), int32 [1 0]
// → shape (2), int32
