// SPDX-License-Identifier: MIT
// Custom layers, one for each way of treating masks.
import { Layer, ops } from '../../dist/index.js';

export { MyActivation } from './guide_layers.js';

export class TemporalSplit extends Layer {
  call(inputs) {
    return ops.split(inputs, [2], { axis: 1 });
  }
  computeMask(_inputs, mask) {
    return mask === null ? null : ops.split(mask, [2], { axis: 1 });
  }
}

/** Scales rows by a weight that is created once the number of features is known. */
export class Scale extends Layer {
  constructor({ factor = 2, ...config } = {}) {
    super(config);
    this.factor = factor;
    this.supportsMasking = true;
  }
  build(inputShape) {
    this.builds = (this.builds ?? 0) + 1;
    this.gain = this.addWeight({ name: 'gain', shape: [inputShape.at(-1)], initializer: 'ones' });
  }
  call(inputs) {
    return ops.multiply(ops.multiply(inputs, this.gain), this.factor);
  }
  getConfig() {
    return { ...super.getConfig(), factor: this.factor };
  }
}

export class Plain extends Layer {
  call(inputs) {
    return ops.add(inputs, 1);
  }
}
