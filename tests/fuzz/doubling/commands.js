// SPDX-License-Identifier: MIT
// Inputs of the command that grow: tables of every format, and files of models. Time and memory are
// those of the process of the command, without what its smallest input needs.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as arrow from 'apache-arrow';
import * as mf from '../../../dist/train.js';
import { tryNode } from '../../support/programs.js';
import { integer, pick } from '../../support/random.js';

const program = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const range = (size, make) => Array.from({ length: size }, (_, i) => make(i));

/** A module that writes the costs of its process to the file MASKFLOW_COSTS. */
const costs = `import { writeFileSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const memory = process.resourceUsage().maxRSS * 1024;
  writeFileSync(process.env.MASKFLOW_COSTS, JSON.stringify({ time: (user + system) / 1000, memory }));
});`;

/** Costs of starting a process differ by this many ms and bytes, so smaller costs say nothing. */
const kNoise = { time: 100, memory: 30e6 };

/** Runs the command on files; returns its costs. Throws unless it ends with 0. */
async function runCommand({ model, files, args }) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-doubling-'));
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    await model?.save(join(folder, 'm.keras'));
    const load = ['--import', `data:text/javascript,${encodeURIComponent(costs)}`];
    const MASKFLOW_COSTS = join(folder, 'costs');
    const env = { ...process.env, MASKFLOW_COSTS };
    const options = { cwd: folder, env, maxBuffer: 2 ** 30 };
    const { status, stderr } = tryNode([...load, program, ...args], options);
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    return JSON.parse(readFileSync(MASKFLOW_COSTS, 'utf8'));
  } finally {
    model?.dispose();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns the least costs of three runs: a first run beside busy programs would seem dearer than it
 * is, and would make every small size seem cheaper.
 */
async function leastCosts(make, random) {
  const runs = [];
  for (let i = 0; i < 3; i++) runs.push(await runCommand(await make(1, random)));
  const least = (key) => Math.min(...runs.map((run) => run[key]));
  return { time: least('time'), memory: least('memory') };
}

/** A structure of the command. `make(size, random)` returns the files and the arguments. */
function structure(make, { first = 1024, max = 2 ** 18 } = {}) {
  let least;
  return {
    ...{ first, max, make },
    async run(input, random) {
      least ??= await leastCosts(make, random);
      const { time, memory } = await runCommand(input);
      return {
        time: Math.max(kNoise.time, time - least.time),
        memory: Math.max(kNoise.memory, memory - least.memory),
      };
    },
    isMeasured: true,
  };
}

const modelOf = (width) =>
  new mf.Sequential([mf.Input({ shape: [width] }), mf.layers.dense({ units: 1 })]);
const number = (random) => String(Math.fround(random() * 2 - 1));
const word = (random) => pick(random, ['w', 'größe', 'a "b"', 'x'.repeat(20), '🙂', '0012']);

/** A run of a model over a table, whose results go to a file of a random format. */
const table = (makeTable, options) =>
  structure((size, random) => {
    // Drawn first: the table draws as many numbers as it has items, and all sizes of a structure
    // need the same format.
    const output = pick(random, ['out.jsonl', 'out.json', 'out.csv', 'out.arrow', 'out.npy']);
    const { name, bytes, width, args = [] } = makeTable(size, random);
    // An array of numbers has no place for keys.
    const file = args.includes('--id') ? output.replace('.npy', '.jsonl') : output;
    const common = ['-o', file, '--threads', '1', '-q'];
    return {
      model: modelOf(width),
      files: { [name]: bytes },
      args: ['run', 'm.keras', '-i', name, ...common, ...args],
    };
  }, options);

const csv = (lines, width, args) => ({
  ...{ name: 'in.csv', bytes: lines.join('\n'), width, args },
});
const jsonl = (lines, width, args) => ({
  ...{ name: 'in.jsonl', bytes: lines.join('\n'), width, args },
});
const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
const numbers = (size, random) => range(size, () => number(random)).join(',');

function npy(rows, width, random) {
  const header = `{'descr': '<f4', 'fortran_order': ${random() < 0.5 ? 'True' : 'False'}, 'shape': (${rows}, ${width}), }`;
  const head = Buffer.from(`\x93NUMPY\x01\0\xf6\0${header.padEnd(245)}\n`, 'latin1');
  const data = Float32Array.from({ length: rows * width }, () => random() - 0.5);
  return { name: 'in.npy', bytes: Buffer.concat([head, new Uint8Array(data.buffer)]), width };
}

const floats = (size, random) =>
  arrow.makeVector(Float32Array.from({ length: size }, () => random() - 0.5));
const arrowFile = (columns, width, args, parts = 1) => {
  const whole = new arrow.Table(columns);
  const size = Math.ceil(whole.numRows / parts);
  const slices = range(parts, (i) => whole.slice(i * size, (i + 1) * size));
  const all = parts === 1 ? whole : slices[0].concat(...slices.slice(1));
  return { name: 'in.arrow', bytes: arrow.tableToIPC(all, 'file'), width, args };
};

const tables = {
  'JSON lines: rows': table((size, random) =>
    jsonl(
      range(size, () => `{"key":${JSON.stringify(word(random))},"x":[${numbers(2, random)}]}`),
      ...[2, ['--columns', 'x', '--id', 'key']],
    ),
  ),
  'JSON lines: arrays': table((size, random) =>
    jsonl(
      range(size, () => `[${numbers(2, random)}]`),
      2,
    ),
  ),
  'JSON lines: long lines': table((size, random) =>
    jsonl(
      range(3, () => `[${numbers(size, random)}]`),
      size,
    ),
  ),
  'JSON lines: many fields': table((size, random) => {
    const fields = range(size, (i) => `"f${i}":${JSON.stringify(word(random))}`).join(',');
    return jsonl(
      range(2, () => `{${fields},"x":[1,2]}`),
      ...[2, ['--columns', 'x', '--id', 'f0']],
    );
  }),
  'JSON lines: fields that pass through': table((size, random) => {
    const fields = range(size, (i) => `"f${i}":${JSON.stringify(word(random))}`).join(',');
    const lines = range(2, () => `{${fields},"x":[1,2]}`);
    return jsonl(lines, 2, ['--columns', 'x', '--format', 'jsonl']);
  }),
  'JSON lines: a long text beside': table((size, random) =>
    jsonl(
      range(2, () => `{"key":${JSON.stringify(word(random).repeat(size))},"x":[1,2]}`),
      ...[2, ['--columns', 'x', '--id', 'key']],
    ),
  ),
  'JSON lines: empty lines': table((size) =>
    jsonl(['[1,2]', ...range(size, () => ''), '[3,4]'], 2),
  ),
  'JSON lines: bad rows that are skipped': table((size) =>
    jsonl(['[1,2]', ...range(size, (i) => (i % 2 ? '[1]' : '{')), '[3,4]'], 2, [
      ...['--on-error', 'skip'],
    ]),
  ),
  'JSON: rows as a whole': table((size, random) => ({
    name: 'in.json',
    bytes: `[${range(size, () => `[${numbers(2, random)}]`).join(',')}]`,
    width: 2,
  })),
  'CSV: rows': table((size, random) =>
    csv(
      ['k,x,y', ...range(size, () => `${quoted(word(random))},${numbers(2, random)}`)],
      ...[2, ['--header', '--id', 'k']],
    ),
  ),
  'CSV: columns': table(
    (size, random) =>
      csv([range(size, (i) => `c${i}`).join(','), numbers(size, random)], size, ['--header']),
    { max: 2 ** 16 },
  ),
  'CSV: columns that are chosen by name': table(
    (size, random) => {
      const names = range(size, (i) => `c${i}`);
      const chosen = ['--columns', names.slice(0, Math.min(size, 2000)).join(',')];
      return csv(
        [names.join(','), numbers(size, random)],
        ...[Math.min(size, 2000), ['--header', ...chosen]],
      );
    },
    { max: 2 ** 16 },
  ),
  'CSV: columns that pass through': table(
    (size, random) => {
      const names = range(size, (i) => `c${i}`);
      const cells = range(size, () => quoted(word(random))).join(',');
      const args = ['--header', '--columns', '1', '--id', `2-${size + 1}`];
      return csv([`x,${names.join(',')}`, `1,${cells}`, `2,${cells}`], 1, args);
    },
    { max: 2 ** 16 },
  ),
  'CSV: a long cell with quotes and line ends': table((size, random) =>
    csv(
      ['k,x', `${quoted(`${word(random)}\n""`.repeat(size))},1`, 'b,2'],
      ...[1, ['--header', '--id', 'k']],
    ),
  ),
  'Arrow: rows': table((size, random) =>
    arrowFile({ x: floats(size, random), y: floats(size, random) }, 2),
  ),
  'Arrow: texts that pass through': table((size, random) => {
    const key = arrow.vectorFromArray(
      range(size, () => word(random)),
      new arrow.Utf8(),
    );
    return arrowFile({ key, x: floats(size, random) }, 1, ['--columns', 'x', '--id', 'key']);
  }),
  'Arrow: columns': table(
    (size, random) =>
      arrowFile(Object.fromEntries(range(size, (i) => [`c${i}`, floats(2, random)])), size),
    { first: 128, max: 4096 },
  ),
  'Arrow: batches': table(
    (size, random) => {
      const rows = 2 * size;
      return arrowFile({ x: floats(rows, random) }, 1, [], size);
    },
    { first: 128, max: 2 ** 14 },
  ),
  'npy: rows': table((size, random) => npy(size, 2, random), { max: 2 ** 20 }),
  'npy: columns': table((size, random) => npy(2, size, random)),
};

const deep = (size) =>
  new mf.Sequential([
    mf.Input({ shape: [1] }),
    ...range(size, () => mf.layers.dense({ units: 1 })),
  ]);
const wide = (size) => {
  const x = mf.Input({ shape: [2] });
  const parts = range(size, () => mf.layers.dense({ units: 1 }).apply(x));
  const y = size > 1 ? mf.layers.concatenate().apply(parts) : parts[0];
  return new mf.Model({ inputs: x, outputs: y });
};
const makers = { 'many layers': deep, 'many branches': wide };

const uses = {
  info: () => ['info', 'm.keras'],
  'info --json': () => ['info', 'm.keras', '--json'],
  convert: (random) => [
    ...['convert', 'm.keras', pick(random, ['out.keras', 'out.weights.h5', 'model.json'])],
  ],
  run: () => ['run', 'm.keras', '-i', 'in.json', '-o', 'out.json', '--threads', '1', '-q'],
  trace: () => ['trace', 'm.keras', 'in.json'],
};

const models = Object.entries(uses).flatMap(([name, use]) =>
  Object.entries(makers).map(([kind, make]) => [
    `maskflow ${name}: ${kind}`,
    structure(
      (size, random) => {
        const model = make(size);
        const row = range(model.inputs[0].shape[1], () => integer(random, 0, 9));
        return { model, files: { 'in.json': JSON.stringify([row]) }, args: use(random) };
      },
      { first: 64, max: 8192 },
    ),
  ]),
);

export const commandStructures = {
  ...Object.fromEntries(
    Object.entries(tables).map(([name, each]) => [`maskflow run: ${name}`, each]),
  ),
  ...Object.fromEntries(models),
};
