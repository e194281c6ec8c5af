// SPDX-License-Identifier: MIT
// `drawModel` of maskflow/draw: a graph as rows of cards, from the input down. graph.ts reads the
// model; this file places and draws it.
import { refuse } from '../base/check.js';
import type { TraceEntry } from '../model/trace.js';
import { addTrace, type DrawableModel, type GraphEdge, type GraphNode, graphOf } from './graph.js';
import { layOut, type Place } from './layout.js';
import { drawLegend, drawRibbon, drawTiles, drawWire, type Point } from './marks.js';
import { type FigureOptions, settingsOf } from './options.js';
import {
  type Block,
  boldIn,
  box,
  figure,
  fit,
  moved,
  nameLook,
  type Part,
  soft,
  softEnd,
  svg,
  text,
  textWidth,
} from './svg.js';
import { counted, masksOf, outputShape, roleText, shapeText } from './words.js';

const kCard = 72;
/** Edges of larger graphs are drawn without places in the rows that they pass. */
const kMaxCards = 500;

/** A node with its texts and its places. */
interface Card extends Omit<GraphNode, 'inputs'> {
  inputs: (GraphEdge & { from: Card })[];
  size: string;
  role: string;
  /** Mask that the node makes, drawn below the card. */
  picture: Block;
  row: number;
  /** The card, and the places of its edges in the rows below. */
  trunk: Place[];
}

/** A row of cards: its places, and its upper and lower end. */
interface Row {
  places: Place[];
  top: number;
  bottom: number;
}

/** Draws the mask that a node makes, and the ribbon to it. */
function pictureOf(entry: TraceEntry | undefined): Block {
  const isNew = entry && /^(makes|changes)$/.test(entry.role);
  const rows = isNew && masksOf(entry.maskOut, entry.shapeOut).find(Boolean);
  if (!rows) return { width: 0, height: 0, markup: '' };
  const { width, height, markup } = drawTiles(rows, 224, 4);
  const ends: Point[] = [0, 13].map((y) => [width / 2, y]);
  return { width, height: height + 16, markup: [drawRibbon(ends, rows), moved(0, 16, markup)] };
}

/** Makes nodes cards. */
function cardsOf(nodes: readonly GraphNode[]): Card[] {
  let widest = 144;
  const cards = nodes.map((node): Card => {
    const { entry, depth, name, kind, note, shape } = node;
    const size = entry ? outputShape(entry) : shapeText(shape);
    const role = roleText(entry);
    const picture = pictureOf(entry);
    for (const each of [`${kind}   ${size}`, `${role}   ${note}`, `${name}   `])
      widest = Math.max(widest, picture.width - 32, textWidth(each, 11));
    const row = (nodes[0] as GraphNode).depth - depth;
    return Object.assign(node as never, { size, role, picture, row, trunk: [node] });
  });
  for (const card of cards) card.width = Math.ceil(Math.min(320, widest + 32) / 16) * 16;
  return cards;
}

/** Returns the rows of cards, and of edges that pass them. */
function rowsOf(cards: readonly Card[]): Row[] {
  const rows: Row[] = [];
  for (const card of cards) {
    rows[card.row] ??= { places: [], top: 0, bottom: 0 };
    const row = rows[card.row] as Row;
    row.places.push(card);
    row.bottom = Math.max(row.bottom, card.picture.height);
  }
  for (const card of cards) {
    card.above = card.inputs.map(({ from }) => {
      const { trunk } = from;
      const count = card.row - from.row;
      while (trunk.length < count && cards.length < kMaxCards) {
        const lane = { width: 0, above: trunk.slice(-1) } as Partial<Place> as Place;
        rows[from.row + trunk.length]?.places.push(lane);
        trunk.push(lane);
      }
      return trunk[count - 1] ?? from;
    });
  }
  let y = 0;
  for (const row of rows) {
    row.top = y;
    row.bottom += y + kCard;
    y = row.bottom + 40;
  }
  return rows;
}

function drawCard(card: Card, top: number): Part {
  const { entry, note, kind, name, width, x, size, role, picture } = card;
  const isLost = entry?.remedy;
  const room = width - 24;
  const line = (y: number, left: string, look: Part, right: string) => {
    const shown = fit(left, 11, room - (right ? 48 : 0));
    return [
      text(12, y, shown, look),
      text(width - 12, y, fit(right, 11, room - textWidth(shown, 11)), softEnd),
    ];
  };
  return moved(
    x - width / 2,
    top,
    svg`<title>${name} (${kind})${entry && `. ${entry.reason} ${entry.remedy}`}</title>`,
    box(
      width,
      kCard,
      isLost
        ? svg`fill="alarm-tint" stroke="alarm" stroke-width="2"`
        : svg`fill="surface" stroke="edge"`,
    ),
    text(12, 24, fit(name, 13, room), nameLook),
    line(42, kind, soft, size),
    line(60, role, boldIn(isLost ? 'alarm' : 'accent'), note),
    moved((width - picture.width) / 2, kCard, picture.markup),
  );
}

/** Draws the edges to a card side by side. */
function drawEdges(card: Card, rows: readonly Row[]): Part {
  const lines = card.inputs.map(({ from, mask }) => {
    const points = from.trunk.slice(0, card.row - from.row).flatMap(({ x }, index): Point[] => {
      const { top, bottom } = rows[from.row + index] as Row;
      return [
        [x, index > 0 ? top : top + kCard + from.picture.height],
        [x, bottom],
      ];
    });
    return { points, mask, isLost: from.entry?.remedy };
  });
  const endOf = ({ points }: { points: Point[] }) => (points.at(-1) as Point)[0];
  lines.sort((a, b) => endOf(a) - endOf(b));
  const pitch = Math.min(32, (card.width - 32) / lines.length);
  return lines.map(({ points, mask, isLost }, index) => {
    const port = card.x + (index - (lines.length - 1) / 2) * pitch;
    points.push([port, (rows[card.row] as Row).top]);
    return mask ? drawRibbon(points, mask) : drawWire(points, isLost);
  });
}

/** Returns the calls of a model with the entries of a trace; a custom model has only the trace. */
function nodesOf(model: DrawableModel, trace: readonly TraceEntry[] | undefined): GraphNode[] {
  const nodes = graphOf(model);
  if (nodes.some(({ inputs }) => inputs[0])) {
    if (trace) addTrace(nodes, trace);
    return nodes;
  }
  const called = trace
    ?.filter(({ depth }) => depth === 0)
    .map((entry): GraphNode => {
      const { layer: name, className, isLayer } = entry;
      const known = nodes.find((node) => node.name === name);
      const kind = isLayer ? className : `operation ${className}`;
      return { name, className, kind, isLayer, note: '', inputs: [], ...known, entry } as GraphNode;
    });
  return (called ?? nodes).map((node, index) => ({ ...node, depth: -index }));
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
 * @param x Inputs as for `predict`. Default: none, and no masks are drawn.
 *
 * @example document.body.innerHTML = drawModel(model, [[711, 632, 0, 0]]);
 */
export function drawModel(model: DrawableModel, x?: unknown, options: FigureOptions = {}): string {
  if (!Array.isArray(model?.layers)) refuse('the model', 'a model, such as a Sequential', model);
  const settings = settingsOf(options);
  const trace =
    x === undefined ? undefined : model.traceMasks(x as never, { maskOperations: true });
  const cards = cardsOf(nodesOf(model, trace));
  const rows = rowsOf(cards);
  const width = layOut(rows.map(({ places }) => places));
  const height = rows.at(-1)?.bottom ?? 0;
  const hasMask = cards.some(
    ({ picture, inputs }) => picture.width || inputs.some(({ mask }) => mask),
  );
  const legend = drawLegend(cards.some(({ entry }) => entry?.remedy));
  const said = cards.slice(0, 40).map(({ name, kind, inputs, role }) => {
    const sources = [...new Set(inputs.map(({ from }) => from.name))].join(', ');
    return ` ${name} (${kind})${sources && ` after ${sources}`}${role && `: ${role}`}.`;
  });
  return figure(
    settings,
    model.name,
    `Model '${model.name}' with ${counted(cards.length, 'node')}.${said.join('')}`,
    {
      width: Math.max(width, hasMask ? legend.width : 0),
      height: height + (hasMask ? 40 : 0),
      markup: [
        cards.map((card) => drawEdges(card, rows)),
        cards.map((card) => drawCard(card, (rows[card.row] as Row).top)),
        hasMask && moved(0, height + 24, legend.markup),
      ],
    },
  );
}
