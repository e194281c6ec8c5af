// SPDX-License-Identifier: MIT
// A model in its own worker: the calling thread stays free.
import { openWorker } from 'maskflow/worker';

const worker = await openWorker();
const model = await worker.loadModel('models/brackets.keras');
const answer = await model.predict([
  [1, 3, 5, 6, 4, 2],
  [1, 3, 2, 4, 0, 0],
]); // ([{}]) and ([)]
console.log(answer.shape, answer.array());
worker.close();
