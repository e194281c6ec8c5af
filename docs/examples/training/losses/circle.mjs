// SPDX-License-Identifier: MIT
import { losses, ops, ready, tensor } from 'maskflow';

await ready();
const apart = ops.normalize([[1, 0], [1, 0.1], [-1, 0]]);
const mixed = ops.normalize([[1, 0], [-1, 0.1], [1, 0.1]]);
const classes = tensor([0, 0, 1], { dtype: 'int32' });
// Near what is of its class
console.log(losses.circle(classes, apart).item() < losses.circle(classes, mixed).item());
// → true
