// SPDX-License-Identifier: MIT
// The table of `npm run bench:threads -- --threads 1,2,4,8,16`: each package with each number of
// threads in a process of its own, in rounds. It also runs alone, from the folder that pack.mjs
// writes: node table.mjs [--threads 1,2] [--only W2,T1] [--rounds 2] [--turn 300]
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { machine } from '../../scripts/lib/facts.mjs';
import { isProgram, main } from '../../scripts/lib/process.mjs';
import { checkAgreement } from '../agreement.mjs';
import { median } from '../loop.mjs';
import { factorText, table } from '../report.mjs';
import { workload, workloadIds } from '../workloads/inference.mjs';
import { trainingIds } from '../workloads/training.mjs';

const [web, native] = ['onnxruntime-web', 'onnxruntime-node'];
const names = ['maskflow', 'maskflow/train', web, native];
const isOwn = (name) => name.startsWith('maskflow');

/** Returns those of the workloads that a package runs. */
const idsOf = (name, ids) =>
  ids.filter((id) => (name === 'maskflow/train' ? trainingIds : workloadIds).includes(id));

export const tableOptions = {
  threads: { type: 'string', default: '1,2,4,8,16' },
  only: { type: 'string' },
  rounds: { type: 'string', default: '2' },
  turn: { type: 'string', default: '300' },
};

/** Runs one.mjs under `node` with its arguments; resolves to its figures, or to the error. */
function runOne({ node, flags }, args) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-threads-'));
  const out = join(folder, 'figures.json');
  const apart = fileURLToPath(new URL('../apart.mjs', import.meta.url));
  const program = [...flags, '--expose-gc', apart, 'threads/one', out, JSON.stringify(args)];
  return new Promise((resolve) => {
    const child = spawn(node, program, { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on('data', (chunk) => {
      complaint += chunk;
    });
    child.on('close', (code) => {
      const error = /Error: .*/.exec(complaint)?.[0] ?? `it ended with exit code ${code}`;
      resolve(code === 0 ? JSON.parse(readFileSync(out, 'utf8')) : { error });
      rmSync(folder, { recursive: true });
    });
  });
}

/**
 * Measures all packages. `runs` holds for each process that succeeded { name, threads, version,
 * figures, cores }; `errors` has a sentence for each that did not.
 */
export async function measureTable({ threads, only, rounds, turn }, engine) {
  const ids = only?.split(',') ?? [...workloadIds, ...trainingIds];
  const counts = threads.split(',').map(Number);
  const runs = [];
  const errors = new Set();
  for (let round = 0; round < Number(rounds); round++)
    for (const count of counts)
      for (const name of names.filter((each) => idsOf(each, ids).length > 0)) {
        const args = { name, threads: count, ids: idsOf(name, ids), turn: Number(turn) };
        const { error, ...found } = await runOne(engine, args);
        if (error) errors.add(`${name} with ${count} threads: ${error}`);
        else runs.push({ name, threads: count, ...found });
        console.log(`round ${round + 1}: ${name}, ${count} threads${error ? `: ${error}` : ''}`);
      }
  return { machine, ids, counts, runs, errors: [...errors] };
}

/** Returns the median milliseconds of a package with a number of threads; undefined without any. */
function timeOf({ runs }, id, name, threads) {
  const meant = runs.filter((run) => run.name === name && run.threads === threads);
  const times = meant.flatMap(({ figures }) => figures[id]?.ms ?? []);
  return times.length > 0 ? median(times) : undefined;
}

/** Throws unless all numbers of threads gave the same bits, and all packages the same numbers. */
export function checkOutputs({ runs, ids }) {
  for (const id of ids) {
    const outputs = runs.flatMap((run) =>
      run.figures[id] ? [{ ...run, ...run.figures[id] }] : [],
    );
    const ours = outputs.filter(({ name }) => isOwn(name));
    for (const { bits, threads } of ours)
      if (bits !== ours[0].bits) throw new Error(`${id}: other bits with ${threads} threads`);
    for (const { name, numbers } of ours.length > 0 ? outputs : [])
      if (!isOwn(name))
        checkAgreement({ ...workload(id), lengths: null }, name, ours[0].numbers, numbers);
  }
}

const digits = (ms) => (ms === undefined ? undefined : ms.toPrecision(3));

function rowOf(figures, id) {
  const times = (name) => figures.counts.map((count) => timeOf(figures, id, name, count));
  const own = trainingIds.includes(id) ? 'maskflow/train' : 'maskflow';
  const [ours, theirs, machineCode] = [times(own), times(web), times(native)];
  const least = Math.min(...machineCode.filter(Boolean));
  return [
    id,
    ...ours.map(digits),
    ...ours.slice(1).map((ms) => factorText(ours[0] / ms)),
    ...ours.map((ms, i) => (theirs[i] ? factorText(theirs[i] / ms) : undefined)),
    Number.isFinite(least) ? digits(least) : undefined,
  ];
}

/** Returns the limit of the gain that the cores allow with a number of threads. */
const coresOf = ({ runs }, threads) =>
  median(
    runs
      .filter((run) => run.name === 'maskflow' && run.threads === threads)
      .map((run) => run.cores),
  );

/** Returns the table in Markdown. */
export function tableText(figures) {
  const { counts, ids, errors } = figures;
  const versions = new Map(figures.runs.map(({ name, version }) => [name, version]));
  const head = [
    'workload',
    ...counts.map((count) => `ms, ${count}`),
    ...counts.slice(1).map((count) => `gain, ${count}`),
    ...counts.map((count) => `faster than web, ${count}`),
    'native at best, ms',
  ];
  const limits = counts.slice(1).map((count) => factorText(coresOf(figures, count)));
  const limitRow = ['cores', ...counts.map(() => undefined), ...limits];
  const empty = counts.map(() => undefined);
  const rows = ids.map((id) => rowOf(figures, id));
  return `${[...versions].map((pair) => pair.join(' ')).join(', ')}; Node ${process.versions.node}, ${figures.machine}.
Numbers of threads: ${counts.join(', ')}. Milliseconds are medians of processes; “gain” is how many
times faster than one thread, “faster than web” than onnxruntime-web with as many threads; “cores”
is the gain of multiply-adds that share nothing.

${table(head, [...rows, [...limitRow, ...empty, undefined]])}
${errors.map((error) => `\n${error}`).join('')}`;
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    const { values } = parseArgs({ options: { ...tableOptions, out: { type: 'string' } } });
    const engine = { node: process.execPath, flags: process.execArgv };
    const figures = await measureTable(values, engine);
    if (values.out) writeFileSync(values.out, JSON.stringify(figures));
    console.log(tableText(figures));
    checkOutputs(figures);
  });
}
