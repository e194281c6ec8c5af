// SPDX-License-Identifier: MIT
// Decides which layer a figure of the chapter "flow" blames for a lost mask.
import type { FlowData } from './read.js';
import type { Stage } from './stage.js';

/** Layers that do not use the mask and whose output has no steps. */
const maskless = ['GlobalMaxPooling1D', 'Flatten'];

/** Whether this layer drops a mask that it, or the steps of its output, would have needed. */
export const loses = ({ role, shapeOut, className, isLayer }: Stage): boolean =>
  role === 'drops' && (shapeOut.length > 2 || (isLayer && maskless.includes(className)));

/**
 * Returns the stage after which no tensor has a mask, and its `line` in the program, or -1 if that
 * is unknown.
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
