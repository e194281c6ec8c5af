// SPDX-License-Identifier: MIT
// Training: was the last id of a row 1 or 2? The mask tells the LSTM where the row ends.
import { layers, padSequences, ready, Sequential, tensor } from 'maskflow/train';

await ready({ seed: 1 });
const ids = Array.from({ length: 200 }, (_, i) =>
  Array.from({ length: 2 + (i % 5) }, (_, t) => 1 + ((i >> t) & 1)),
);
const x = padSequences(ids, { padding: 'post' });
const y = tensor(ids.map((row) => [row.at(-1) - 1]));
const model = new Sequential([
  layers.embedding({ inputDim: 3, outputDim: 4, maskZero: true }),
  layers.lstm({ units: 8 }),
  layers.dense({ units: 1, activation: 'sigmoid' }),
]);
model.compile({ optimizer: 'adam', loss: 'binary_crossentropy', metrics: ['accuracy'] });
const { history } = await model.fit(x, y, { epochs: 60, seed: 1 });
history.loss.forEach((loss, epoch) => {
  if (epoch % 10 === 9)
    console.log(
      `epoch ${epoch + 1}: loss ${loss.toFixed(4)}, accuracy ${history.accuracy[epoch].toFixed(3)}`,
    );
});
