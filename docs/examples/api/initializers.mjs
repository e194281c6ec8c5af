// SPDX-License-Identifier: MIT
import { initializers, layers, ready } from 'maskflow';

await ready({ seed: 1 });
const kernelInitializer = initializers.randomUniform({ minval: -0.1, maxval: 0.1 });
const dense = layers.dense({ units: 4, kernelInitializer });
dense.build([null, 3]);
console.log(dense.kernel.value.data().every((x) => Math.abs(x) <= 0.1));
// → true
