// SPDX-License-Identifier: MIT
import type { NativeTraceEvent } from '../engine/native.js';
import type { NestedArray } from '../base/nested.js';
import { wrapTensor } from '../tensor/tensor.js';
import { explain, type Facts } from './trace_words.js';

export type MaskRole =
  | 'makes'
  | 'passes'
  | 'uses'
  | 'uses and passes'
  | 'changes'
  | 'drops'
  | 'ignores'
  | 'computes'
  | 'none';
export type MaskArray = NestedArray<number | boolean> | null;

/** What happened to the mask at one layer or op. */
export interface TraceEntry {
  /** Its name, as in `model.summary()`. */
  layer: string;
  className: string;
  /** Names from the outermost layer to this one, joined by '/'. */
  path: string;
  /** 0 for what the model itself calls, 1 for what those call, … */
  depth: number;
  /** False for a plain operation such as `x + 1`. */
  isLayer: boolean;
  role: MaskRole;
  /** The mask as nested booleans (true = keep) or null; a list of them for several tensors. */
  maskIn: MaskArray | MaskArray[];
  maskOut: MaskArray | MaskArray[];
  shapeIn: number[] | number[][];
  shapeOut: number[] | number[][];
  /** What happened, in words. */
  reason: string;
  /** What to do about a lost mask; empty when nothing is wrong. */
  remedy: string;
}

/** The role of a layer or op, told from what it got and gave. */
export function roleOf(facts: Facts): MaskRole {
  const { masked, has, same, takesMask } = facts;
  if (facts.forMask) return 'computes';
  if (!masked.includes(true)) return has ? 'makes' : 'none';
  if (facts.maskIgnored) return 'ignores';
  if (has && !same) return 'changes';
  if (has) return takesMask ? 'uses and passes' : 'passes';
  if (takesMask && facts.supportsMasking) return 'uses';
  return 'drops';
}

type MaskHandles = NativeTraceEvent['masksIn'];

function read(handles: MaskHandles): MaskArray[] {
  return handles.map((handle) => {
    if (!handle) return null;
    const mask = wrapTensor(handle);
    const array = mask.array();
    mask.dispose();
    return array;
  });
}

const single = <T>(items: T[]): T | T[] => (items.length === 1 ? (items[0] as T) : items);

/** One entry from what the core recorded; frees the masks. */
export function entryOf(event: NativeTraceEvent): TraceEntry {
  const masksIn = read(event.masksIn);
  const masksOut = read(event.masksOut);
  const firstOut = masksOut.find((mask) => mask !== null) ?? null;
  const facts: Facts = {
    name: event.name,
    className: event.className,
    isLayer: event.isLayer,
    masked: masksIn.map((mask) => mask !== null),
    has: firstOut !== null,
    same: masksIn.some((mask) => JSON.stringify(mask) === JSON.stringify(firstOut)),
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
    maskIn: single(masksIn),
    maskOut: single(masksOut),
    shapeIn: single(event.shapesIn),
    shapeOut: single(event.shapesOut),
    ...explain(facts, role),
  };
}
