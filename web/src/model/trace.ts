// SPDX-License-Identifier: MIT
// The entries of `Model.traceMasks`, from the calls that the core recorded.
import type { NativeTraceEvent } from '../engine/native_trace.js';
import type { NestedArray } from '../base/nested.js';
import { wrapTensor } from '../tensor/tensor.js';
import { attachesMask, explain, type Facts, type MaskRole } from './trace_words.js';

/** A mask as nested booleans (true = keep), or null. */
export type MaskArray = NestedArray<boolean> | null;

/** The mask at one layer or op. */
export interface TraceEntry {
  /** Name of the layer, as in `model.summary()`. */
  layer: string;
  /** Class of the layer, or name of the op. */
  className: string;
  /** Names from the outermost layer to this one, joined by '/'. */
  path: string;
  /** 0 for layers that the model calls, 1 for layers that these call, … */
  depth: number;
  /** Whether it is a layer; false for an op such as `x + 1`. */
  isLayer: boolean;
  /** Role of the layer or op for the mask. */
  role: MaskRole;
  /** The mask as nested booleans (true = keep) or null; a list of them for several tensors. */
  maskIn: MaskArray | MaskArray[];
  /** Mask of the outputs, in the same form. */
  maskOut: MaskArray | MaskArray[];
  /** Shape of the input; a list for several. */
  shapeIn: number[] | number[][];
  /** Shape of the output; a list for several. */
  shapeOut: number[] | number[][];
  /** Explanation in words. */
  reason: string;
  /** How to keep a lost mask; empty if no mask was lost. */
  remedy: string;
}

/** Determines the role of a layer or op from its inputs and outputs. */
function roleOf(facts: Facts): MaskRole {
  const { masked, isMasked, isSame, takesMask } = facts;
  if (facts.forMask) return 'computes';
  if (attachesMask(facts)) return 'makes';
  if (!masked.includes(true)) return isMasked ? 'makes' : 'none';
  if (facts.maskIgnored) return 'ignores';
  if (isMasked && !isSame) return 'changes';
  if (isMasked) return takesMask ? 'uses and passes' : 'passes';
  if (takesMask && facts.supportsMasking) return 'uses';
  return 'drops';
}

type MaskHandles = NativeTraceEvent['masksIn'];

function read(handles: MaskHandles): MaskArray[] {
  return handles.map((handle) => {
    if (!handle) return null;
    const mask = wrapTensor(handle);
    const array = mask.array() as NestedArray<boolean>;
    mask.dispose();
    return array;
  });
}

const single = <T>(items: T[]): T | T[] => (items.length === 1 ? (items[0] as T) : items);

/** Converts an event that the core recorded, and frees its masks. */
export function entryOf(event: NativeTraceEvent): TraceEntry {
  const masksIn = read(event.masksIn);
  const masksOut = read(event.masksOut);
  const firstOut = masksOut.find((mask) => mask !== null) ?? null;
  const facts: Facts = {
    name: event.name,
    className: event.className,
    isLayer: event.isLayer,
    masked: masksIn.map((mask) => mask !== null),
    shapeIn: event.shapesIn[Math.max(0, event.masksIn.findIndex(Boolean))] ?? [],
    shapeOut: event.shapesOut[0] ?? [],
    isMasked: firstOut !== null,
    isSame: masksIn.some((mask) => JSON.stringify(mask) === JSON.stringify(firstOut)),
    takesMask: event.takesMask,
    supportsMasking: event.supportsMasking,
    maskIgnored: event.maskIgnored,
    maskTaken: event.maskTaken,
    forMask: event.forMask,
  };
  const role = roleOf(facts);
  return {
    layer: event.name,
    className: event.className,
    path: event.path,
    depth: event.depth,
    isLayer: event.isLayer,
    role,
    maskIn: single(attachesMask(facts) ? [null] : masksIn),
    maskOut: single(masksOut),
    shapeIn: single(event.shapesIn),
    shapeOut: single(event.shapesOut),
    ...explain(facts, role),
  };
}

/**
 * Converts the events of a trace. Leaves out the model itself (depth -1), ops that no mask reached
 * and, unless `maskOperations`, those that only compute a mask.
 */
export const entriesOf = (
  events: readonly NativeTraceEvent[],
  maskOperations: boolean,
): TraceEntry[] =>
  events
    .map(entryOf)
    .filter(
      ({ depth, isLayer, role }) =>
        depth >= 0 && (isLayer || (role !== 'none' && (maskOperations || role !== 'computes'))),
    );
