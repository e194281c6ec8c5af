// SPDX-License-Identifier: MIT
import { layers, ready, Sequential } from 'maskflow';
import { drawPadding } from 'maskflow/draw';

await ready({ seed: 1 });
const random = { class_name: 'RandomNormal', config: { stddev: 1 } };
const options = { inputDim: 9, outputDim: 8, maskZero: true };
const model = new Sequential([
  layers.embedding({ ...options, embeddingsInitializer: random }),
  layers.lstm({ units: 8 }),
  layers.dense({ units: 3, activation: 'softmax' }),
]);
const svg = drawPadding(model, [[4, 2, 7]], { title: 'Padding without a mask is data' });
console.log(svg.match(/with mask|without mask/g).length);
// → 2
