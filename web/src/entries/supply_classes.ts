// SPDX-License-Identifier: MIT
import { UnnamedLayer } from '../layers/builtin_layer.js';
import { layerClasses } from '../layers/layer_objects.js';
import { Model } from '../model/model.js';
import { Sequential } from '../model/sequential.js';

/** Supplies the classes of models and of the given layers. */
export function supplyClasses(layers: object): void {
  layerClasses.supplied = new Map(
    Object.entries({ ...layers, Functional: Model, Sequential, '': UnnamedLayer }),
  );
}
