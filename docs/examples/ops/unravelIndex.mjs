// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const [row, column] = ops.unravelIndex(tensor([4], { dtype: 'int32' }), [2, 3]);
console.log(row.item(), column.item());
// → 1 1
