// SPDX-License-Identifier: MIT
// Layers that run inside a custom layer although no property shows them: those in `#private` fields
// and in closures.
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';
import { warn } from '../base/visible.js';
import { containsLayer, newestLayer } from './layer_objects.js';

/** The part of a layer object that these functions use. */
interface LayerObject {
  readonly handle: NativeLayer;
  readonly name: string;
  readonly isDisposed: boolean;
}

/** Code of a custom layer that runs. */
interface Running {
  readonly layer: LayerObject;
  /** The newest layer when `call` began. Those that `build` creates are the layer's own. */
  readonly newest: NativeLayer | null;
}

const running: Running[] = [];
const adopted = new WeakMap<object, LayerObject[]>();
/** Layers that were seen inside a layer, so that each is examined once. */
const seen = new WeakMap<object, WeakSet<object>>();

/** Layers with a warning that `call` creates layers. */
const creating = new WeakSet<object>();

/** Runs `call` or `build` of a custom layer. */
export function runningIn<T>(layer: LayerObject, method: 'call' | 'build', code: () => T): T {
  running.push({ layer, newest: method === 'call' ? newestLayer() : null });
  try {
    return code();
  } finally {
    running.pop();
  }
}

/** Layers without a property that a custom layer has used as its own. */
export const adoptedBy = (layer: object): readonly LayerObject[] => adopted.get(layer) ?? [];

/**
 * Must be called after a layer was called or built. If code of a custom layer did that, and nothing
 * holds the layer, the custom layer adopts it. A layer that is older than the custom layer, or that
 * `call` itself has created, is not its own: its weights belong to nothing, so a warning names it.
 */
export function noticeUse(inner: LayerObject): void {
  const last = running.at(-1);
  if (!last || last.layer === inner || inner.isDisposed) return;
  const { layer: outer, newest } = last;
  // User code may dispose of a layer in its own call.
  if (outer.isDisposed) return;
  const known = seen.get(outer) ?? new WeakSet();
  if (known.has(inner)) return;
  seen.set(outer, known.add(inner));
  const { handle } = inner;
  if (unwrap(native().layerWeights(handle)).length === 0) {
    // A layer that is not built yet may get weights.
    if (!unwrap(native().layerInfo(handle)).built) known.delete(inner);
    return;
  }
  if (running.some(({ layer }) => layer === inner) || unwrap(native().layerIsHeld(handle))) return;
  // A layer around the custom layer would become its own part.
  if (containsLayer(handle, outer.handle)) return;
  if (handle > outer.handle && (newest === null || handle <= newest)) {
    adopted.set(outer, [...adoptedBy(outer), inner]);
    return;
  }
  const isNew = handle > outer.handle;
  if (isNew && creating.has(outer)) return;
  if (isNew) creating.add(outer);
  const reason = isNew ? 'each call creates it' : 'no layer holds it';
  warn(
    `layer '${inner.name}' runs inside '${outer.name}', but ${reason}: its weights are not trained, saved or counted; create it once and hold it in a property of a class that extends Layer`,
  );
}
