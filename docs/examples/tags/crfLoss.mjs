// SPDX-License-Identifier: MIT
import { ready } from 'maskflow';
import { CRF, crfLoss } from 'maskflow/tags';

await ready();
const scores = new CRF().apply([[[2, 0], [0, 0.5]]]);
console.log(crfLoss([[0, 1]], scores).item().toFixed(4));
console.log(crfLoss([[1, 0]], scores).item().toFixed(4));
// → 0.6010
// → 3.1010
