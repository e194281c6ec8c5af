// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(ops.allclose([1, 2], [1.000001, 2]).item() === 1);
// → true
