// SPDX-License-Identifier: MIT
import { losses, ready } from 'maskflow';

await ready();
const { categoricalGeneralizedCrossEntropy: loss } = losses;
const of = (q, p) => loss([0], [[p, 1 - p]], { q }).item().toFixed(3);
// Near 0 as cross-entropy, 1 as the absolute error: wrong labels hurt less
console.log(of(0.01, 0.01), of(0.99, 0.01));
// → 4.501 1.000
