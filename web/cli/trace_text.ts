// SPDX-License-Identifier: MIT
// The result of `maskflow trace` as text for a person.
import { visible } from '../src/base/visible.js';
import type { MaskArray, TraceEntry } from '../src/index.js';

const kMaxRows = 4;
const kMaxSteps = 40;

/** Pictures the rows of a small mask as ■ and ·; '' for other masks. */
function picture(mask: unknown): string {
  const rows = Array.isArray(mask) && Array.isArray(mask[0]) ? (mask as unknown[]) : [mask];
  const flat = (row: unknown): row is boolean[] =>
    Array.isArray(row) && row.length <= kMaxSteps && row.every((step) => typeof step !== 'object');
  if (rows.length > kMaxRows || !rows.every(flat)) return '';
  return ` (${(rows as boolean[][]).map((row) => row.map((step) => (step ? '■' : '·')).join('')).join(' ')})`;
}

function maskLine(mask: MaskArray): string {
  if (mask === null) return 'none';
  const steps = [mask].flat(Number.POSITIVE_INFINITY as 1) as unknown[];
  return `${steps.filter(Boolean).length} of ${steps.length} kept${picture(mask)}`;
}

/** Writes one mask, or the masks of several tensors if there are several shapes. */
function maskText(masks: TraceEntry['maskIn'], shapes: TraceEntry['shapeIn']): string {
  const isList = Array.isArray(shapes[0]);
  if (!isList) return maskLine(masks as MaskArray);
  return (masks as MaskArray[]).map(maskLine).join('; ');
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

/** Describes what each layer does with the masks. */
export function traceText(model: string, entries: readonly TraceEntry[]): string {
  const lost = entries.filter(({ remedy }) => remedy !== '').length;
  const sum = lost === 0 ? 'No mask is lost.' : `Masks are lost or ignored at ${lost} of them.`;
  return [
    visible(`Masks in "${model}"`),
    ...entries.map(entryText),
    `${entries.length} layers and operations. ${sum}`,
  ].join('\n\n');
}
