// SPDX-License-Identifier: MIT
import { addTo } from '../base/array.js';
import type { TraceEntry } from '../model/trace.js';
import { callOrder, entriesOf, masksOf } from './calls.js';
import { type DrawableModel, type GraphNode, graphOf, type ModelGraph } from './graph.js';
import { layOut, type Layout } from './layout.js';
import {
  type Block,
  curve,
  drawArrow,
  drawLegend,
  drawRibbon,
  drawTiles,
  type Point,
} from './marks.js';
import { type FigureSettings, settingsOf, type FigureOptions } from './options.js';
import { fit, group, type Markup, Sheet, textWidth } from './svg.js';
import { rowsOf } from './values.js';
import { counted, outputShape, roleText, shapeText } from './words.js';

const kCard = 72;
const kGap = 40;
const kLeastWidth = 176;
const kMostWidth = 320;

/** A node with its place and texts. */
interface Card {
  node: GraphNode;
  entry: TraceEntry | undefined;
  shape: string;
  note: string;
  /** Mask that is drawn below the card. */
  picture: boolean[][] | undefined;
}

/** Where the rows of cards are. */
interface Rows {
  /** Upper edge of the cards of each row. */
  tops: number[];
  /** Lower end of the masks below the cards of each row. */
  bottoms: number[];
  height: number;
}

/** Rows of a mask, or undefined if there is no mask. */
const rowsOfMask = (mask: unknown): boolean[][] | undefined =>
  Array.isArray(mask) ? (rowsOf(mask) as boolean[][]) : undefined;

function cardOf(node: GraphNode, entry: TraceEntry | undefined): Card {
  const isNew = entry?.role === 'makes' || entry?.role === 'changes';
  return {
    node,
    entry,
    shape: entry ? outputShape(entry) : node.shape ? shapeText(node.shape) : '',
    note:
      node.parameters > 0
        ? `${node.parameters.toLocaleString('en-US')} weights`
        : String(node.dtype ?? ''),
    picture:
      isNew && entry ? rowsOfMask(masksOf(entry.maskOut, entry.shapeOut).find(Boolean)) : undefined,
  };
}

function classText({ className, isLayer, inside }: GraphNode): string {
  if (inside > 0) return `${className} of ${counted(inside, 'layer')}`;
  return isLayer || className === 'InputLayer' ? className : `operation ${className}`;
}

function widthOf(cards: readonly Card[]): number {
  const widths = cards.map(({ node, entry, shape, note }) =>
    Math.max(
      textWidth(node.name, 13),
      textWidth(`${classText(node)}   ${shape}`, 11),
      textWidth(`${entry ? roleText(entry) : ''}   ${note}`, 11),
    ),
  );
  const widest = widths.reduce((most, width) => Math.max(most, width), 0) + 32;
  return Math.ceil(Math.min(kMostWidth, Math.max(kLeastWidth, widest)) / 16) * 16;
}

function drawCard(
  sheet: Sheet,
  { node, entry, shape, note }: Card,
  x: number,
  y: number,
  width: number,
): Markup {
  const isLost = Boolean(entry?.remedy);
  const [left, right] = [x - width / 2 + 12, x + width / 2 - 12];
  const room = width - 24;
  const role = entry ? roleText(entry) : '';
  const kind = fit(classText(node), 11, room - (shape ? 48 : 0));
  const free = room - textWidth(kind, 11) - 12;
  const title = `${node.name} (${classText(node)})${entry ? `. ${entry.reason} ${entry.remedy}` : ''}`;
  return sheet.titled(
    title.trim(),
    sheet.rect(isLost ? 'lost' : 'card', x - width / 2, y, width, kCard, 8),
    sheet.text('ink', left, y + 24, fit(node.name, 13, room), { mono: true, bold: true }),
    sheet.text('soft', left, y + 42, kind, { size: 11 }),
    sheet.text('soft', right, y + 42, fit(shape, 11, free), {
      size: 11,
      anchor: 'end',
      mono: true,
    }),
    role
      ? sheet.text(isLost ? 'alarm' : 'accent', left, y + 60, role, { size: 11, bold: true })
      : group(),
    note
      ? sheet.text(
          'soft',
          role ? right : left,
          y + 60,
          fit(note, 11, room - textWidth(role, 11) * 0.9),
          {
            size: 11,
            ...(role && { anchor: 'end' }),
          },
        )
      : group(),
  );
}

/** Draws the mask below a card, and the ribbon between both. */
function drawPicture(sheet: Sheet, rows: boolean[][], x: number, y: number): Block {
  const steps = Math.max(0, ...rows.slice(0, 4).map(({ length }) => length));
  const pitch = steps <= 12 ? 16 : 8;
  const most = { rows: 4, steps: pitch === 16 ? 12 : 28 };
  const left = x - (Math.min(steps, most.steps) * pitch) / 2;
  const label = (row: number, step: number) => (rows[row]?.[step] ? 'T' : 'F');
  const tiles = drawTiles(sheet, left, y + 16, { rows, pitch, label, most });
  const ribbon = drawRibbon(
    sheet,
    [
      { x, y },
      { x, y: y + 13 },
    ],
    shareOf(rows),
  );
  return { ...tiles, markup: group(ribbon, tiles.markup) };
}

function shareOf(rows: readonly (readonly boolean[])[]): number {
  const steps = rows.flat();
  return steps.length === 0 ? 1 : steps.filter(Boolean).length / steps.length;
}

function rowsOfLayout(layout: Layout, pictures: readonly (Block | undefined)[]): Rows {
  const tallest = Array<number>(layout.height).fill(0);
  pictures.forEach((picture, node) => {
    const row = layout.rows[node] ?? 0;
    if (picture) tallest[row] = Math.max(tallest[row] ?? 0, picture.height + 16);
  });
  const tops: number[] = [];
  const bottoms: number[] = [];
  let y = 0;
  for (const extra of tallest) {
    tops.push(y);
    bottoms.push(y + kCard + extra);
    y = Math.ceil((y + kCard + extra + kGap) / 8) * 8;
  }
  return { tops, bottoms, height: y - kGap };
}

/** Returns the mask that the second node of an edge sees: true and false per step, or null. */
function maskOnEdge(graph: ModelGraph, cards: readonly Card[], index: number): unknown {
  const edge = graph.edges[index];
  if (!edge) return null;
  const [source, target] = [cards[edge.from]?.entry, cards[edge.to]?.entry];
  if (target && edge.argument !== undefined) {
    const seen = masksOf(target.maskIn, target.shapeIn)[edge.argument];
    if (seen !== undefined) return seen;
  }
  return source ? (masksOf(source.maskOut, source.shapeOut)[edge.tensor] ?? null) : null;
}

/** Returns the points of all edges, in which edges that enter one card are side by side. */
function pointsOf(
  graph: ModelGraph,
  layout: Layout,
  rows: Rows,
  starts: number[],
  width: number,
): Point[][] {
  const { edges } = graph;
  const lastX = edges.map(({ from }, index) => layout.passes[index]?.at(-1) ?? layout.x[from] ?? 0);
  const entering = new Map<number, number[]>();
  for (const [index, { to }] of edges.entries()) addTo(entering, to, index);
  for (const list of entering.values()) list.sort((a, b) => (lastX[a] ?? 0) - (lastX[b] ?? 0));
  return edges.map(({ from, to }, index) => {
    const list = entering.get(to) ?? [];
    const pitch = Math.min(32, (width - 32) / list.length);
    const port = (list.indexOf(index) - (list.length - 1) / 2) * pitch;
    const first = layout.rows[from] ?? 0;
    const x = layout.x[from] ?? 0;
    const passes = (layout.passes[index] ?? []).flatMap((lane, step) => [
      { x: lane, y: rows.tops[first + step + 1] ?? 0 },
      { x: lane, y: rows.bottoms[first + step + 1] ?? 0 },
    ]);
    return [
      { x, y: starts[from] ?? 0 },
      { x, y: rows.bottoms[first] ?? 0 },
      ...passes,
      { x: (layout.x[to] ?? 0) + port, y: rows.tops[layout.rows[to] ?? 0] ?? 0 },
    ];
  });
}

function drawEdge(sheet: Sheet, points: Point[], mask: unknown, isLost: boolean): Markup {
  const rows = rowsOfMask(mask);
  if (rows) return drawRibbon(sheet, points, shareOf(rows));
  const end = points.at(-1) ?? { x: 0, y: 0 };
  const line = [...points.slice(0, -1), { x: end.x, y: end.y - 6 }];
  return group(
    sheet.path(isLost ? 'cut' : 'wire', curve(line)),
    drawArrow(sheet, isLost ? 'alarm-dot' : 'arrow', end),
  );
}

function describe(name: string, graph: ModelGraph, cards: readonly Card[]): string {
  const sentences = callOrder(graph)
    .slice(0, 40)
    .flatMap((index) => {
      const card = cards[index];
      if (!card) return [];
      const sources = graph.edges
        .filter(({ to }) => to === index)
        .map(({ from }) => graph.nodes[from]?.name);
      const after = sources.length > 0 ? ` after ${[...new Set(sources)].join(', ')}` : '';
      const role = card.entry ? roleText(card.entry) : '';
      return [`${card.node.name} (${classText(card.node)})${after}${role && `: ${role}`}.`];
    });
  return [`Model "${name}" with ${counted(cards.length, 'node')}.`, ...sentences].join(' ');
}

/** Returns the graph with the entries of a trace; a custom model has only the trace. */
function traced(model: DrawableModel, trace: TraceEntry[] | undefined) {
  const graph = graphOf(model);
  if (!trace) return { graph, entries: [] };
  if (graph.edges.length > 0 || graph.nodes.length < 2) {
    return { graph, entries: entriesOf(graph, trace) };
  }
  const entries = trace.filter(({ depth }) => depth === 0);
  const known = new Map(graph.nodes.map((node) => [node.name, node]));
  const nodes = entries.map(
    ({ layer: name, className, isLayer }): GraphNode =>
      known.get(name) ?? { name, className, isLayer, parameters: 0, inside: 0 },
  );
  return { graph: { nodes, edges: [] }, entries };
}

/**
 * Draws the layers of a model and how they are connected, like Keras's `plot_model`. With inputs
 * `x`, the model runs once: a ribbon along each edge shows the mask, blue for the kept steps and
 * hatched for the padding, and the place where a mask is lost is marked. Operations that only
 * compute a mask are left out. The layers of a custom model, which has no graph, are listed.
 *
 * Returns SVG as text; see {@link FigureOptions}. Throws the errors of `model.traceMasks` for
 * inputs that do not fit.
 *
 * @example document.body.innerHTML = drawModel(model, [[711, 632, 0, 0]]);
 */
export function drawModel(model: DrawableModel, x?: unknown, options: FigureOptions = {}): string {
  const settings: FigureSettings = settingsOf(options);
  const trace =
    x === undefined ? undefined : model.traceMasks(x as never, { maskOperations: true });
  const { graph, entries } = traced(model, trace);
  const cards = graph.nodes.map((node, index) => cardOf(node, entries[index]));
  const sheet = new Sheet(settings.theme);
  const width = widthOf(cards);
  const isList = graph.edges.length === 0;
  const chain = graph.nodes.slice(1).map((_, from) => ({ from, to: from + 1 }));
  const layout = layOut(cards.length, width, isList ? chain : graph.edges);
  const draft = cards.map(({ picture }) => picture && drawPicture(sheet, picture, 0, 0));
  const rows = rowsOfLayout(layout, draft);
  const left = draft.reduce(
    (least, block, node) => Math.min(least, (layout.x[node] ?? 0) - (block?.width ?? 0) / 2),
    layout.left,
  );
  const tops = cards.map((_, node) => rows.tops[layout.rows[node] ?? 0] ?? 0);
  layout.x = layout.x.map((middle) => middle - left);
  layout.passes = layout.passes.map((lanes) => lanes.map((lane) => lane - left));
  const starts = tops.map(
    (top, node) => top + kCard + (draft[node] ? (draft[node]?.height ?? 0) + 16 : 0),
  );
  const points = isList ? [] : pointsOf(graph, layout, rows, starts, width);
  const isCut = graph.edges.map(({ from }) => Boolean(entries[from]?.remedy));
  const body = [
    ...points.map((line, index) =>
      drawEdge(sheet, line, maskOnEdge(graph, cards, index), isCut[index] ?? false),
    ),
    ...cards.map((card, node) =>
      drawCard(sheet, card, layout.x[node] ?? 0, tops[node] ?? 0, width),
    ),
    ...cards.map(({ picture }, node) =>
      picture
        ? drawPicture(sheet, picture, layout.x[node] ?? 0, (tops[node] ?? 0) + kCard).markup
        : group(),
    ),
  ];
  const hasMask = entries.some(
    (entry) => entry && masksOf(entry.maskOut, entry.shapeOut).some(Boolean),
  );
  const legend = drawLegend(sheet, 0, rows.height + 24, isCut.includes(true));
  const size = {
    width: Math.max(layout.right - left, hasMask ? legend.width : 0, 160),
    height: rows.height + (hasMask ? 40 : 0),
  };
  return sheet.figure(
    settings,
    { title: model.name, description: describe(model.name, graph, cards) },
    size,
    [...body, hasMask ? legend.markup : group()],
  );
}
