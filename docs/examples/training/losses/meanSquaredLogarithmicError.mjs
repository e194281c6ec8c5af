// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
const e = Math.E;
// Off by a factor of e
console.log(losses.meanSquaredLogarithmicError([[e - 1]], [[e * e - 1]]).item().toFixed(4));
// The loss depends on the factor only, not on the size
const loss = losses.meanSquaredLogarithmicError([[e ** 5 - 1]], [[e ** 6 - 1]]);
console.log(loss.item().toFixed(4));
// → 1.0000
// → 1.0000
