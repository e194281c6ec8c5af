// SPDX-License-Identifier: MIT
import { layers, optimizers, ready, tensor } from 'maskflow/train';

await ready();
for (const make of [optimizers.adam, optimizers.nadam]) {
  const optimizer = make({ learningRate: 0.1 });
  const layer = layers.dense({ units: 1, useBias: false, kernelInitializer: 'zeros' });
  layer.build([null, 1]);
  const path = [-1, -1, 1, 1].map((gradient) => {
    optimizer.apply([tensor([[gradient]])], layer.trainableVariables);
    return layer.getWeights()[0].item().toFixed(2);
  });
  console.log(optimizer.className, path.join(' ')); // Nadam turns round one step sooner
}
// → Adam 0.10 0.20 0.23 0.22
// → Nadam 0.11 0.18 0.13 0.08
