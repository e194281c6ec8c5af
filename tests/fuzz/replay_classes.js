// SPDX-License-Identifier: MIT
// Replays recordings of keras_classes.py: loads Keras's files into classes of the same description,
// and saves the models again, for open_classes.py.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as mf from '../../dist/train.js';
import { toTensor } from '../support/recorded_cases.js';
import { rootOf } from './drawn_classes.js';

/** Returns the largest difference of two tensors. */
function differenceOf(a, b) {
  const [x, y] = [a.data(), b.data()];
  return x.reduce((max, value, i) => Math.max(max, Math.abs(value - y[i])), 0);
}

const kTolerance = 2e-5;

/** Describes a file that loads with other weights, or that is refused although Keras opens it. */
async function loaded(load, x, y, refusable) {
  let model;
  try {
    model = await load();
    const difference = mf.tidy(() => differenceOf(model.predict(x), y));
    return { model, problem: difference <= kTolerance ? null : `differs by ${difference}` };
  } catch (error) {
    model?.dispose();
    if (error instanceof mf.MaskflowError && refusable) return { model: null, problem: null };
    return { model: null, problem: `threw ${error.stack.slice(0, 900)}` };
  }
}

/**
 * Returns null if both files of a case load with Keras's results, else the difference. `use`
 * receives the loaded model.
 */
export async function classFileDifference(recorded, use = () => {}) {
  const [x, y] = [toTensor(recorded.x), toTensor(recorded.y)];
  const bytesOf = (text) => new Uint8Array(Buffer.from(text, 'base64'));
  const fromWeights = async () => {
    const model = rootOf(recorded.root);
    model.predict(x).dispose();
    await model.loadWeights(bytesOf(recorded.weights));
    return model;
  };
  const whole = await loaded(() => mf.loadModel(bytesOf(recorded.file)), x, y, recorded.keras);
  const parts = await loaded(fromWeights, x, y, recorded.keras);
  const model = whole.model ?? parts.model;
  if (model) await use(model);
  for (const object of [whole.model, parts.model, x, y]) object?.dispose();
  if (whole.problem) return `.keras ${whole.problem}`;
  return parts.problem && `.weights.h5 ${parts.problem}`;
}

/**
 * Returns a function that checks one case, and saves the models that Keras opens itself into the
 * folder, for open_classes.py.
 */
export function classFileCheck(folder) {
  const saved = [];
  mkdirSync(folder, { recursive: true });
  return (recorded) =>
    classFileDifference(recorded, async (model) => {
      if (recorded.keras) return;
      const name = String(saved.length);
      writeFileSync(join(folder, `${name}.keras`), await model.save());
      writeFileSync(join(folder, `${name}.weights.h5`), await model.saveWeights());
      const { name: title, root, x, y } = recorded;
      saved.push({ name: title, root, x, y, saved: name });
      writeFileSync(join(folder, 'index.json'), JSON.stringify(saved));
    });
}
