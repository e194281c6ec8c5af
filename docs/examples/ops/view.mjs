// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.view([1], 'int32')));
// → [1065353216]
// → shape (1), int32
