// SPDX-License-Identifier: MIT
import { Input, layers, ready, Sequential } from 'maskflow';

await ready();
const model = new Sequential([Input({ shape: [2] }), layers.dense({ units: 1 })]);
const bytes = await model.save(); // with a name, it also writes a file or starts a download
console.log(String.fromCharCode(...bytes.subarray(0, 2)), bytes.length > 1000);
// → PK true
