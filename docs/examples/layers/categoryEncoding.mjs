// SPDX-License-Identifier: MIT
import { layers, ready, tensor } from 'maskflow';

await ready();
const ids = tensor([[0, 2, 2]], { dtype: 'int32' });
for (const outputMode of ['one_hot', 'multi_hot', 'count']) {
  const layer = layers.categoryEncoding({ numTokens: 4, outputMode });
  console.log(outputMode, String(layer.apply(ids)));
}
// → one_hot [[[1 0 0 0]
// →   [0 0 1 0]
// →   [0 0 1 0]]]
// → shape (1, 3, 4), float32
// → multi_hot [[1 0 1 0]]
// → shape (1, 4), float32
// → count [[1 0 2 0]]
// → shape (1, 4), float32
