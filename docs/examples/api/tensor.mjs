// SPDX-License-Identifier: MIT
import { ready, tensor } from 'maskflow';

await ready();
console.log(String(tensor([[1, 2], [3, 4]])));
console.log(tensor(new Int32Array([1, 2, 3, 4, 5, 6]), { shape: [2, 3] }).shape.join());
console.log(tensor([true, false]).dtype);
// → [[1 2]
// →  [3 4]]
// → shape (2, 2), float32
// → 2,3
// → bool
