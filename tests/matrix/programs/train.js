// SPDX-License-Identifier: MIT
// The entry maskflow/train, whose `ready` has to come first: four rows, two epochs, the losses and
// a prediction as Keras 3.15 has them.
const weight = (count, scale) =>
  Float32Array.from({ length: count }, (_, i) => Math.sin(i * scale));
const x = [
  [3, 1, 4, 0, 0],
  [1, 5, 0, 0, 0],
  [2, 2, 5, 3, 1],
  [4, 0, 0, 0, 0],
];
const y = [[1], [0], [1], [0]];

export const wanted = [
  ...[0.6062121391, 0.5420309901],
  ...[0.6688498259, 0.2815703154, 0.671724081, 0.5624742508],
];

export async function run({ train: mf }, { ready }) {
  await mf.ready(ready);
  const { embedding, lstm, dense } = mf.layers;
  const model = new mf.Sequential([
    mf.Input({ shape: [null], dtype: 'int32' }),
    embedding({ inputDim: 6, outputDim: 3, maskZero: true }),
    lstm({ units: 4 }),
    dense({ units: 1, activation: 'sigmoid' }),
  ]);
  const [rows, targets] = [mf.tensor(x, { dtype: 'int32' }), mf.tensor(y)];
  const sizes = [
    [18, 0.7],
    [48, 0.3],
    [64, 0.5],
    [16, 0.9],
    [4, 0.4],
    [1, 0.8],
  ];
  model.setWeights(sizes.map(([count, scale]) => weight(count, scale)));
  const optimizer = mf.optimizers.adam({ learningRate: 0.05 });
  model.compile({ optimizer, loss: 'binary_crossentropy' });
  const { history } = await model.fit(rows, targets, { epochs: 2, batchSize: 2, shuffle: false });
  return [...history.loss, ...model.predict(rows).data()];
}
