// SPDX-License-Identifier: MIT
// The package in dist/ as a competitor of `npm run bench:train`, and in `npm run bench:threads`
// with several threads.
import * as mf from '../../dist/train.js';

export const name = 'maskflow';

export async function start() {
  await mf.ready();
  const { version, variant } = mf.runtimeInfo();
  return `${version} (${variant})`;
}

function transformer({ layers }, x, { heads, width, inner }) {
  const attention = layers
    .multiHeadAttention({ numHeads: heads, keyDim: width / heads })
    .apply(x, { value: x });
  const middle = layers.layerNormalization().apply(layers.add().apply([x, attention]));
  const wide = layers.dense({ units: inner, activation: 'relu' }).apply(middle);
  const narrow = layers.dense({ units: width }).apply(wide);
  return layers.layerNormalization().apply(layers.add().apply([middle, narrow]));
}

const makersOf = ({ layers }) => ({
  masking: () => layers.masking(),
  embedding: ({ ids, width }) =>
    layers.embedding({ inputDim: ids, outputDim: width, maskZero: true }),
  lstm: ({ units, sequences = false, both: isBidirectional }) => {
    const layer = layers.lstm({ units, returnSequences: sequences });
    return isBidirectional ? layers.bidirectional({ layer }) : layer;
  },
  gru: ({ units }) => layers.gru({ units }),
  dense: ({ units, activation }) => layers.dense({ units, ...(activation && { activation }) }),
});

/** Creates a model in a copy of the package. */
export function modelOf({ layers: specs, input }, copy = mf) {
  const makers = makersOf(copy);
  const symbol = copy.Input({ shape: input.shape.slice(1), dtype: input.type });
  const output = specs.reduce(
    (x, spec) =>
      spec.kind === 'transformer' ? transformer(copy, x, spec) : makers[spec.kind](spec).apply(x),
    symbol,
  );
  return new copy.Model({ inputs: symbol, outputs: output });
}

/** Compiles a workload's model in a copy of the package and runs its first step. */
export function prepare(workload, copy = mf) {
  const { input, target, loss } = workload;
  const model = modelOf(workload, copy);
  model.compile({ optimizer: 'adam', loss });
  const x = copy.tensor(input.data, { shape: input.shape, dtype: input.type });
  const dtype = target.data instanceof Int32Array ? 'int32' : 'float32';
  const y = copy.tensor(target.data, { shape: target.shape, dtype });
  model.trainOnBatch(x, y);
  return {
    step: () => model.trainOnBatch(x, y),
    /** Measures prediction as a user calls it, with unchanged weights. */
    forward: () => model.predict(x).dispose(),
    stop() {
      for (const object of [model, x, y]) object.dispose();
    },
  };
}
