// SPDX-License-Identifier: MIT
import { Input, layers, ready, Sequential } from 'maskflow';

await ready();
const penalty = layers.activityRegularization({ l1: 0.5 });
const model = new Sequential([Input({ shape: [2] }), penalty]);
const x = [[1, -3]];
console.log(String(model.predict(x))); // the values stay
console.log(model.evaluate(x, x, { loss: 'mse' }).loss); // the penalty counts: 0.5 · (1 + 3)
// → [[ 1 -3]]
// → shape (1, 2), float32
// → 2
