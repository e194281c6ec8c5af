// SPDX-License-Identifier: MIT
// TensorFlow.js with its wasm backend and one thread, as one of the peers.
import { setThreadsCount } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs';

export const name = '@tensorflow/tfjs';

export async function start() {
  setThreadsCount(1);
  await tf.setBackend('wasm');
  await tf.ready();
  return `${tf.version['tfjs-core']} (${tf.getBackend()})`;
}

const makers = {
  masking: () => tf.layers.masking({ maskValue: 0 }),
  embedding: ({ ids, width }) =>
    tf.layers.embedding({ inputDim: ids, outputDim: width, maskZero: true }),
  lstm: ({ units, sequences, both: isBidirectional, stateful }) => {
    const layer = tf.layers.lstm({
      units,
      returnSequences: sequences,
      stateful,
      // Replaces the orthogonal initializer, which takes minutes for large layers.
      recurrentInitializer: 'zeros',
      recurrentActivation: 'sigmoid',
    });
    return isBidirectional ? tf.layers.bidirectional({ layer, mergeMode: 'concat' }) : layer;
  },
  dense: ({ units, activation }) => tf.layers.dense({ units, activation }),
};

/** Returns why a workload cannot be expressed, or undefined. */
export function refuses({ layers: specs }) {
  const kinds = specs.map(({ kind }) => kind);
  if (kinds.includes('gru')) return 'its GRU has no reset_after';
  if (kinds.includes('transformer')) return 'it has no attention layer with masks';
  return undefined;
}

function sequential(specs, batchInputShape, dtype) {
  const model = tf.sequential();
  model.add(tf.layers.inputLayer({ batchInputShape, dtype }));
  for (const spec of specs) {
    const layer = makers[spec.kind](spec);
    model.add(layer);
    layer.setWeights(spec.weights.map(({ shape, data }) => tf.tensor(data, shape)));
  }
  return model;
}

export function prepare(workload) {
  const { layers: specs, input, unit } = workload;
  if (unit === 'step') return stream(specs[0], input);
  const model = sequential(specs, [null, ...input.shape.slice(1)], input.type);
  const batchSize = input.shape[0];
  const run = () =>
    tf.tidy(() =>
      model.predict(tf.tensor(input.data, input.shape, input.type), { batchSize }).dataSync(),
    );
  return { run, stop: () => model.dispose() };
}

function stream(spec, { shape: [, steps, width], data }) {
  const model = sequential([{ ...spec, stateful: true }], [1, 1, width], 'float32');
  const run = () => {
    model.resetStates();
    let output;
    for (let t = 0; t < steps; t++) {
      const x = tf.tensor(data.subarray(t * width, (t + 1) * width), [1, 1, width]);
      const y = model.predict(x, { batchSize: 1 });
      output = y.dataSync();
      tf.dispose([x, y]);
    }
    return output;
  };
  return { run, steps, stop: () => model.dispose() };
}
