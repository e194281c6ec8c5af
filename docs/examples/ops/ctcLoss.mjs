// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow';

await ready();
// Two steps, classes: 0 the blank, 1 and 2. The label is [1].
const labels = tensor([[1]], { dtype: 'int32' });
const even = tensor([[[0, 0, 0], [0, 0, 0]]]);
const count = (n) => tensor([n], { dtype: 'int32' });
// 3 of the 9 equally likely paths of two steps spell "1": (1, 1), (blank, 1), (1, blank).
const loss = ops.ctcLoss(labels, even, count(1), count(2));
console.log(String(ops.exp(ops.negative(loss)))); // the probability of the label
// → [0.333333]
// → shape (1), float32
