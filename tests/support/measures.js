// SPDX-License-Identifier: MIT
// Runs a case of tests/fuzz/keras_measures.py through the package and compares it with what Keras gave.
import * as mf from '../../dist/index.js';

const arrays = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };
const factory = (name) =>
  name === 'IoU'
    ? 'iou'
    : name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (caps) => caps.toLowerCase());

const toTensor = ({ shape, dtype, values }) =>
  mf.tensor(arrays[dtype].from(values), { shape, dtype });

function made({ kind, class: name, config }) {
  if (kind === 'metric') {
    const metric = mf.metrics[factory(name)](config);
    return (targets, predictions, weighting) => {
      const values = name === 'Mean' || name === 'Sum';
      metric.updateState(...(values ? [predictions] : [targets, predictions]), weighting);
      return [metric.result()].flat();
    };
  }
  const loss = mf.losses[factory(name)];
  return (targets, predictions, weighting) => [
    ...loss(targets, predictions, { ...config, ...weighting }).data(),
  ];
}

/** As Keras's record: the results of the updates before the error, if there is one. */
export function run(recorded) {
  const results = [];
  let at = recorded.kind === 'loss' ? 0 : 'make';
  try {
    const update = made(recorded);
    for (const [i, { y_true, y_pred, sample_weight, mask }] of recorded.updates.entries()) {
      at = i;
      mf.tidy(() => {
        const weighting = {
          mask: mask && toTensor(mask),
          sampleWeight: sample_weight && toTensor(sample_weight),
        };
        results.push(update(y_true && toTensor(y_true), toTensor(y_pred), weighting));
      });
    }
  } catch (error) {
    return { error, at, results };
  }
  return { results };
}

// Keras computes in float32.
const near = (got, wanted) =>
  Object.is(got, wanted) || Math.abs(got - wanted) <= 2e-5 * Math.max(1, Math.abs(wanted));

const stage = (at) => (at === 'make' ? -1 : at);

/** null when they agree. Telling an error sooner than Keras, before anything is computed, is agreement too. */
export function differenceOf(got, expect) {
  if (got.error && !(got.error instanceof mf.MaskflowError)) {
    return { kind: 'untyped error', note: String(got.error.stack ?? got.error) };
  }
  for (const [i, { values }] of expect.results.entries()) {
    const mine = got.results[i];
    if (!mine) {
      if (got.at === 'make' && expect.error && expect.results.length === 0) return null;
      return { kind: 'refused', note: String(got.error) };
    }
    if (mine.length !== values.length || !mine.every((x, k) => near(x, Number(values[k])))) {
      return { kind: 'value', note: `${i}: [${mine}], not [${values}]` };
    }
  }
  if (!expect.error) return null;
  const note = `${expect.error} at ${expect.at}: ${expect.message ?? ''}`;
  if (!got.error) return { kind: 'accepted', note };
  return stage(got.at) <= stage(expect.at) ? null : { kind: 'late', note };
}
