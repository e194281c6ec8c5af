// SPDX-License-Identifier: MIT
// Losses that layers add in `call`. Each layer keeps those of the last call. Training and
// evaluation also collect those of their calls.
import { refuse } from '../base/check.js';
import { native, unwrapHandle } from '../engine/engine.js';
import type { NativeTensor } from '../engine/native.js';
import { isTrial, isUserCodeRunning } from '../layers/user_code.js';
import type { Layer } from '../layers/layer.js';
import { cast, sum } from '../ops/ops.gen.js';
import { isTensor, type Tensor, wrapTensor } from '../tensor/tensor.js';
import { keep } from '../tensor/tidy.js';

/** Number of the call that user code began last. */
let call = 0;
/** The call that began with the layer. */
const callOf = new WeakMap<Layer, number>();
/** Losses that a layer added, and the call in which it did. */
const added = new WeakMap<object, { readonly call: number; readonly losses: Tensor[] }>();
/** The last call in which a layer added a loss. */
let callWithLosses = 0;
/** Losses of the call that is collected; null outside of training and evaluation. */
let collected: NativeTensor[] | null = null;

/** A call of user code outside of layers: it replaces the losses of earlier calls. */
export function beginCall(): void {
  call++;
}

/** Returns the sum of a loss, as Keras adds it. */
export function scalarOf(loss: Tensor): Tensor {
  const floats = loss.dtype === 'float32' ? loss : cast(loss, 'float32');
  return floats.rank === 0 ? floats : sum(floats);
}

/** A call of a layer: outside of user code, its losses replace those of earlier calls. */
export function beginLayerCall(layer: Layer): void {
  if (!isUserCodeRunning()) beginCall();
  callOf.set(layer, call);
}

/** A call of a model in training or evaluation, which may run inside user code. */
export function beginModelCall(model: Layer): void {
  beginCall();
  callOf.set(model, call);
}

/** Adds losses to those of a layer. */
export function addLosses(layer: Layer, losses: unknown): void {
  for (const loss of Array.isArray(losses) ? losses : [losses]) addOne(layer, loss);
}

/** Returns the losses that the layers added since the call of `layer` began. */
export function lossesSince(layer: Layer, layers: Iterable<Layer>): Tensor[] {
  const first = callOf.get(layer) ?? 0;
  const all = [...layers].flatMap((each) => {
    const record = added.get(each);
    return record && record.call >= first ? record.losses : [];
  });
  return all.filter((loss) => !loss.isDisposed);
}

function addOne(layer: Layer, loss: unknown): void {
  if (!isTensor(loss)) refuse('the argument of addLoss()', 'a tensor, or a list of them', loss);
  if (loss.isSymbolic || isTrial()) return;
  if (collected) collected.push(unwrapHandle(native()._tensor_share(scalarOf(loss).handle)));
  record(layer, loss);
}

/** Frees the losses of a layer. */
export function forgetLosses(layer: object): void {
  for (const loss of added.get(layer)?.losses ?? []) loss.dispose();
  added.delete(layer);
}

/** Adds a loss to those that `losses` of a layer returns. */
export function record(layer: Layer, loss: Tensor): void {
  // User code may dispose of a layer in its own call.
  if (layer.isDisposed) return;
  const before = added.get(layer);
  if (before?.call !== call) for (const old of before?.losses ?? []) old.dispose();
  const losses = before?.call === call ? before.losses : [];
  // A new tensor: the caller may dispose of the loss.
  losses.push(keep(wrapTensor(unwrapHandle(native()._tensor_share(loss.handle)))));
  added.set(layer, { call, losses });
  callWithLosses = call;
}

/** Whether a layer added losses in the call that began last, outside of user code. */
export const hasLosses = (): boolean => callWithLosses === call && !isUserCodeRunning();

/** Forgets the losses of all of these batches but the last: each adds as many losses. */
export function keepLastBatch(layers: Iterable<Layer>, batches: number): void {
  for (const layer of layers) {
    const record = added.get(layer);
    if (record?.call !== call) continue;
    const { losses } = record;
    const before = losses.length - Math.ceil(losses.length / batches);
    for (const loss of losses.splice(0, before)) loss.dispose();
  }
}

/** Runs `f`, and returns the losses that layers add meanwhile, in the current scope. */
export function collectLosses<R>(f: () => R): { result: R; losses: Tensor[] } {
  const outer = collected;
  collected = [];
  try {
    return { result: f(), losses: collected.map((handle) => wrapTensor(handle)) };
  } catch (error) {
    for (const handle of collected) wrapTensor(handle).dispose();
    throw error;
  } finally {
    collected = outer;
  }
}
