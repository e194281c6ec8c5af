// SPDX-License-Identifier: MIT
import type { FlowData } from './read.js';
import type { Stage } from './stage.js';

/** Layers whose result has no steps any more although they did not use the mask. */
const blind = ['GlobalMaxPooling1D', 'Flatten'];

/** Whether a mask ends here that steps, or the layer itself, would have needed. */
export const loses = ({ role, shapeOut, className, isLayer }: Stage): boolean =>
  role === 'drops' && (shapeOut.length > 2 || (isLayer && blind.includes(className)));

/**
 * Where the mask is lost for good: nothing behind has one. `line`: its place in the program, where
 * that is known.
 */
export function lostAt({ chains, edges }: FlowData): { stage: Stage; line: number } | undefined {
  const stages = chains[0]?.stages ?? [];
  const later = (at: number) =>
    stages.slice(at + 1).some(({ maskIn, maskOut }) => [...maskIn, ...maskOut].some(Boolean));
  const at = stages.findLastIndex((stage, index) => !stage.inner && loses(stage) && !later(index));
  const line = edges?.findIndex(({ stage }) => stage === at) ?? -1;
  const stage = stages[at];
  return stage && !edges?.slice(line + 1).some(({ mask }) => mask) ? { stage, line } : undefined;
}
