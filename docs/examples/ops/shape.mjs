// SPDX-License-Identifier: MIT
import { Input, ops, ready } from 'maskflow';

await ready();
console.log(String(ops.shape([[1, 2, 3]])));
console.log(String(ops.shape(Input({ shape: [2] }))), '— the batch size is null');
// → 1,3
// → ,2 — the batch size is null
