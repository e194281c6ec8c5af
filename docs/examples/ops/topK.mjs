// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const [best, indices] = ops.topK([[0.1, 0.7, 0.2]], 2);
console.log(String(best));
console.log(String(indices));
// → [[0.7 0.2]]
// → shape (1, 2), float32
// → [[1 2]]
// → shape (1, 2), int32
