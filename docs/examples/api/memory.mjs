// SPDX-License-Identifier: MIT
import { memory, ready, tensor } from 'maskflow';

await ready();
const before = memory();
const x = tensor([[1, 2], [3, 4]]);
console.log(memory().tensors - before.tensors, memory().bytes - before.bytes);
x.dispose();
console.log(memory().tensors - before.tensors);
// → 1 16
// → 0
