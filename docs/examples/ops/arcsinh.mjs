// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
console.log(String(ops.arcsinh([-10, 0, 10])));
// → [-2.99822        0  2.99822]
// → shape (3), float32
