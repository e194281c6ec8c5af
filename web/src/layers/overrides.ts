// SPDX-License-Identifier: MIT
// Refuses classes such as `class Mine extends LSTM { call() … }`, whose `call` would be ignored.
import { UnsupportedError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';

interface Methods {
  readonly call: unknown;
  readonly computeMask: unknown;
}

/**
 * Throws UnsupportedError, and frees the new layer, if the class of a layer that the core computes
 * overrides a method that the core never calls. `base` is the prototype of all layers.
 */
export function refuseOverrides(layer: Methods, base: Methods, handle: NativeLayer): void {
  const method = layer.call !== base.call ? 'call' : 'computeMask';
  if (layer[method] === base[method]) return;
  const { className, kind } = unwrap(native().layerInfo(handle));
  native()._layer_free(handle);
  const { name } = layer.constructor;
  const parent = kind === 'layer' ? 'Layer' : 'Model';
  const inner = kind === 'functional' ? 'Model' : className;
  throw new UnsupportedError(
    `${name}: ${method}() would never run, because the core computes a ${inner}${kind === 'functional' ? ' with inputs' : ''} by itself; write class ${name} extends ${parent}, with the ${inner} in a property, inner = new ${inner}(…), and call(inputs) { return this.inner.apply(inputs); }`,
  );
}
