// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
console.log(losses.poisson([[3]], [[3]]).item() < losses.poisson([[3]], [[2]]).item()); // least where they agree
console.log(losses.poisson([[0]], [[2]]).item().toFixed(4)); // nothing came: the expected number itself
// → true
// → 2.0000
