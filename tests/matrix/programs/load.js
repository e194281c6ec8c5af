// SPDX-License-Identifier: MIT
// A model file, read and run in this thread.
import { answers, rows } from './brackets.js';

export const wanted = answers;

export async function run({ mf }, { source }) {
  const model = await mf.loadModel(source);
  return model.predict(rows).array().flat(3);
}
