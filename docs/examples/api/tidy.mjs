// SPDX-License-Identifier: MIT
import { memory, ready, tensor, tidy } from 'maskflow';

await ready();
const before = memory().tensors;
const sum = tidy(() => tensor([1, 2, 3]).multiply(2).sum());
console.log(sum.item(), memory().tensors - before); // only the result is left
sum.dispose();
// → 12 1
