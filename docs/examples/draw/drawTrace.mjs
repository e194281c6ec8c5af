// SPDX-License-Identifier: MIT
import { layers, ready, Sequential } from 'maskflow';
import { drawTrace } from 'maskflow/draw';

await ready({ onMaskDropped: 'silent' });
const model = new Sequential([
  layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true, name: 'words' }),
  layers.dropout({ rate: 0.2, name: 'dropout' }),
  layers.conv1D({ filters: 8, kernelSize: 3, padding: 'same', name: 'window' }),
  layers.globalMaxPooling1D({ name: 'most' }),
]);
const svg = drawTrace(model.traceMasks([[711, 632, 71, 0, 0, 0]]));
console.log(/<title>(.*?)<\/title>/.exec(svg)[1]);
// → The mask is lost at window
