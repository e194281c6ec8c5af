// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
// A running mean with a decay, step by step.
const decay = (mean, x) => {
  const next = ops.add(ops.multiply(mean, 0.5), ops.multiply(x, 0.5));
  return [next, next];
};
const [last, means] = ops.scan(decay, 0, [4, 8, 2]);
console.log(last.item());
console.log(String(means));
// → 3.5
// → [  2   5 3.5]
// → shape (3), float32
