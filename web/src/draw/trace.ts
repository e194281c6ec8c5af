// SPDX-License-Identifier: MIT
import type { TraceEntry } from '../model/trace.js';
import { refuse } from '../base/check.js';
import { masksOf } from './calls.js';
import { type Block, drawLegend, drawTiles } from './marks.js';
import { type FigureOptions, settingsOf } from './options.js';
import { fit, group, type Markup, Sheet, wrap } from './svg.js';
import { rowsOf } from './values.js';
import { counted, roleText } from './words.js';

const kMaskLeft = 240;
const kTextLeft = 488;
const kText = 360;
const kMost = { rows: 4, steps: 28 };

function drawEntry(sheet: Sheet, entry: TraceEntry, y: number): Block {
  const { layer, className, depth, remedy, reason } = entry;
  const indent = Math.min(depth, 6) * 16;
  const room = kMaskLeft - 16 - indent;
  const mask = masksOf(entry.maskOut, entry.shapeOut).find(Boolean);
  const parts: Markup[] = [
    sheet.text('ink', indent, y + 12, fit(layer, 13, room), { mono: true, bold: true }),
    sheet.text('soft', indent, y + 28, fit(entry.isLayer ? className : 'operation', 11, room), {
      size: 11,
    }),
  ];
  let height = 32;
  if (mask) {
    const rows = rowsOf(mask as never) as boolean[][];
    const pitch = (rows[0]?.length ?? 0) <= 14 ? 16 : 8;
    const most = { ...kMost, steps: pitch === 16 ? 14 : kMost.steps };
    const label = (row: number, step: number) => (rows[row]?.[step] ? 'T' : 'F');
    const tiles = drawTiles(sheet, kMaskLeft, y, { rows, pitch, label, most });
    parts.push(tiles.markup);
    height = Math.max(height, tiles.height);
  } else {
    parts.push(sheet.text('soft', kMaskLeft, y + 12, 'no mask', { size: 11 }));
  }
  const role = roleText(entry);
  parts.push(
    role
      ? sheet.text(remedy ? 'alarm' : 'accent', kTextLeft, y + 12, role, { size: 11, bold: true })
      : sheet.text('soft', kTextLeft, y + 12, 'no mask reaches it', { size: 11 }),
  );
  const lines = [
    ...(entry.role === 'none' || !reason ? [] : wrap(reason, 11, kText)),
    ...(remedy ? wrap(remedy, 11, kText) : []),
  ];
  for (const [index, line] of lines.entries()) {
    parts.push(sheet.text('soft', kTextLeft, y + 28 + index * 16, line, { size: 11 }));
  }
  height = Math.max(height, 16 + lines.length * 16);
  if (remedy) parts.unshift(sheet.rect('alarm', -12, y, 4, height, 2));
  return { width: kTextLeft + kText, height, markup: group(...parts) };
}

/**
 * Draws the result of `model.traceMasks`: for each layer and operation the mask that it returns, and
 * what it did with the mask and why. Layers inside layers are indented.
 *
 * Returns SVG as text. Throws ValueError for a value that is not a list of entries.
 *
 * @example drawTrace(model.traceMasks(ids))
 */
export function drawTrace(trace: readonly TraceEntry[], options: FigureOptions = {}): string {
  const settings = settingsOf(options);
  if (!Array.isArray(trace) || !trace.every((entry) => typeof entry?.layer === 'string')) {
    refuse('trace', 'the result of model.traceMasks(x)', trace);
  }
  const sheet = new Sheet(settings.theme);
  const parts: Markup[] = [];
  let y = 0;
  for (const entry of trace) {
    if (y > 0) parts.push(sheet.path('rule', `M0 ${y - 12}H${kTextLeft + kText}`));
    const { height, markup } = drawEntry(sheet, entry, y);
    parts.push(markup);
    y += Math.ceil(height / 8) * 8 + 24;
  }
  const lost = trace.filter(({ remedy }) => remedy);
  const legend = drawLegend(sheet, 0, y, false);
  const said = trace.slice(0, 40).map((entry) => `${entry.layer}: ${roleText(entry) || 'no mask'}`);
  return sheet.figure(
    settings,
    {
      title: lost[0] ? `The mask is lost at ${lost[0].layer}` : 'No mask is lost',
      description: `${counted(trace.length, 'call')}. ${said.join('; ')}.`,
    },
    { width: kTextLeft + kText, height: y + 16 },
    [...parts, legend.markup],
  );
}
