// SPDX-License-Identifier: MIT
import type { NativeTraceEvent } from './native.js';
import type { NestedArray } from './nested.js';
import { Tensor } from './tensor.js';

export type MaskRole =
  | 'makes'
  | 'passes'
  | 'uses'
  | 'uses and passes'
  | 'changes'
  | 'drops'
  | 'ignores'
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

interface Facts {
  name: string;
  className: string;
  isLayer: boolean;
  had: boolean;
  has: boolean;
  same: boolean;
  takesMask: boolean;
  supportsMasking: boolean;
  maskIgnored: boolean;
  explicitMask: boolean;
}

const putBack = 'y.withMask(x.mask)';

/** The role of a layer or op, told from what it got and gave. */
export function roleOf(facts: Facts): MaskRole {
  const { had, has, same, takesMask } = facts;
  if (!had) return has ? 'makes' : 'none';
  if (facts.maskIgnored) return 'ignores';
  if (has && !same) return 'changes';
  if (has) return takesMask ? 'uses and passes' : 'passes';
  if (takesMask && facts.supportsMasking) return 'uses';
  return 'drops';
}

/** The same in words, with the remedy when the mask was lost. */
export function explain(facts: Facts, role: MaskRole): { reason: string; remedy: string } {
  const { name, className, isLayer } = facts;
  const who = isLayer ? `${className} '${name}'` : `the operation ${className}`;
  switch (role) {
    case 'none':
      return { reason: `No mask came to ${who}, and it makes none.`, remedy: '' };
    case 'makes':
      return { reason: `${who} makes the mask from its input.`, remedy: '' };
    case 'passes':
      return {
        reason: `${who} works on every step alike and hands the mask on unchanged.`,
        remedy: '',
      };
    case 'uses and passes':
      return { reason: `${who} leaves the masked steps out and hands the mask on.`, remedy: '' };
    case 'uses':
      return {
        reason: `${who} leaves the masked steps out; its output has no time axis to mask any more.`,
        remedy: '',
      };
    case 'changes':
      return { reason: `${who} makes a new mask for its output.`, remedy: '' };
    case 'ignores':
      return {
        reason: `${who} was given other tensors beside the sequence (an initial state): then Keras does not use the attached mask, and padding is computed as data.`,
        remedy: 'Pass the mask by hand: layer.apply(x, { initialState, mask: x.mask }).',
      };
    case 'drops':
      return dropped(facts, who);
  }
}

function dropped(facts: Facts, who: string): { reason: string; remedy: string } {
  if (!facts.isLayer) {
    return {
      reason: `The result of ${who} is a new tensor, and a plain operation never carries a mask over.`,
      remedy: `Put it back with ${putBack}, or use a layer for the same step (Rescaling, Add, Multiply, Activation).`,
    };
  }
  if (facts.takesMask) {
    return {
      reason: `${who} uses the mask but does not pass it on.`,
      remedy: `Put it back with ${putBack} before the next layer that needs it.`,
    };
  }
  return {
    reason: `${who} does not support masking, so the mask ends here; what follows computes padding as data.`,
    remedy: `If the steps keep their places, set supportsMasking = true in a layer of your own, or override computeMask; else put it back with ${putBack}.`,
  };
}

type MaskHandles = NativeTraceEvent['masksIn'];

function read(handles: MaskHandles): MaskArray[] {
  return handles.map((handle) => {
    if (!handle) return null;
    const mask = new Tensor(handle);
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
  const had = masksIn.some((mask) => mask !== null);
  const firstOut = masksOut.find((mask) => mask !== null) ?? null;
  const facts: Facts = {
    name: event.name,
    className: event.className,
    isLayer: event.isLayer,
    had,
    has: firstOut !== null,
    same: masksIn.some((mask) => JSON.stringify(mask) === JSON.stringify(firstOut)),
    takesMask: event.takesMask,
    supportsMasking: event.supportsMasking,
    maskIgnored: event.maskIgnored,
    explicitMask: event.explicitMask,
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
