// SPDX-License-Identifier: MIT
import { ops, ready, tensor } from 'maskflow/train';

await ready();
console.log(String(ops.associativeScan((a, b) => ops.maximum(a, b), [3, 1, 4, 1, 5])));
// A linear recurrence, h = a h + x, as in state space models.
const combine = (first, then) => ({
  a: ops.multiply(first.a, then.a),
  x: ops.add(ops.multiply(then.a, first.x), then.x),
});
const steps = { a: tensor([0.5, 0.5, 0.5]), x: tensor([1, 1, 1]) };
console.log(String(ops.associativeScan(combine, steps).x));
// → [3 3 4 4 5]
// → shape (5), float32
// → [   1  1.5 1.75]
// → shape (3), float32
