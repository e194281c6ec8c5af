// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
// 10 % off both times
console.log(losses.meanAbsolutePercentageError([[10], [1000]], [[11], [1100]]).item().toFixed(2));
// → 10.00
