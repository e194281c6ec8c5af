// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const heads = ops.rearrange([[[1, 2, 3, 4], [5, 6, 7, 8]]], 'b t (h d) -> b h t d', { h: 2 });
console.log(String(heads));
// → [[[[1 2]
// →    [5 6]]
// →   [[3 4]
// →    [7 8]]]]
// → shape (1, 2, 2, 2), float32
