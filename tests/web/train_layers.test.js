// SPDX-License-Identifier: MIT
// The layers that only maskflow/train has: numbers of Keras, errors, model files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import * as mf from '../../dist/train.js';
import { excess } from '../support/gradients.js';
import { decode, readFixture, runCase, worstError } from '../support/recorded_cases.js';

await mf.ready({ onMaskDropped: 'warn' });
const { layers, ShapeError, ValueError } = mf;
const { cases } = readFixture('train_layers/spectrograms.json');

/** Returns how the result of a case differs from the recorded one; null if it does not. */
function problemOf(recording) {
  const { outputs, warned } = runCase(recording);
  const [expected] = recording.expect.outputs;
  const [{ shape, values, mask }] = outputs;
  if (shape.join() !== expected.shape.join()) return `shape ${shape}, not ${expected.shape}`;
  if (mask || warned !== recording.expect.warns_mask_destroyed) return 'the mask';
  const share = excess(values, expected, expected.spread);
  return share <= 1 ? null : `${share} times too far off`;
}

test('spectrograms equal the recorded results', () => {
  const problems = cases.map((recording) => [recording.name, problemOf(recording)]);
  assert.deepEqual(
    problems.filter(([, problem]) => problem !== null),
    [],
  );
  assert.ok(cases.length > 90);
});

test('the kernels of STFTSpectrogram begin with those of Keras', () => {
  for (const { name, layer: serialized, inputs, initial } of cases) {
    if (!initial) continue;
    const layer = mf.deserializeLayer(serialized);
    layer.build(inputs[0].shape);
    const weights = layer.getWeights();
    assert.equal(weights.length, initial.length, name);
    for (const [i, weight] of weights.entries()) {
      assert.ok(
        worstError(weight.data(), decode(initial[i]).values) < 1e-5,
        `${name}, kernel ${i}`,
      );
    }
    layer.dispose();
  }
});

test('a file of Keras with both layers predicts as in Keras, saved and loaded again, too', async () => {
  const file = readFileSync(new URL('../fixtures/train_layers/speech.keras', import.meta.url));
  const { x, y } = readFixture('train_layers/speech.json');
  const model = await mf.loadModel(new Uint8Array(file));
  const again = await mf.loadModel(await model.save());
  for (const each of [model, again]) {
    const prediction = each.predict(mf.tensor(decode(x).values, { shape: x.shape }));
    assert.ok(worstError(prediction.data(), decode(y).values) < 1e-5);
  }
  assert.deepEqual(again.toJSON(), model.toJSON());
  const { window } = model.layers
    .find((layer) => layer.className === 'STFTSpectrogram')
    .getConfig();
  assert.deepEqual(
    window,
    Array.from({ length: 24 }, () => 0.5),
  );
});

const refusals = {
  'a step of more than a frame': [{ frameLength: 4, frameStep: 5 }, /frame_step.* is 5.* 4/],
  'a step of zero': [{ frameLength: 4, frameStep: 0 }, /frame_step.* is 0/],
  'half of one sample as a step': [{ frameLength: 1, fftLength: 2 }, /frame_step.* is 0/],
  'a transform shorter than the frame': [{ frameLength: 8, fftLength: 4 }, /fft_length.* is 4.* 8/],
  'a transform of one sample': [{ frameLength: 1, frameStep: 1 }, /fft_length.* 1 .*at least 2/],
  'an unknown window': [{ window: 'hanning' }, /window.* 'hanning'.* hann /],
  'a window of another length': [{ frameLength: 3, window: [1, 1] }, /window.* 2 .* 3/],
  'an unknown mode': [{ mode: 'power' }, /mode.*'power'/],
  'an unknown scaling': [{ scaling: 'sum' }, /scaling.*'sum'/],
  'an unknown padding': [{ padding: 'causal' }, /padding.*'causal'/],
};

for (const [title, [config, message]] of Object.entries(refusals)) {
  test(`STFTSpectrogram refuses ${title}`, () => {
    assert.throws(() => layers.stftSpectrogram(config), { name: 'ConfigError', message });
  });
}

test('MelSpectrogram refuses impossible settings', () => {
  const refuses = (config, message) =>
    assert.throws(() => layers.melSpectrogram(config), { name: 'ConfigError', message });
  refuses({ fftLength: 8, sequenceLength: 9 }, /sequence_length.* is 9.* 8/);
  refuses({ fftLength: 0 }, /fft_length.* is 0/);
  refuses({ sequenceStride: 0 }, /sequence_stride.* is 0/);
  refuses({ numMelBins: -1 }, /num_mel_bins.* is -1/);
});

test('signals that are too short, or integers, are refused, and the next call works', () => {
  const stft = layers.stftSpectrogram({ frameLength: 8 });
  const signal = (length) => mf.ops.ones([1, length, 1]);
  assert.throws(
    () => stft.apply(signal(7)),
    (error) => error instanceof ShapeError && /8.* 7/.test(error.message),
  );
  const integers = mf.ops.cast(signal(9), 'int32');
  assert.throws(
    () => stft.apply(integers),
    (error) => error instanceof ValueError && /int32/.test(error.message),
  );
  assert.deepEqual(stft.apply(signal(8)).shape, [1, 1, 5]);
  const mel = layers.melSpectrogram({ fftLength: 8, sequenceStride: 4, numMelBins: 2 });
  assert.throws(
    () => mel.apply([[1, 2, 3, 4]]),
    (error) => error instanceof ShapeError && /4 samples/.test(error.message),
  );
  assert.deepEqual(mel.apply([[1, 2, 3, 4, 5]]).shape, [1, 2, 2]);
  assert.throws(
    () => layers.stftSpectrogram({ frameLength: 2 ** 30 }).build([1, 2 ** 30, 1]),
    mf.MaskflowError,
  );
});

test('shapes of symbolic signals are those of the result', () => {
  for (const { name, layer: serialized, inputs, expect } of cases) {
    const layer = mf.deserializeLayer(serialized);
    const [{ shape }] = inputs;
    const result = layer.apply(mf.Input({ batchShape: shape })).shape;
    assert.deepEqual(result, expect.outputs[0].shape, name);
  }
  const x = mf.Input({ shape: [null, 2] });
  assert.deepEqual(layers.stftSpectrogram({ frameLength: 8 }).apply(x).shape, [null, null, 10]);
});

test('the kernels can be trained', async () => {
  const model = new mf.Sequential([
    mf.Input({ shape: [32, 1] }),
    layers.stftSpectrogram({ frameLength: 8, mode: 'magnitude' }),
    layers.globalAveragePooling1D(),
    layers.dense({ units: 1 }),
  ]);
  model.compile({ optimizer: 'adam', loss: 'mse' });
  const before = model.layers[0].getWeights().map((weight) => [...weight.data()]);
  const x = mf.random.normal([8, 32, 1], { seed: 1 });
  const { loss: first } = await model.trainOnBatch(x, mf.ops.ones([8, 1]));
  for (let i = 0; i < 20; i++) await model.trainOnBatch(x, mf.ops.ones([8, 1]));
  assert.ok((await model.trainOnBatch(x, mf.ops.ones([8, 1]))).loss < first);
  const after = model.layers[0].getWeights().map((weight) => [...weight.data()]);
  assert.notDeepEqual(after, before);
});
