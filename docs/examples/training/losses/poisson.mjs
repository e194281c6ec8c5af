// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
// Least where they agree
console.log(losses.poisson([[3]], [[3]]).item() < losses.poisson([[3]], [[2]]).item());
// Nothing came: the expected number itself
console.log(losses.poisson([[0]], [[2]]).item().toFixed(4));
// → true
// → 2.0000
