// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
console.log(String(ops.matmul([[1, 2], [3, 4]], [[1, 0], [0, 10]])));
// Leading axes broadcast
console.log(ops.matmul(ops.ones([5, 2, 3]), ops.ones([3, 4])).shape.join());
// → [[ 1 20]
// →  [ 3 40]]
// → shape (2, 2), float32
// → 5,2,4
