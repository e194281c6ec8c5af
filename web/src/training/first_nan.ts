// SPDX-License-Identifier: MIT
import type { Layer } from '../layers/layer.js';
import type { Given } from './data.js';

/** The path of the layer that is the first to make a NaN of these inputs; null where none is known. */
export function firstNaN(_model: Layer, _inputs: Given): string | null {
  return null;
}
