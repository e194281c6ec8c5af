// SPDX-License-Identifier: MIT
// A stand-in: the module is on its way.
import { subtract, multiply } from '../ops/ops.gen.js';
import { native, unwrap } from '../engine/engine.js';
import { UnsupportedError } from '../base/errors.js';
import { tidy } from '../tensor/tidy.js';

class Sgd {
  learningRate = 0.01;
  constructor(lr = 0.01) {
    this.learningRate = lr;
  }
  build(): void {}
  apply(gradients: any[], variables: readonly any[]): void {
    tidy(() => {
      gradients.forEach((g, i) => {
        if (!g) return;
        const { layer, index } = variables[i].owner;
        const next = subtract(variables[i].value, multiply(g, this.learningRate));
        unwrap(native().layerSetWeight(layer, index, next.handle));
      });
    });
  }
  finalizeVariableValues(): void {}
  getConfig() {
    return { learning_rate: this.learningRate };
  }
  dispose(): void {}
}
export const optimizers = {
  get(given: any): any {
    if (given instanceof Sgd) return given;
    const name = typeof given === 'string' ? given : given.class_name;
    if (name === 'sgd' || name === 'SGD') return new Sgd(given.config?.learning_rate);
    throw new UnsupportedError(`no optimizer ${name} yet`);
  },
};
