// SPDX-License-Identifier: MIT
import { deserializeLayer, layers, ready, serializeLayer } from 'maskflow';

await ready();
const saved = serializeLayer(layers.dense({ units: 3, name: 'scores' }));
console.log(saved.class_name, saved.config.units);
const copy = deserializeLayer(JSON.parse(JSON.stringify(saved)));
console.log(copy.name, copy.units);
// → Dense 3
// → scores 3
