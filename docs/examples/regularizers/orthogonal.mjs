// SPDX-License-Identifier: MIT
import { Input, layers, ready, regularizers, Sequential } from 'maskflow/train';

await ready();
const kernelRegularizer = regularizers.orthogonal({ factor: 1 });
const lossOf = async (kernel) => {
  const dense = layers.dense({ units: 2, kernelInitializer: () => kernel, kernelRegularizer });
  const model = new Sequential([Input({ shape: [2] }), dense]);
  model.compile({ loss: 'meanSquaredError' });
  return (await model.evaluate([[0, 0]], [[0, 0]], { verbose: 0 })).loss;
};
console.log(await lossOf([[1, 0], [0, 1]])); // the rows are orthogonal
console.log((await lossOf([[1, 0], [1, 0]])).toFixed(3)); // they are the same
// → 0
// → 1.000
