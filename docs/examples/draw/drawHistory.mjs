// SPDX-License-Identifier: MIT
import { layers, ready, Sequential, tensor } from 'maskflow/train';
import { drawHistory } from 'maskflow/draw';

await ready({ seed: 1 });
const x = tensor(Array.from({ length: 64 }, (_, row) => [row / 64, (row * 7) % 5]));
const y = tensor(Array.from({ length: 64 }, (_, row) => [row % 5 < 2 ? 1 : 0]));
const model = new Sequential([
  layers.dense({ units: 8, activation: 'tanh' }),
  layers.dense({ units: 1, activation: 'sigmoid' }),
]);
model.compile({ optimizer: 'adam', loss: 'binary_crossentropy', metrics: ['accuracy'] });
const options = { epochs: 12, batchSize: 8, seed: 1, validationSplit: 0.25, verbose: 0 };
const history = await model.fit(x, y, options);
const svg = drawHistory(history, { title: 'Twelve epochs' });
console.log(svg.match(/training|validation/g).length);
// → 4
