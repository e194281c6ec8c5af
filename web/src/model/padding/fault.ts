// SPDX-License-Identifier: MIT
// Finds the first layer whose results depend on padding, and the remedy.
import { visible } from '../../base/visible.js';
import type { Remedy } from '../remedies.js';
import { type Alignment, largestDifference } from './differences.js';
import type { Call, Run } from './run.js';

/** Remedies for models in which no mask is lost, by name. @internal */
export const paddingRemedies = {
  embedding: {
    says: 'No mask is made. Let id 0 be padding: create the Embedding with',
    code: '{ maskZero: true }',
  },
  masking: {
    says: 'No mask is made. Put a Masking layer first, or attach a mask to the input',
    code: 'x.withMask(mask)',
  },
  mixes: {
    says: 'The layer receives the mask, but mixes padding with data. Empty the masked steps first',
    code: 'ops.where(x.mask.expandDims(-1), x, 0).withMask(x.mask)',
  },
} as const satisfies { readonly [name: string]: Remedy };

/** Returns whether the results of the calls at this position differ. */
const differs = (short: Run, long: Run, at: number, alignment: Alignment): boolean =>
  largestDifference(short.calls[at]?.results ?? [], long.calls[at]?.results ?? [], alignment) > 0;

/** Returns the position of the first call, the innermost, whose results differ; -1 if none does. */
function firstDifference(short: Run, long: Run, alignment: Alignment): number {
  const { calls } = short;
  const isSame = (a: Call, b: Call | undefined): boolean => a.entry.path === b?.entry.path;
  // Custom code may call other layers for other data.
  if (!calls.every((call, i) => isSame(call, long.calls[i]))) return -1;
  let found = -1;
  for (let i = 0; i < calls.length; i++) {
    const isInside = found < 0 || depthOf(calls, i) > depthOf(calls, found);
    if (!isInside) return found;
    if (differs(short, long, i, alignment)) found = i;
  }
  return found;
}

const depthOf = (calls: readonly Call[], at: number): number => calls[at]?.entry.depth ?? 0;

/** Returns the layer that contains the call, for an operation inside a layer. */
function layerAt(calls: readonly Call[], at: number): number {
  let place = at;
  while (!calls[place]?.entry.isLayer && depthOf(calls, place) > 0) {
    const depth = depthOf(calls, place);
    while (place > 0 && depthOf(calls, place) >= depth) place -= 1;
  }
  return place;
}

const textOf = ({ says, code }: Remedy): string => `${says}: ${code}.`;

/** Returns the remedy for a layer without a mask: that of the call before it that lost the mask. */
function earlierRemedy(calls: readonly Call[], at: number): string | undefined {
  const depth = depthOf(calls, at);
  const earlier = calls.slice(0, at).filter(({ entry }) => entry.remedy && entry.depth <= depth);
  const { layer = '', remedy } = earlier.at(-1)?.entry ?? {};
  return remedy && `${visible(layer)} lost the mask. ${remedy}`;
}

const hasMask = ({ entry }: Call): boolean =>
  [entry.maskIn, entry.maskOut].some((masks) => Array.isArray(masks) && masks.some(Boolean));

function remedyAt(calls: readonly Call[], at: number): string {
  const entry = calls[at]?.entry;
  if (entry?.remedy) return entry.remedy;
  if (!calls.some(hasMask)) {
    const embeds = calls.some(({ entry: { className } }) => className === 'Embedding');
    return textOf(embeds ? paddingRemedies.embedding : paddingRemedies.masking);
  }
  const isMasked = hasMask(calls[at] as Call);
  return (isMasked ? undefined : earlierRemedy(calls, at)) ?? textOf(paddingRemedies.mixes);
}

/** Where padding first changes a result, and what to do. */
export function faultOf(
  short: Run,
  long: Run,
  alignment: Alignment,
): { layer: string | null; remedy: string | null } {
  const found = firstDifference(short, long, alignment);
  if (found < 0) return { layer: null, remedy: null };
  const at = layerAt(long.calls, found);
  return { layer: long.calls[at]?.entry.layer ?? null, remedy: remedyAt(long.calls, at) };
}
