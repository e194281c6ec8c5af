// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow';

await ready();
const steps = ops.unstack([[1, 2, 3], [4, 5, 6]], { axis: 1 }); // one tensor for each step
console.log(steps.map((step) => String(step.data())).join(' | '));
// → 1,4 | 2,5 | 3,6
