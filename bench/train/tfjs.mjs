// SPDX-License-Identifier: MIT
// TensorFlow.js as a competitor of `npm run bench:train`.
import { createRequire } from 'node:module';

// Resolves from bench/peers, because the peers are installed only for measurements.
const require = createRequire(new URL('../peers/package.json', import.meta.url));
const { setThreadsCount } = require('@tensorflow/tfjs-backend-wasm');
const tf = require('@tensorflow/tfjs');

export async function use(backend) {
  if (backend === 'wasm') setThreadsCount(1);
  await tf.setBackend(backend);
  await tf.ready();
  return `@tensorflow/tfjs ${tf.version['tfjs-core']} (${tf.getBackend()})`;
}

/** Returns why a workload cannot be trained, or undefined. */
export function refuses({ layers }, backend) {
  const kinds = layers.map(({ kind }) => kind);
  if (kinds.includes('transformer')) return 'it has no attention layer with masks';
  if (backend === 'wasm' && kinds.includes('embedding')) return 'no gradient kernel for embeddings';
  return undefined;
}

const makers = {
  masking: () => tf.layers.masking({ maskValue: 0 }),
  embedding: ({ ids, width }) =>
    tf.layers.embedding({ inputDim: ids, outputDim: width, maskZero: true }),
  lstm: ({ units, sequences, both: isBidirectional }) => {
    const layer = tf.layers.lstm({
      units,
      returnSequences: sequences,
      // Replaces the orthogonal initializer, which takes minutes for large layers.
      recurrentInitializer: 'glorotUniform',
      recurrentActivation: 'sigmoid',
    });
    return isBidirectional ? tf.layers.bidirectional({ layer, mergeMode: 'concat' }) : layer;
  },
  // TensorFlow.js's GRU differs from Keras's: it lacks reset_after.
  gru: ({ units }) =>
    tf.layers.gru({
      units,
      recurrentInitializer: 'glorotUniform',
      recurrentActivation: 'sigmoid',
    }),
  dense: ({ units, activation }) => tf.layers.dense({ units, ...(activation && { activation }) }),
};

const losses = {
  mse: 'meanSquaredError',
  binary_crossentropy: 'binaryCrossentropy',
  sparse_categorical_crossentropy: 'sparseCategoricalCrossentropy',
};

export function prepare({ layers, input, target, loss }) {
  const model = tf.sequential();
  model.add(
    tf.layers.inputLayer({ batchInputShape: [null, ...input.shape.slice(1)], dtype: input.type }),
  );
  for (const spec of layers) model.add(makers[spec.kind](spec));
  model.compile({ optimizer: tf.train.adam(), loss: losses[loss] });
  const x = tf.tensor(input.data, input.shape, input.type);
  const sparse = loss.startsWith('sparse');
  const y = tf.tensor(Float32Array.from(target.data), sparse ? [...target.shape, 1] : target.shape);
  return {
    step: () => model.trainOnBatch(x, y),
    stop() {
      model.dispose();
      tf.dispose([x, y]);
    },
  };
}
