// SPDX-License-Identifier: MIT
import { visible } from '../src/base/visible.js';
import type { MaskArray, TraceEntry } from '../src/index.js';

const kMostRows = 4;
const kMostSteps = 40;

/** Each row of a small mask as ■ and ·; of another none. */
function picture(mask: unknown): string {
  const rows = Array.isArray(mask) && Array.isArray(mask[0]) ? (mask as unknown[]) : [mask];
  const flat = (row: unknown): row is boolean[] =>
    Array.isArray(row) && row.length <= kMostSteps && row.every((step) => typeof step !== 'object');
  if (rows.length > kMostRows || !rows.every(flat)) return '';
  return ` (${(rows as boolean[][]).map((row) => row.map((step) => (step ? '■' : '·')).join('')).join(' ')})`;
}

function one(mask: MaskArray): string {
  if (mask === null) return 'none';
  const steps = [mask].flat(Number.POSITIVE_INFINITY as 1) as unknown[];
  return `${steps.filter(Boolean).length} of ${steps.length} kept${picture(mask)}`;
}

/** One mask, or those of several tensors; the shapes say which. */
function maskText(masks: TraceEntry['maskIn'], shapes: TraceEntry['shapeIn']): string {
  const several = Array.isArray(shapes[0]);
  if (!several) return one(masks as MaskArray);
  return (masks as MaskArray[]).map(one).join('; ');
}

function entryText(entry: TraceEntry): string {
  const { layer, className, role, depth, reason, remedy } = entry;
  const lines = [
    visible(`${layer} (${className}): ${role === 'none' ? 'no mask' : role}`),
    `  in: ${maskText(entry.maskIn, entry.shapeIn)}`,
    `  out: ${maskText(entry.maskOut, entry.shapeOut)}`,
    reason && `  ${reason}`,
    remedy && `  What to do: ${remedy}`,
  ];
  const indent = '  '.repeat(depth);
  return lines
    .filter(Boolean)
    .map((line) => indent + line)
    .join('\n');
}

/** What happened to the masks, layer by layer. */
export function traceText(model: string, entries: readonly TraceEntry[]): string {
  const lost = entries.filter(({ remedy }) => remedy !== '').length;
  const sum = lost === 0 ? 'No mask is lost.' : `Masks are lost or ignored at ${lost} of them.`;
  return [
    visible(`Masks in "${model}"`),
    ...entries.map(entryText),
    `${entries.length} layers and operations. ${sum}`,
  ].join('\n\n');
}
