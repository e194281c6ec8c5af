// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const goesOn = (i) => ops.less(i, 5);
const step = (i, power) => [ops.add(i, 1), ops.multiply(power, 2)];
const [i, power] = ops.whileLoop(goesOn, step, [0, 1]);
console.log(i.item(), power.item());
// → 5 32
