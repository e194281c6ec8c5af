// SPDX-License-Identifier: MIT
// Each layer of the core has one object in JavaScript.
import { Service } from '../base/service.js';
import { Finalizer, isCurrent, native, unwrap, unwrapHandle } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';

/** The handle of an existing layer, passed to a constructor in place of a config. @internal */
export class Prepared {
  constructor(readonly handle: NativeLayer) {}
}

/** The part of a layer object that these functions use. */
interface LayerObject {
  /** Whether the layer's `call` is written in JavaScript. */
  readonly isCustom: boolean;
}

/** Classes of layer objects, by the name of the core's class; '' is the class of all others. */
export const layerClasses = new Service<
  ReadonlyMap<string, new (prepared: Prepared) => LayerObject>
>('call ready() first', 'ERR_NOT_READY');

const living = new Map<NativeLayer, { deref(): LayerObject | undefined }>();

// Frees layers that are collected without dispose(), and forgets disposed ones that lived on.
const collected = new Finalizer<NativeLayer>((id, module) => {
  module._layer_free(id);
  removeEntry(id);
});
const disposed = new Finalizer<NativeLayer>(removeEntry);

// Keeps the entry if another object represents the layer now.
function removeEntry(id: NativeLayer): void {
  if (!living.get(id)?.deref()) living.delete(id);
}

let newest = 0 as NativeLayer;
/** The newest layer that has an object. Later layers have larger numbers. */
export const newestLayer = (): NativeLayer => newest;

/** Layers that are newer than this one. */
export const newerThan = (id: NativeLayer): NativeLayer[] =>
  [...living.keys()].filter((other) => other > id);

/** Registers the object of a layer. */
export function remember(id: NativeLayer, layer: LayerObject): void {
  if (id > newest) newest = id;
  collected.register(layer, id);
  // Some engines (workerd) have no weak references by default; there, layers are kept forever.
  living.set(id, typeof WeakRef === 'undefined' ? { deref: () => layer } : new WeakRef(layer));
}

/** Returns the object of a layer, if it exists. `Kind` is the class of layer objects. */
export function objectById<Kind extends LayerObject>(id: NativeLayer): Kind | undefined {
  return living.get(id)?.deref() as Kind | undefined;
}

/**
 * Releases a layer. If other layers keep it alive, user-defined code is still found as long as the
 * object exists.
 */
export function forget(id: NativeLayer, layer: LayerObject): void {
  collected.unregister(layer);
  if (native()._layer_free(id) && layer.isCustom) disposed.register(layer, id);
  else living.delete(id);
}

/** Forgets all layers, because their wasm instance is gone. */
export function forgetAll(): void {
  living.clear();
  newest = 0 as NativeLayer;
}

/** True if the core has a class of this name; false for all names before `ready()`. */
export const isBuiltin = (className: string): boolean =>
  layerClasses.supplied?.has(className) ?? false;

/** Returns the layer object for a handle, and takes ownership of the handle. */
export function objectOf<Kind extends LayerObject>(handle: NativeLayer): Kind {
  const { id, className } = unwrap(native().layerInfo(handle));
  const object = objectById<Kind>(id);
  if (object) {
    native()._layer_free(handle);
    return object;
  }
  const classes = layerClasses.get();
  const Class = classes.get(className) ?? classes.get('');
  return new (Class as new (prepared: Prepared) => Kind)(new Prepared(handle));
}

/** Returns the layer object for a handle that the caller keeps. */
export const objectAt = <Kind extends LayerObject>(handle: NativeLayer): Kind =>
  objectOf(unwrapHandle(native()._layer_share(handle)));

/** Calls `f` for each layer inside, and releases their handles even if `f` throws. */
export function eachInside(layer: NativeLayer, f: (inner: NativeLayer) => void): void {
  const owner = native();
  const inside = unwrap(owner.layerSublayers(layer));
  try {
    for (const inner of inside) f(inner);
  } finally {
    if (isCurrent(owner)) for (const inner of inside) owner._layer_free(inner);
  }
}

/** Returns whether a layer contains another one, at any depth. */
export function containsLayer(
  layer: NativeLayer,
  inner: NativeLayer,
  seen = new Set([layer]),
): boolean {
  let found = false;
  eachInside(layer, (next) => {
    if (next === inner) found = true;
    else if (!found && !seen.has(next)) found = containsLayer(next, inner, seen.add(next));
  });
  return found;
}

/** Returns the objects of the layers inside. */
export function objectsInside<Kind extends LayerObject>(layer: NativeLayer): Kind[] {
  const objects: Kind[] = [];
  eachInside(layer, (inner) => objects.push(objectAt(inner)));
  return objects;
}

/** Objects of the custom layers inside a layer, at any depth. */
export function customInside(layer: NativeLayer, seen: NativeLayer[] = [layer]): object[] {
  const objects: object[] = [];
  eachInside(layer, (inner) => {
    if (unwrap(native().layerInfo(inner)).kind === 'js') {
      objects.push(objectAt(inner));
    } else if (!seen.includes(inner)) {
      seen.push(inner);
      objects.push(...customInside(inner, seen));
    }
  });
  return objects;
}
