// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
console.log(losses.klDivergence([[0.5, 0.5]], [[0.5, 0.5]]).item());
console.log(losses.klDivergence([[1, 0]], [[0.5, 0.5]]).item().toFixed(4)); // log 2
// → 0
// → 0.6931
