// SPDX-License-Identifier: MIT
// TensorFlow.js with one thread, as one of the peers.
import { setThreadsCount } from '@tensorflow/tfjs-backend-wasm';
import * as tf from '@tensorflow/tfjs';

export const name = '@tensorflow/tfjs';

/** Starts a backend; returns the version. */
export async function start(backend = 'wasm') {
  if (backend === 'wasm') setThreadsCount(1);
  await tf.setBackend(backend);
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
      recurrentInitializer: 'glorotUniform',
      recurrentActivation: 'sigmoid',
    });
    return isBidirectional ? tf.layers.bidirectional({ layer, mergeMode: 'concat' }) : layer;
  },
  gru: ({ units }) =>
    tf.layers.gru({
      units,
      recurrentInitializer: 'glorotUniform',
      recurrentActivation: 'sigmoid',
    }),
  dense: ({ units, activation }) => tf.layers.dense({ units, activation }),
};

const noAttention = 'it has no attention layer with masks';

/** Returns why a workload cannot be expressed, or undefined. */
export function refuses({ layers: specs }) {
  const kinds = specs.map(({ kind }) => kind);
  if (kinds.includes('gru')) return 'its GRU has no reset_after';
  return kinds.includes('transformer') ? noAttention : undefined;
}

/** Returns why a workload cannot be trained, or undefined. */
export function refusesTraining({ layers: specs }, backend) {
  const kinds = specs.map(({ kind }) => kind);
  if (kinds.includes('transformer')) return noAttention;
  const lacksGradient = backend === 'wasm' && kinds.includes('embedding');
  return lacksGradient ? 'no gradient kernel for embeddings' : undefined;
}

function sequential(specs, batchInputShape, dtype) {
  const model = tf.sequential();
  model.add(tf.layers.inputLayer({ batchInputShape, dtype }));
  for (const spec of specs) {
    const layer = makers[spec.kind](spec);
    model.add(layer);
    // A GRU of Keras has one row of biases more; only its training is measured.
    if (spec.kind !== 'gru')
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

const losses = {
  mse: 'meanSquaredError',
  binary_crossentropy: 'binaryCrossentropy',
  sparse_categorical_crossentropy: 'sparseCategoricalCrossentropy',
};

/** Returns a run of one step of training. */
export function prepareTraining({ layers: specs, input, target, loss }) {
  const model = sequential(specs, [null, ...input.shape.slice(1)], input.type);
  model.compile({ optimizer: tf.train.adam(), loss: losses[loss] });
  const x = tf.tensor(input.data, input.shape, input.type);
  const shape = loss.startsWith('sparse') ? [...target.shape, 1] : target.shape;
  const y = tf.tensor(Float32Array.from(target.data), shape);
  return {
    step: () => model.trainOnBatch(x, y),
    stop() {
      model.dispose();
      tf.dispose([x, y]);
    },
  };
}
