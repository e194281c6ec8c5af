// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow';

await ready({ seed: 1 });
const layer = layers.spatialDropout1D({ rate: 0.5 });
const y = layer.apply(ops.ones([1, 3, 100]), { training: true });
const [first, second, third] = y.array()[0].map(String);
console.log(first === second && second === third); // a feature is gone at all steps or at none
console.log([...new Set(y.data())].sort().join(' '));
// → true
// → 0 2
