// SPDX-License-Identifier: MIT
import type { FlowData, Stage } from './read.js';

/** Layers whose result has no steps any more although they did not use the mask. */
const blind = ['GlobalMaxPooling1D', 'Flatten'];

/** Whether a mask ends here that steps, or the layer itself, would have needed. */
export const loses = ({ role, shapeOut, className, isLayer }: Stage): boolean =>
  role === 'drops' && (shapeOut.length > 2 || (isLayer && blind.includes(className)));

/** The first place where the mask is lost and not put back before the next layer. */
export function lostAt({ chains, edges }: FlowData): Stage | undefined {
  const stages = chains[0]?.stages.filter(({ inner }) => !inner) ?? [];
  const putBack = (at: number) =>
    edges?.some(({ stage }, line) => stage === at && edges[line + 1]?.stage === -1) ?? false;
  return stages.find(
    (stage, at) => loses(stage) && !putBack(at) && !stages[at + 1]?.maskIn.some(Boolean),
  );
}
