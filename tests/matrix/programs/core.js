// SPDX-License-Identifier: MIT
// An Embedding that masks zeros, an LSTM and a Dense layer, with weights from a formula.
const weight = (count, scale) =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(i * scale));
const ids = [
  [3, 1, 4, 0, 0],
  [1, 5, 0, 0, 0],
];

export const wanted = [
  ...[1, 1, 1, 0, 0, 1, 1, 0, 0, 0],
  ...[0.282904, 1.1099941, -0.40692681, 0.45991981],
];

export async function run({ mf }, { ready }) {
  await mf.ready(ready);
  const embedding = mf.layers.embedding({ inputDim: 6, outputDim: 3, maskZero: true });
  const lstm = mf.layers.lstm({ units: 4 });
  const dense = mf.layers.dense({ units: 2 });
  embedding.build([null, null]);
  embedding.setWeights([weight(18, 0.7)]);
  lstm.build([null, null, 3]);
  lstm.setWeights([weight(48, 0.3), weight(64, 0.5), weight(16, 0.9)]);
  dense.build([null, 4]);
  dense.setWeights([weight(8, 0.4), weight(2, 0.8)]);
  return mf.tidy(() => {
    const x = embedding.apply(mf.tensor(ids, { dtype: 'int32' }));
    return [x.mask.array().flat().map(Number), dense.apply(lstm.apply(x)).array()].flat(3);
  });
}
