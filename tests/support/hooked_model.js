// SPDX-License-Identifier: MIT
// A class of models that overrides the loss and the logs of training, for both sides of a worker.
import { Model, ops, registerLayer } from '../../dist/train.js';

/** Its loss is twice that of `compile` plus 1, and its logs count the outputs that have weights. */
export class Hooked extends Model {
  computeLoss(x, y, yPred, sampleWeight, training) {
    this.weighted = [sampleWeight].flat().filter((weights) => weights).length;
    const loss = super.computeLoss(x, y, yPred, sampleWeight, training);
    return ops.add(ops.multiply(loss, 2), 1);
  }
  computeMetrics(...args) {
    return { ...super.computeMetrics(...args), weighted: this.weighted };
  }
}

export const registerHooked = () => registerLayer(Hooked, { package: 'Tests', name: 'Hooked' });
