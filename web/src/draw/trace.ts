// SPDX-License-Identifier: MIT
// `drawTrace` of maskflow/draw.
import { refuse } from '../base/check.js';
import type { TraceEntry } from '../model/trace.js';
import { drawLegend, drawTiles } from './marks.js';
import { type FigureOptions, settingsOf } from './options.js';
import {
  boldIn,
  figure,
  fit,
  moved,
  nameLook,
  type Part,
  path,
  soft,
  svg,
  text,
  wrap,
} from './svg.js';
import { counted, masksOf, roleText } from './words.js';

const kMaskLeft = 240;
const kTextLeft = 488;
const kWidth = 848;

/** Draws an entry; returns it with its height. */
function drawEntry(entry: TraceEntry): [Part, number] {
  const { layer, className, depth, isLayer, remedy, reason, role } = entry;
  const indent = Math.min(depth, 6) * 16;
  const room = kMaskLeft - 16 - indent;
  const [rows] = masksOf(entry.maskOut, entry.shapeOut).filter(Boolean);
  const tiles = rows && drawTiles(rows, 224, 4);
  const lines = [role !== 'none' && reason, remedy].flatMap((each) =>
    each ? wrap(each, 11, kWidth - kTextLeft) : [],
  );
  const height = Math.max(32, tiles?.height ?? 0, 16 + lines.length * 16);
  return [
    [
      remedy && path(`M-10 0v${height}`, svg`stroke="alarm" stroke-width="4"`),
      text(indent, 12, fit(layer, 13, room), nameLook),
      text(indent, 28, fit(isLayer ? className : 'operation', 11, room), soft),
      tiles ? moved(kMaskLeft, 0, tiles.markup) : text(kMaskLeft, 12, 'no mask', soft),
      text(
        kTextLeft,
        12,
        roleText(entry) || 'no mask reaches it',
        role === 'none' ? soft : boldIn(remedy ? 'alarm' : 'accent'),
      ),
      lines.map((line, index) => text(kTextLeft, 28 + index * 16, line, soft)),
    ],
    height,
  ];
}

/**
 * Draws the result of `model.traceMasks`: for each layer and operation the mask that it returns,
 * and what it did with the mask and why. Layers inside layers are indented.
 *
 * Returns SVG as text. Throws ValueError for a value that is not a list of entries.
 *
 * @param trace Result of `model.traceMasks`.
 *
 * @example drawTrace(model.traceMasks(ids))
 */
export function drawTrace(trace: readonly TraceEntry[], options: FigureOptions = {}): string {
  const settings = settingsOf(options);
  if (!Array.isArray(trace) || !trace.every((entry) => typeof entry?.layer === 'string')) {
    refuse('trace', 'the result of model.traceMasks(x)', trace);
  }
  let y = 0;
  const entries = trace.map((entry) => {
    const [markup, height] = drawEntry(entry);
    const placed = moved(0, y, y > 0 && path(`M0-12H${kWidth}`, svg`stroke="line"`), markup);
    y += height + 24;
    return placed;
  });
  const lost = trace.find(({ remedy }) => remedy);
  const said = trace.slice(0, 40).map((entry) => `${entry.layer}: ${roleText(entry) || 'no mask'}`);
  return figure(
    settings,
    lost ? `The mask is lost at ${lost.layer}` : 'No mask is lost',
    `${counted(trace.length, 'call')}. ${said.join('; ')}.`,
    { width: kWidth, height: y + 16, markup: [entries, moved(0, y, drawLegend().markup)] },
  );
}
