// SPDX-License-Identifier: MIT
// Runs a case of tests/fuzz/keras_measures.py through the package and compares it with Keras's
// results.
import * as mf from '../../dist/index.js';

const arrays = { float32: Float32Array, int32: Int32Array, bool: Uint8Array };
const factory = (name) =>
  name === 'IoU'
    ? 'iou'
    : name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (caps) => caps.toLowerCase());

const toTensor = ({ shape, dtype, values }) =>
  mf.tensor(arrays[dtype].from(values), { shape, dtype });

function createUpdate({ kind, class: name, config }) {
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

/** Returns a record of a run in Keras's form: the results of all updates, up to the first error. */
export function run(recording) {
  const results = [];
  let at = recording.kind === 'loss' ? 0 : 'make';
  try {
    const update = createUpdate(recording);
    for (const [i, { y_true, y_pred, sample_weight, mask }] of recording.updates.entries()) {
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

// Compares numbers with the tolerance of float32, in which Keras computes.
const near = (actual, expected) =>
  Object.is(actual, expected) ||
  Math.abs(actual - expected) <= 2e-5 * Math.max(1, Math.abs(expected));

const stage = (at) => (at === 'make' ? -1 : at);

/**
 * Returns null if both records agree. An error that comes earlier than in Keras, before anything is
 * computed, also agrees.
 */
export function differenceOf(actual, expect) {
  if (actual.error && !(actual.error instanceof mf.MaskflowError)) {
    return { kind: 'untyped error', note: String(actual.error.stack ?? actual.error) };
  }
  for (const [i, { values }] of expect.results.entries()) {
    const actualValues = actual.results[i];
    if (!actualValues) {
      if (actual.at === 'make' && expect.error && expect.results.length === 0) return null;
      return { kind: 'refused', note: String(actual.error) };
    }
    if (
      actualValues.length !== values.length ||
      !actualValues.every((x, k) => near(x, Number(values[k])))
    ) {
      return { kind: 'value', note: `${i}: [${actualValues}], not [${values}]` };
    }
  }
  if (!expect.error) return null;
  const note = `${expect.error} at ${expect.at}: ${expect.message ?? ''}`;
  if (!actual.error) return { kind: 'accepted', note };
  return stage(actual.at) <= stage(expect.at) ? null : { kind: 'late', note };
}
