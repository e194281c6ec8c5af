// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const [i, power] = ops.whileLoop((i) => ops.less(i, 5), (i, power) => [ops.add(i, 1), ops.multiply(power, 2)], [0, 1]);
console.log(i.item(), power.item());
// → 5 32
