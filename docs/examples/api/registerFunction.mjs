// SPDX-License-Identifier: MIT
import { deserializeLayer, layers, ops, ready } from 'maskflow';
import { registerFunction, serializeLayer } from 'maskflow';

const cubic = (x) => ops.subtract(x, ops.multiply(ops.power(x, 3), 0.1));

await ready();
registerFunction(cubic, { package: 'mine', name: 'cubic' });
const saved = serializeLayer(layers.dense({ units: 1, activation: cubic }));
console.log(saved.config.activation.config, deserializeLayer(saved).activation === cubic);
// → mine>cubic true
