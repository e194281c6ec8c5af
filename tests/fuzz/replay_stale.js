// SPDX-License-Identifier: MIT
// Checks that a model does not use outdated intermediate results after its weights change. Trains
// the models of keras_training.py and sets the weights of one layer after the other. After each
// change, `predict` must return the same as a new copy that is loaded from the saved file.
import * as mf from '../../dist/train.js';
import { loadTrained } from './replay_training.js';

function differ(results, expected) {
  const [a, b] = [results, expected].map((all) => [all].flat().map((tensor) => tensor.data()));
  return a.some((values, i) =>
    values.some((value, k) => {
      const wanted = b[i][k];
      if (Object.is(value, wanted) || value === wanted) return false;
      return !(Math.abs(value - wanted) <= 1e-5 + 1e-4 * Math.abs(wanted));
    }),
  );
}

async function isStale(model, x) {
  const copy = await mf.loadModel(await model.save());
  try {
    return mf.tidy(() => differ(model.predict(x), copy.predict(x)));
  } finally {
    copy.dispose();
  }
}

const canBeScaled = ({ weights }) =>
  weights.length > 0 && !weights.some(({ path }) => /seed/.test(path));

/** Changes the weights of a layer; returns false if it refuses them. */
function scale(layer) {
  return mf.tidy(() => {
    const weights = layer
      .getWeights()
      .map((weight) => (weight.dtype === 'float32' ? mf.ops.multiply(weight, 1.25) : weight));
    try {
      layer.setWeights(weights);
      return true;
    } catch (error) {
      if (error instanceof mf.MaskflowError) return false;
      throw error;
    }
  });
}

/** Returns null if all predictions are current, otherwise a description of the outdated one. */
export async function checkStale(recorded) {
  const { model, data } = await loadTrained(recorded);
  try {
    mf.tidy(() => model.predict(data.x));
    await model.fit(data.x, data.y, { batchSize: recorded.batch, epochs: 1, shuffle: false });
    if (await isStale(model, data.x)) return `stale after fit [${recorded.layers.join(' ')}]`;
    for (const layer of model.layers.filter(canBeScaled)) {
      if (scale(layer) && (await isStale(model, data.x))) {
        return `stale after ${layer.constructor.name}.setWeights [${recorded.layers.join(' ')}]`;
      }
    }
    return null;
  } finally {
    model.dispose();
  }
}
