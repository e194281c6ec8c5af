// SPDX-License-Identifier: MIT
import { Input, layers, loadModel, ready, Sequential } from 'maskflow';

await ready({ seed: 1 });
const model = new Sequential([Input({ shape: [null, 2] }), layers.lstm({ units: 3 })]);
const file = await model.save(); // in Python: model.save('model.keras')
const loaded = await loadModel(file); // or a path, an address, a File
const x = [[[1, 2], [3, 4]]];
console.log(String(loaded.predict(x)) === String(model.predict(x)));
// → true
