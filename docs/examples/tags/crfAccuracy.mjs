// SPDX-License-Identifier: MIT
import { ready, tensor } from 'maskflow';
import { CRF, crfAccuracy } from 'maskflow/tags';

await ready();
const potentials = tensor([[[2, 0], [0, 0.5], [9, 0]]]).withMask([[true, true, false]]);
console.log(String(crfAccuracy([[0, 0, 0]], new CRF().apply(potentials))));
// → [[1 0 0]]
// → shape (1, 3), float32
// → mask [[T T F]]
