// SPDX-License-Identifier: MIT
import { deserializeLayer, Layer, ops, ready } from 'maskflow';
import { registerLayer, serializeLayer } from 'maskflow';

class Scale extends Layer {
  constructor({ factor, ...config }) {
    super(config);
    this.factor = factor;
  }
  call(x) {
    return ops.multiply(x, this.factor);
  }
  getConfig() {
    return { ...super.getConfig(), factor: this.factor };
  }
}

await ready();
registerLayer(Scale, { package: 'my_app' });
const saved = serializeLayer(new Scale({ factor: 3 }));
console.log(saved.registered_name, deserializeLayer(saved).apply([1, 2]).array().join());
// → my_app>Scale 3,6
