// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
const branches = [(x) => x, (x) => ops.square(x), (x) => ops.negative(x)];
console.log(String(ops.switch(1, branches, tensor([1, 2, 3]))));
// → [1 4 9]
// → shape (3), float32
