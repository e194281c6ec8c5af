// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
// 10 % off both times
const loss = losses.meanAbsolutePercentageError([[10], [1000]], [[11], [1100]]);
console.log(loss.item().toFixed(2));
// → 10.00
