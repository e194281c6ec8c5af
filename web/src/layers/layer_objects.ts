// SPDX-License-Identifier: MIT
// The one object in JavaScript for each layer of the core.
import { Service } from '../base/service.js';
import { Finalizer, isCurrent, native, unwrap, unwrapHandle } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';

/** A handle that is there already, in place of a configuration. @internal */
export class Prepared {
  constructor(readonly handle: NativeLayer) {}
}

/** What these functions need of a layer's object. */
interface LayerObject {
  /** Is its `call` JavaScript? */
  readonly isCustom: boolean;
}

/** Classes of layer objects, by the name of the core's class; '' is the class of all others. */
export const layerClasses = new Service<
  ReadonlyMap<string, new (prepared: Prepared) => LayerObject>
>('call ready() first');

const living = new Map<NativeLayer, { deref(): LayerObject | undefined }>();

// For layers that nobody disposes of, and for what is known of those that somebody did.
const lost = new Finalizer<NativeLayer>((id, module) => {
  module._layer_free(id);
  forgotten(id);
});
const disposed = new Finalizer<NativeLayer>(forgotten);

// (Another object may stand for the same layer now.)
function forgotten(id: NativeLayer): void {
  if (!living.get(id)?.deref()) living.delete(id);
}

export function remember(id: NativeLayer, layer: LayerObject): void {
  lost.register(layer, id);
  // Some engines (workerd's) have no weak references by default: layers stay, there.
  living.set(id, typeof WeakRef === 'undefined' ? { deref: () => layer } : new WeakRef(layer));
}

/** `Kind`: what all objects of layers are, as those above know them. */
export function objectById<Kind extends LayerObject>(id: NativeLayer): Kind | undefined {
  return living.get(id)?.deref() as Kind | undefined;
}

/** Gives the hold of a layer back. Where the layer lives on, code of the user's is found as long as the object is there. */
export function forget(id: NativeLayer, layer: LayerObject): void {
  lost.unregister(layer);
  if (native()._layer_free(id) && layer.isCustom) disposed.register(layer, id);
  else living.delete(id);
}

/** Nothing of an instance that is gone is found again. */
export function forgetAll(): void {
  living.clear();
}

/** True if the core has a class of this name; false for all names before `ready()`. */
export const isBuiltin = (className: string): boolean =>
  layerClasses.supplied?.has(className) ?? false;

/** The one layer object for a handle, which it takes over. */
export function objectOf<Kind extends LayerObject>(handle: NativeLayer): Kind {
  const { id, className } = unwrap(native().layerInfo(handle));
  const known = objectById<Kind>(id);
  if (known) {
    native()._layer_free(handle);
    return known;
  }
  const classes = layerClasses.get();
  const Class = classes.get(className) ?? classes.get('');
  return new (Class as new (prepared: Prepared) => Kind)(new Prepared(handle));
}

/** The one layer object for a handle that stays the caller's. */
export const objectAt = <Kind extends LayerObject>(handle: NativeLayer): Kind =>
  objectOf(unwrapHandle(native()._layer_share(handle)));

/** Calls `f` for each layer inside; their holds are given back whatever it does. */
export function eachInside(layer: NativeLayer, f: (inner: NativeLayer) => void): void {
  const owner = native();
  const inside = unwrap(owner.layerSublayers(layer));
  try {
    for (const inner of inside) f(inner);
  } finally {
    if (isCurrent(owner)) for (const inner of inside) owner._layer_free(inner);
  }
}

/** The objects of the layers inside. */
export function objectsInside<Kind extends LayerObject>(layer: NativeLayer): Kind[] {
  const objects: Kind[] = [];
  eachInside(layer, (inner) => objects.push(objectAt(inner)));
  return objects;
}
