// SPDX-License-Identifier: MIT
// A page that makes one prediction of W5 (bench/peers/workloads.mjs) as soon as possible.
import { layers, ready, Sequential } from 'maskflow/recurrent';

const { mark, marks } = globalThis.cold;
mark('evaluated');
await ready();
mark('ready');
const model = new Sequential([
  layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true }),
  layers.lstm({ units: 32 }),
]);
mark('model');
const output = model.predict([[711, 632, 71, 4999, 0, 0]]);
const [values] = output.array();
mark('predicted');
globalThis.cold.result = { marks, values };
