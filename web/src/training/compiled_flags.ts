// SPDX-License-Identifier: MIT
// Changes of `trainable` count from the next compile() on: until then, steps run with the flags
// that the layers had when training began.
import { isReady, native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';
import type { Layer } from '../layers/layer.js';
import { eachInside } from '../layers/layer_objects.js';
import { trainableChanges } from '../layers/trainable_changes.js';

/** The flag `trainable` of each layer, by id. */
type Flags = Map<NativeLayer, boolean>;

interface State {
  readonly flags: Flags;
  /** Number of changes after which the flags were still those of the layers. */
  unchangedAt: number;
}

const states = new WeakMap<object, State>();

/** Sets the flags of a layer and of all layers inside, and returns the previous ones. */
function exchange(layer: NativeLayer, flags: Flags, previous: Flags = new Map()): Flags {
  if (previous.has(layer)) return previous;
  const { trainable } = unwrap(native().layerInfo(layer));
  previous.set(layer, trainable);
  const flag = flags.get(layer) ?? trainable;
  if (flag !== trainable) unwrap(native().layerSet(layer, { trainable: flag, alone: true }));
  eachInside(layer, (inner) => exchange(inner, flags, previous));
  return previous;
}

/** Remembers which layers of a model are frozen, for {@link asCompiled}. */
export function rememberFlags(compiled: { readonly model: Layer }): void {
  const flags = exchange(compiled.model.handle, new Map());
  states.set(compiled, { flags, unchangedAt: trainableChanges.count });
}

/** Runs a training step with the flags of {@link rememberFlags}. */
export function asCompiled<R>(compiled: { readonly model: Layer }, step: () => R): R {
  const state = states.get(compiled);
  const { count } = trainableChanges;
  if (!state || state.unchangedAt === count) return step();
  const { model } = compiled;
  const now = exchange(model.handle, state.flags);
  if ([...now].every(([layer, flag]) => (state.flags.get(layer) ?? flag) === flag)) {
    state.unchangedAt = count;
    return step();
  }
  try {
    return step();
  } finally {
    if (isReady() && !model.isDisposed) exchange(model.handle, now);
  }
}
