// SPDX-License-Identifier: MIT
import { ops, ready } from 'maskflow/train';

await ready();
const spectrum = ops.rfft([1, 2, 3, 4]);
console.log(String(ops.round(ops.irfft(spectrum), { decimals: 4 })));
// → [1 2 3 4]
// → shape (4), float32
