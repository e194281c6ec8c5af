// SPDX-License-Identifier: MIT
// The model file in a worker.
import { answers, rows } from './brackets.js';

export const wanted = answers;

export async function run({ worker }, { source, workers }) {
  const one = await worker.openWorker(workers);
  try {
    const model = await one.loadModel(source);
    return (await model.predict(rows)).array().flat(3);
  } finally {
    one.close();
  }
}
