// SPDX-License-Identifier: MIT
// docs/compatibility.md, from the last result of every cell.
import { mkdirSync, writeFileSync } from 'node:fs';
import { at, readIfThere } from '../../../scripts/lib/files.mjs';
import { cells, families } from '../cells/index.js';
import { notMade } from '../cells/not_made.js';
import { programs } from '../programs/index.js';
import { judge } from './judge.js';
import { toolNode } from './runtimes.js';

const file = at('build', 'matrix.json');

/**
 * Returns the last result of each cell by name, without results in an older form, which have no
 * date.
 */
const readKept = () =>
  Object.fromEntries(
    Object.entries(JSON.parse(readIfThere(file) ?? '{}')).filter(([, { date }]) => date),
  );

/** Returns the last results, judged by the errors that are known now. */
function judged() {
  const kept = readKept();
  const run = cells.filter(({ name }) => kept[name]);
  return Object.fromEntries(run.map((cell) => [cell.name, judge(cell, kept[cell.name])]));
}

/**
 * Stores a result for later tables. If the engine is absent, an earlier result of the cell is kept.
 */
export function keep({ name }, result) {
  const kept = readKept();
  if (result.absent && kept[name]) return;
  kept[name] = result;
  mkdirSync(at('build'), { recursive: true });
  writeFileSync(file, JSON.stringify(kept));
}

const inCell = (text) => text.replaceAll('|', '\\|');
const quote = (text) => `\`${text.replaceAll('`', "'").slice(0, 300)}\``;

/**
 * Wraps text in lines of at most 100 columns. Code in backticks is not broken, and list items are
 * indented.
 */
function wrapped(text) {
  const indent = text.startsWith('- ') ? '  ' : '';
  const words = text.match(/(?:[^\s`]*`[^`]*`)+[^\s`]*|[^\s`]+/g);
  const lines = [];
  let line = words.shift();
  for (const word of words) {
    if (line.length + 1 + word.length <= 100) {
      line += ` ${word}`;
    } else {
      lines.push(line);
      line = indent + word;
    }
  }
  return [...lines, line].join('\n');
}

const milliseconds = (time) => (typeof time === 'number' ? `${Math.round(time)} ms` : '');

const order = Object.keys(programs);
const place = ({ name }) => (order.includes(name) ? order.indexOf(name) : order.length);

/**
 * Returns the parts of a cell that end in an error, in the order of the programs, because the order
 * of answers differs between engines.
 */
const wrongParts = ({ expected, failures }) =>
  [...expected, ...failures].sort((a, b) => place(a) - place(b));

function verdict(result) {
  const parts = wrongParts(result).map(({ name }) => name);
  if (result.status === 'fails') return `**fails**: ${parts.join(', ')}`;
  if (parts.length === 0) return 'ok';
  return parts.includes('core') ? 'no' : `ok but for ${parts.join(', ')}`;
}

/**
 * Columns of the table: each heading with a function that returns the text of a cell. A section
 * omits columns that are empty.
 */
const columns = {
  cell: ({ name }) => name,
  // A browser reports its version only when it has run.
  versions: ({ versions }, { engine }) => (engine?.startsWith(`${versions} `) ? engine : versions),
  result: (_, result) => verdict(result),
  fetched: (_, { bytes }) => (bytes === undefined ? '' : `${(bytes / 1000).toFixed(0)} kB`),
  import: (_, { imported }) => milliseconds(imported),
  ready: (_, { ready }) => milliseconds(ready),
};

function grid(run, kept) {
  const rows = run.map((cell) =>
    Object.values(columns).map((tell) => inCell(tell(cell, kept[cell.name]))),
  );
  const used = Object.keys(columns).map((_, i) => rows.some((row) => row[i] !== ''));
  return [Object.keys(columns), Object.keys(columns).map(() => '-'), ...rows]
    .map((row) => `| ${row.filter((_, i) => used[i]).join(' | ')} |`)
    .join('\n');
}

/** Returns the errors of a cell with their reasons, each with the parts that end in it. */
function errorsOf(result) {
  const errors = new Map();
  for (const { name, error, reason = 'Not investigated yet.' } of wrongParts(result)) {
    const text = `${quote(error)} ${reason}`;
    errors.set(text, [...(errors.get(text) ?? []), name]);
  }
  return [...errors].map(([text, parts]) => [text, parts.join(', ')]);
}

/** Returns a line for each error and reason, with the parts that end in it and the cells. */
function troubles(run, kept) {
  const lines = [];
  for (const { name } of run) {
    for (const [text, parts] of errorsOf(kept[name])) {
      const same = lines.find((line) => line.text === text && line.parts === parts);
      if (same) same.names.push(name);
      else lines.push({ text, parts, names: [name] });
    }
  }
  return lines.map(({ text, parts, names }) =>
    wrapped(`- **${parts}** in ${names.join('; ')}: ${text}`),
  );
}

const wasRun = ({ name }, kept) => kept[name] && !kept[name].absent;

/** Returns the names of cells that were not run, with the reason if it is known. */
const openCells = (kept) =>
  cells
    .filter((cell) => !wasRun(cell, kept))
    .map(({ name }) => (kept[name] ? `${name}: ${kept[name].absent}` : name));

function section([title, { how, cells }], kept) {
  const run = cells.filter((cell) => wasRun(cell, kept));
  if (run.length === 0) return '';
  const lines = troubles(run, kept);
  return `
## ${title}

${wrapped(how)}

${grid(run, kept)}
${lines.length > 0 ? `\n${lines.join('\n')}\n` : ''}`;
}

/** Returns the number of cells by result, and the dates of their runs. */
function summary(kept) {
  const run = Object.values(kept).filter(({ absent }) => !absent);
  const count = (wanted) => run.filter(({ status }) => status === wanted).length;
  const days = run.map(({ date }) => date.slice(0, 10)).sort();
  const [first, last] = [days[0], days.at(-1)];
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`;
  return `${run.length} cells, run ${when}: ${count('ok')} are ok, ${count('in part')} have known errors, which are explained below, ${count('fails')} fail.`;
}

const introduction = `In each cell, a new project installs the packed package and a tool from npm,
  with the tool's defaults. All cells run the same programs and compare their numbers: \`core\` (a
  masked LSTM), \`load\` (a \`.keras\` file), \`text\`, \`worker\` and \`pool\`. Script tags,
  \`maskflow/single\` and edge runtimes run only the first two or three. Cells of recipes run the
  code of [recipes.md](recipes.md) and use it as a person would. Unless a cell says otherwise, pages
  open in Chromium and tools run in Node ${toolNode}.`;

const legend = [
  `**result**: "ok but for" names the parts that end in an error. The list below the table explains
  these errors; "…" stands for text that varies. "no" means that nothing computes there. Besides the
  programs, the parts are \`threads\` (whether two threads compute, where a cell asks for them),
  \`page\` (messages on the page's console), \`build\` (warnings of the tool) and \`cell\` (no answers
  at all). WebKitGTK's MiniBrowser has no shared memory, so there one thread is right.`,
  `**fetched**: size of all files of the page and everything in it, compressed with gzip, without
  the model.`,
  `**import**: time until the modules are loaded; for a page, from its start. **ready**: time that
  \`await ready()\` takes after that. Both come from one run on ${process.platform} ${process.arch}
  and vary with the load of the machine.`,
];

export function writeTable() {
  const kept = judged();
  const open = [...openCells(kept), ...notMade];
  const sections = Object.entries(families).map((family) => section(family, kept));
  writeFileSync(
    at('docs', 'compatibility.md'),
    `# Compatibility

${wrapped(`Generated by \`npm run matrix -- --write\`; do not edit. ${summary(kept)}`)}

${wrapped(introduction)}

${legend.map((item) => wrapped(`- ${item}`)).join('\n')}
${sections.join('')}
## Not run yet

${open.map((name) => `- ${name}`).join('\n')}
`,
  );
}
