// SPDX-License-Identifier: MIT
// Lets files and graphs return objects of the right class: an entry lists the classes that it has.
import { hide } from '../base/define.js';
import { UnnamedLayer } from '../layers/builtin_layer.js';
import { Layer } from '../layers/layer.js';
import { layerClasses } from '../layers/layer_objects.js';
import { Model } from '../model/model.js';
import { Sequential } from '../model/sequential.js';
import { Tensor } from '../tensor/tensor.js';

/** Supplies the classes of models and of the given layers, and names them: builds shorten names. */
export function supplyClasses(layers: object): void {
  const named = { ...layers, Sequential };
  for (const [name, Class] of Object.entries({ ...named, Tensor, Layer, Model })) {
    hide(Class, 'name', name);
  }
  layerClasses.supplied = new Map(
    Object.entries({ ...named, Functional: Model, '': UnnamedLayer }),
  );
}
