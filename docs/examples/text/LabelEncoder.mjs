// SPDX-License-Identifier: MIT
import { LabelEncoder } from 'maskflow/text';

const encoder = new LabelEncoder({ classes: ['bad', 'good'] });
console.log(encoder.transform(['good', 'bad']).join());
console.log(encoder.inverseTransform([1, 0]).join());
// → 1,0
// → good,bad
