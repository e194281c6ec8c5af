// SPDX-License-Identifier: MIT
// Draws the chart that docs/performance.md opens with, and writes the sentences below it, from the
// figures of the page's first table.
//
//   node bench/peers/chart.mjs --write
import { readFileSync, writeFileSync } from 'node:fs';
import { at } from '../../scripts/lib/files.mjs';
import { isProgram } from '../../scripts/lib/process.mjs';

const page = at('docs', 'performance.md');
const picture = at('docs', 'images', 'performance.svg');

/** The workloads of the chart, in words. */
const rows = [
  { id: 'W2', title: 'Batch of sequences, 10 to 100 steps', detail: 'LSTM 128, 32 rows' },
  { id: 'S10f', title: 'The same, nine tenths padding', detail: 'LSTM 128, one full row' },
  { id: 'W3', title: 'Classifier of short texts', detail: 'two-way LSTM 64, 64 rows' },
  { id: 'W1', title: 'One sequence, 100 steps', detail: 'LSTM 128, no padding' },
];
/** The packages beside maskflow, by the heads of their columns. */
const peers = [
  { name: 'onnxruntime-web', mark: 'square' },
  { name: 'TensorFlow.js', mark: 'triangle' },
  { name: 'onnxruntime-node', mark: 'ring', said: 'onnxruntime, native' },
];

const units = { s: 1e6, ms: 1e3, µs: 1 };

/** Returns the median of a cell such as `6.49 ms (6.38 ms)`, in microseconds. */
function medianOf(cell) {
  const [, number, unit] = /^([\d.]+) (s|ms|µs)/.exec(cell) ?? [];
  return number && Number(number) * units[unit];
}

/** Returns the medians of the first table: `{ W1: { maskflow, 'onnxruntime-web', … } }`. */
export function figuresOf(markdown) {
  const lines = markdown.split('\n');
  const begin = lines.findIndex((line) => line.startsWith('| workload | maskflow |'));
  const cellsOf = (line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const heads = cellsOf(lines[begin]);
  const end = lines.indexOf('', begin);
  const entries = lines.slice(begin + 2, end).map((line) => {
    const [id, ...cells] = cellsOf(line);
    const medians = cells.map((cell, index) => [heads[index + 1], medianOf(cell)]);
    return [id, Object.fromEntries(medians.filter(([, median]) => median))];
  });
  return Object.fromEntries(entries);
}

const times = (figures, id, name) => figures[id][name] / figures[id].maskflow;
const short = (ratio) => (ratio < 9.95 ? ratio.toFixed(1) : ratio.toFixed(0));

/** Returns the place of a ratio on the axis, which is logarithmic. */
const axis = { left: 330, right: 860, min: 0.25, max: 100 };
function place(ratio) {
  const share = Math.log(ratio / axis.min) / Math.log(axis.max / axis.min);
  return Math.round(axis.left + share * (axis.right - axis.left));
}

const rowHeight = 74;
const top = 108;
const height = top + rows.length * rowHeight + 52;

const marks = {
  dot: (x, y) => `<circle class="ours" cx="${x}" cy="${y}" r="8"/>`,
  square: (x, y) => `<rect class="peer" x="${x - 7}" y="${y - 7}" width="14" height="14"/>`,
  triangle: (x, y) => `<path class="peer" d="M${x} ${y - 9}l9 16h-18z"/>`,
  ring: (x, y) => `<circle class="ring" cx="${x}" cy="${y}" r="7"/>`,
};

function drawRow(figures, { id, title, detail }, index) {
  const y = top + index * rowHeight + 34;
  const here = peers.filter(({ name }) => figures[id][name]);
  const drawn = here.map(({ name, mark }) => {
    const ratio = times(figures, id, name);
    const x = place(ratio);
    return `${marks[mark](x, y)}<text class="figure" x="${x}" y="${y - 16}">${short(ratio)}</text>`;
  });
  const ends = [1, ...here.map(({ name }) => times(figures, id, name))].map(place);
  return [
    `<text class="title" x="30" y="${y - 2}">${title}</text>`,
    `<text class="small" x="30" y="${y + 20}">${detail} (${id})</text>`,
    `<path class="span" d="M${Math.min(...ends)} ${y}H${Math.max(...ends)}"/>`,
    marks.dot(place(1), y),
    ...drawn,
  ].join('\n');
}

function drawAxis() {
  const bottom = top + rows.length * rowHeight;
  return [0.5, 1, 2, 5, 10, 20, 50, 100]
    .map((tick) => {
      const x = place(tick);
      const line = `<path class="${tick === 1 ? 'one' : 'grid'}" d="M${x} ${top - 8}V${bottom}"/>`;
      return `${line}<text class="tick" x="${x}" y="${bottom + 22}">${tick} ×</text>`;
    })
    .join('\n');
}

function drawLegend() {
  const items = [{ name: 'maskflow', mark: 'dot' }, ...peers];
  let x = 38;
  return items
    .map(({ name, mark, said = name }) => {
      const item = `${marks[mark](x, 74)}<text class="small" x="${x + 16}" y="80">${said}</text>`;
      x += 60 + said.length * 9;
      return item;
    })
    .join('\n');
}

const style = `
  svg { --paper: #fff; --ink: #1b2330; --soft: #535d6e; --line: #dcd9d1; --accent: #0064a3; --peer: #a63c00; }
  @media (prefers-color-scheme: dark) {
    svg { --paper: #171c25; --ink: #e9ecf2; --soft: #a9b3c3; --line: #2f3846; --accent: #6fb8f0; --peer: #ff9d63; }
  }
  text { font: 16px "Atkinson Hyperlegible Next", "Helvetica Neue", Arial, sans-serif; fill: var(--ink); }
  .head { font-size: 20px; font-weight: 650; } .title { font-weight: 600; }
  .small, .tick { font-size: 14px; fill: var(--soft); } .tick, .figure { text-anchor: middle; }
  .figure { font-size: 14px; font-weight: 600; }
  .ours { fill: var(--accent); } .peer { fill: var(--peer); }
  .ring { fill: var(--paper); stroke: var(--peer); stroke-width: 3; }
  .grid { stroke: var(--line); } .one { stroke: var(--accent); stroke-width: 2; } .span { stroke: var(--soft); }
`;

function describe(figures) {
  return rows
    .map(({ id, title }) => {
      const list = peers
        .filter(({ name }) => figures[id][name])
        .map(({ name, said = name }) => `${said} ${short(times(figures, id, name))}`);
      return `${title}: ${list.join(', ')}.`;
    })
    .join(' ');
}

/** Returns the chart as SVG. */
export function drawChart(figures) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 ${height}" role="img" aria-labelledby="title desc">
<title id="title">Time of one call, as a multiple of maskflow's</title>
<desc id="desc">${describe(figures)}</desc>
<style>${style}</style>
<rect width="900" height="${height}" rx="8" fill="var(--paper)"/>
<text class="head" x="30" y="40">Time of one call, as a multiple of maskflow's: further right is slower</text>
${drawLegend()}
${drawAxis()}
${rows.map((row, index) => drawRow(figures, row, index)).join('\n')}
</svg>
`;
}

/** Returns the picture and the sentences that open the page. */
export function openingOf(figures) {
  const said = (id, name) => short(times(figures, id, name));
  return `![Time of one call, as a multiple of maskflow's. ${describe(figures)}](images/performance.svg)

In one thread of Node, a batch of sequences of different lengths takes onnxruntime-web
${said('W2', 'onnxruntime-web')} times as long as maskflow, and TensorFlow.js ${said('W2', 'TensorFlow.js')} times as long. Masked steps are not computed: if
nine tenths of a batch are padding, these ratios are ${said('S10f', 'onnxruntime-web')} and ${said('S10f', 'TensorFlow.js')}. Native onnxruntime, which no page
can run, needs ${times(figures, 'W2', 'onnxruntime-node').toFixed(2)} of maskflow's time without much padding, and ${said('S10f', 'onnxruntime-node')} times its time with it.
`;
}

const heading = '# Performance\n';
const next = '\n## How it was measured\n';

/** Returns the page with a current opening between its heading and the next one. */
export function withOpening(markdown) {
  const rest = markdown.slice(markdown.indexOf(next));
  return `${heading}\n${openingOf(figuresOf(markdown))}${rest}`;
}

if (isProgram(import.meta.url)) {
  const markdown = readFileSync(page, 'utf8');
  const texts = [
    [page, withOpening(markdown)],
    [picture, drawChart(figuresOf(markdown))],
  ];
  for (const [path, text] of texts) {
    if (process.argv.includes('--write')) writeFileSync(path, text);
    else if (readFileSync(path, 'utf8') !== text) {
      console.error(`${path} is not current: node bench/peers/chart.mjs --write`);
      process.exitCode = 1;
    }
  }
}
