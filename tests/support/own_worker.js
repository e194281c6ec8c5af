// SPDX-License-Identifier: MIT
// The script of a custom worker. Its layer ends the thread when it receives the number 666, as
// often as `workerData.left` says: an Int32Array in shared memory that counts down. Without `left`,
// it never does.
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
