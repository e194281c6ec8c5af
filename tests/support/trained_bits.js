// SPDX-License-Identifier: MIT
/**
 * Trains a small model with everything that is random, and returns the bits of its weights. `mf` is
 * the exports of maskflow/train. The function runs in Node and, unchanged, on a page.
 */
export async function trainedBits(mf, variant = 'simd') {
  await mf.ready({ variant });
  const { layers } = mf;
  await mf.ready({ seed: 5 });
  const model = new mf.Sequential([
    layers.embedding({ inputDim: 20, outputDim: 6, maskZero: true }),
    layers.bidirectional({
      layer: layers.lstm({ units: 5, returnSequences: true, dropout: 0.2, recurrentDropout: 0.2 }),
    }),
    layers.dropout({ rate: 0.3 }),
    layers.gru({ units: 7, activation: 'softsign' }),
    layers.layerNormalization(),
    layers.dense({ units: 4, activation: 'gelu' }),
    layers.dense({ units: 3, activation: 'softmax' }),
  ]);
  const rows = Array.from({ length: 50 }, (_, i) =>
    Array.from({ length: 9 }, (_, t) => (t < 2 + (i % 8) ? 1 + ((i * 5 + t * 3) % 19) : 0)),
  );
  const labels = rows.map((row) => row.reduce((sum, id) => sum + id, 0) % 3);
  model.compile({
    optimizer: mf.optimizers.adam({
      learningRate: mf.schedules.cosineDecay({ initialLearningRate: 0.02, decaySteps: 20 }),
    }),
    loss: 'sparse_categorical_crossentropy',
    metrics: ['accuracy'],
  });
  const { history } = await model.fit(rows, labels, { epochs: 3, batchSize: 8, seed: 3 });
  let digest = 2166136261;
  for (const weight of model.getWeights()) {
    const data = weight.data();
    for (const byte of new Uint8Array(data.buffer, data.byteOffset, data.byteLength)) {
      digest = Math.imul(digest ^ byte, 16777619) >>> 0;
    }
  }
  return `${digest.toString(16)} ${history.loss.join(' ')}`;
}
