// SPDX-License-Identifier: MIT
import { layers, ops, ready } from 'maskflow';

await ready();
const cell = layers.lstmCell({ units: 2 });
const zeros = ops.zeros([1, 2]);
const [output, h, c] = cell.apply([[1, 2, 3]], { states: [zeros, zeros] });
console.log(output.shape.join(), h.shape.join(), c.shape.join());
console.log(String(output) === String(h)); // the output is the state h; c stays inside
// → 1,2 1,2 1,2
// → true
