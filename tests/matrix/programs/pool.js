// SPDX-License-Identifier: MIT
// The model file in two workers.
import { answers, rows } from './brackets.js';

export const wanted = answers;

export async function run({ worker }, { source, workers }) {
  const pool = await worker.openPool({ size: 2, ...workers });
  try {
    const model = await pool.loadModel(source);
    return (await model.predict(rows)).array().flat(3);
  } finally {
    pool.close();
  }
}
