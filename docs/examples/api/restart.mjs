// SPDX-License-Identifier: MIT
import { memory, ready, restart, tensor } from 'maskflow';

await ready();
const x = tensor([1, 2, 3]);
await restart(); // a new, small memory; earlier tensors and models are lost
console.log(memory().tensors);
try {
  x.data();
} catch (error) {
  console.log(error.name);
}
// → 0
// → StateError
