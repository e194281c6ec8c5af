// SPDX-License-Identifier: MIT
// The script of a worker of one's own: a layer that breaks its thread when it is given the number 666. `workerData` may hold an
// Int32Array on shared memory with how often it still does so.
import process from 'node:process';
import { workerData } from 'node:worker_threads';
import { Layer, loadModel, ops, ready, registerLayer } from '../../dist/index.js';
import { serve } from '../../dist/worker.js';

class Fragile extends Layer {
  call(inputs) {
    const left = workerData?.left;
    if (left && inputs.data().includes(666) && Atomics.sub(left, 0, 1) > 0) process.exit(3);
    return ops.multiply(inputs, 2);
  }
}
registerLayer(Fragile, { package: 'Tests', name: 'Fragile' });
serve({ ready, loadModel });
