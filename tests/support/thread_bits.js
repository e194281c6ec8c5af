// SPDX-License-Identifier: MIT
// Results of large models as hashes. threads_bits.test.js runs it in processes with different
// numbers of threads, which must agree.
import { generator } from './random.js';

/** Adds the bytes of a typed array to a hash. */
function hashOf(data, digest = 2166136261) {
  for (const byte of new Uint8Array(data.buffer, data.byteOffset, data.byteLength)) {
    digest = Math.imul(digest ^ byte, 16777619) >>> 0;
  }
  return digest;
}

/** Models large enough to be divided among threads, with the shape of their inputs. */
const models = ({ layers, Input, Model, Sequential }) => {
  const features = (units) => Input({ shape: [null, units] });
  const sequential = (width, ...more) => new Sequential([features(width), ...more]);
  const masking = () => layers.masking();
  const attention = () => {
    const x = features(64);
    const masked = masking().apply(x);
    const heard = layers
      .multiHeadAttention({ numHeads: 4, keyDim: 16 })
      .apply(masked, { value: masked });
    const sum = layers.layerNormalization().apply(layers.add().apply([masked, heard]));
    const wide = layers.dense({ units: 256, activation: 'gelu' }).apply(sum);
    return new Model({ inputs: x, outputs: layers.dense({ units: 64 }).apply(wide) });
  };
  return {
    lstm: [sequential(64, masking(), layers.lstm({ units: 128 })), [33, 40, 64]],
    gru: [
      sequential(32, masking(), layers.gru({ units: 96, returnSequences: true })),
      [31, 30, 32],
    ],
    'simple rnn': [sequential(64, layers.simpleRNN({ units: 128 })), [32, 20, 64]],
    bidirectional: [
      sequential(32, masking(), layers.bidirectional({ layer: layers.lstm({ units: 64 }) })),
      [29, 37, 32],
    ],
    stacked: [
      sequential(16, layers.lstm({ units: 64, returnSequences: true }), layers.gru({ units: 64 })),
      [48, 24, 16],
    ],
    attention: [attention(), [9, 70, 64]],
    convolution: [
      sequential(
        32,
        layers.conv1D({ filters: 64, kernelSize: 5, activation: 'relu' }),
        layers.maxPooling1D(),
        layers.batchNormalization(),
        layers.globalAveragePooling1D(),
      ),
      [17, 90, 32],
    ],
    'one row': [sequential(64, layers.lstm({ units: 512 })), [1, 12, 64]],
    dense: [sequential(64, layers.dense({ units: 300, activation: 'tanh' })), [40, 33, 64]],
  };
};

/** Random features; the rows differ in their number of steps before zeros. */
function batch(random, [rows, steps, width]) {
  const data = new Float32Array(rows * steps * width);
  for (let row = 0; row < rows; row++) {
    const kept = 1 + Math.floor(random() * steps);
    const from = row * steps * width;
    for (let i = 0; i < kept * width; i++) data[from + i] = Math.fround(random() * 2 - 1);
  }
  return data;
}

/**
 * Returns a hash of the outputs of each model, and of its weights after three steps of training,
 * with the given number of threads, in a variant. `mf` is the exports of maskflow/train.
 */
export async function threadBits(mf, threads, variant) {
  await mf.ready({ threads, variant, onMaskDropped: 'silent' });
  await mf.ready({ seed: 11 });
  const random = generator(7);
  const hashes = {};
  for (const [name, [model, shape]] of Object.entries(models(mf))) {
    const x = mf.tensor(batch(random, shape), { shape });
    const y = model.predict(x, { batchSize: 0 });
    model.compile({ optimizer: 'adam', loss: 'mse' });
    const target = mf.ops.multiply(y, 0.5);
    for (let i = 0; i < 3; i++) model.trainOnBatch(x, target);
    const trained = model.getWeights().reduce((digest, w) => hashOf(w.data(), digest), 1);
    hashes[name] = [hashOf(y.data()), trained];
    for (const tensor of [x, y, target]) tensor.dispose();
    model.dispose();
  }
  return { threads: mf.runtimeInfo().threads, hashes };
}
