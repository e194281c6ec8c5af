// SPDX-License-Identifier: MIT
// Looks for faults with random inputs. `npm run fuzz -- --help` lists the kinds.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const help = `npm run fuzz [-- KIND [CASES] [FIRST]] looks for faults with random inputs.

Numbers of cases are seeds: CASES of them (default 20000), from FIRST on (default 0). KIND is
  files       loads damaged model files; the default kind
  torch       reads damaged files of PyTorch
  pickles     reads damaged pickles, and pickles that grow by doubling
  api         random calls of everything that is exported
  reentrancy  code of layers that disposes, changes and calls what runs it
  masks       random programs over calls on masks: eager, as a graph, and saved
  batched     random models and requests for batched(), against single calls
  skeleton    model files whose names try to break out of the module of writeSkeleton()
  run         random tables through \`maskflow run\`
  doubling    valid structures that grow (default 80 cases); a fourth argument is part of their names
  port-damage damaged and grown Python for maskflow/port; texts that try to become code
  draw        figures of random models with hostile names
  settings    custom layers without getConfig: what copies and files of them lose in silence
  page        edits of the page; a fourth argument is a browser (Chromium, Firefox, WebKit)

Beside real Keras, if MASKFLOW_KERAS runs it (docs/contributing/testing.md):
  npm run fuzz -- keras [CASES] [SEED]            every kind of the list below
  npm run fuzz -- KIND [CASES] [SEED] [FIRST]     one of them, from case FIRST on
SEED is the date by default, as in 20260131. KIND is
`;

const given = process.argv.slice(2);
if (given.some((word) => /^(-h|--help|help)$/.test(word))) {
  const { kerasKinds } = await import('../tests/fuzz/keras.js');
  console.log(`${help}  ${Object.keys(kerasKinds).join('\n  ')}`);
  process.exit(0);
}
const unknown = given.find((word) => word.startsWith('-'));
if (unknown) {
  console.error(`there is no option ${unknown}; npm run fuzz -- --help lists the arguments`);
  process.exit(1);
}
const kind = /^[a-z]/.test(given[0] ?? '') ? given.shift() : 'files';
const numbers = given.filter((word) => /^\d/.test(word)).map(Number);
const [cases = 20_000, first = 0] = numbers;
const today = Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''));
const start = performance.now();
const seconds = () => Math.round((performance.now() - start) / 1000);

function told(done) {
  if (done % 1000 === 0) console.error(`${done} cases, ${seconds()} s`);
}

function conclude(failures) {
  console.log(`failures: ${failures.length}`);
  for (const failure of failures.slice(0, 50)) console.log(failure);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

async function inWorkers(module, what) {
  const { fuzz } = await import('../tests/fuzz/fuzz.js');
  const report = await fuzz(first, first + cases, ({ cases: done }) => told(done), module);
  console.log(`${report.cases} ${what} in ${seconds()} s`);
  for (const [outcome, count] of Object.entries(report.counts))
    console.log(`  ${String(count).padStart(6)}  ${outcome}`);
  console.log(
    `slowest: ${Math.round(report.slowest.time)} ms (case ${report.slowest.number}); wasm memory at most ${Math.round(report.heapBytes / 2 ** 20)} MB, JavaScript's at most ${Math.round(report.jsBytes / 2 ** 20)} MB`,
  );
  return report.failures;
}

const each = (fuzz) => fuzz(first, first + cases, told);

const kinds = {
  files: () => inWorkers('./case.js', 'damaged files'),
  torch: () => inWorkers('./torch.js', 'damaged files of PyTorch'),
  pickles: () => inWorkers('./pickles.js', 'damaged and grown pickles'),
  api: () => inWorkers('./api.js', 'cases of random calls'),
  batched: async () => each((await import('../tests/fuzz/batched.js')).fuzzBatched),
  skeleton: async () => each((await import('../tests/fuzz/skeleton.js')).fuzzSkeletons),
  run: async () => each((await import('../tests/fuzz/run.js')).fuzzRun),
  'port-damage': async () => each((await import('../tests/fuzz/port_damage.js')).fuzzPortDamage),
  draw: async () => each((await import('../tests/fuzz/draw.js')).fuzzDraw),
  settings: async () => each((await import('../tests/fuzz/kept_settings.js')).fuzzKeptSettings),

  async doubling() {
    const { fuzzDoubling } = await import('../tests/fuzz/doubling.js');
    const only = given.find((word) => /^[A-Za-z]/.test(word));
    const onCase = ({ name, points, problems }) => {
      const { size, time, outcome } = points.at(-1) ?? {};
      console.error(`${name}: ${size} in ${Math.round(time)} ms, ${outcome}`);
      for (const problem of problems) console.error(`  ${problem}`);
    };
    return fuzzDoubling(first, first + (numbers[0] ?? 80), onCase, only);
  },

  async page() {
    const { fuzzPage } = await import('../tests/fuzz/page.js');
    const engine = given.find((word) => /^[A-Z]/.test(word)) ?? 'Chromium';
    let seen = 0;
    const onEdits = ({ edits, failures }) => {
      for (; seen < failures.length; seen++) console.error(failures[seen]);
      if (edits % 100 === 0)
        console.error(`${edits} edits, ${seconds()} s, ${failures.length} failures`);
    };
    const report = await fuzzPage(first, first + cases, { engine, onEdits });
    const { edits, runs, tensors, heapBytes, freezes } = report;
    console.log(`${engine}: ${edits} edits in ${seconds()} s, ${runs} programs run`);
    console.log(`in workers at most ${tensors} tensors and ${Math.round(heapBytes / 2 ** 20)} MB`);
    console.log(
      `held up for more than 100 ms ${freezes.length} times, ${Math.max(0, ...freezes)} ms at most`,
    );
    return report.failures;
  },

  async masks() {
    const { ready } = await import('../dist/train.js');
    await ready({ onMaskDropped: 'silent' });
    const { maskProgram } = await import('../tests/fuzz/masks.js');
    const failures = [];
    for (let seed = first; seed < first + cases; seed++) {
      failures.push(...(await maskProgram(seed, { files: seed % 4 === 0 })));
      told(seed - first + 1);
    }
    return failures;
  },

  async reentrancy() {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc');
    const { fuzzReentrancy } = await import('../tests/fuzz/reentrancy.js');
    const report = await fuzzReentrancy(first, first + cases, {
      collect,
      onScript: ({ scripts }) => told(scripts),
    });
    const { scripts, numbers, errors, slowest } = report;
    console.log(`${scripts} scripts in ${seconds()} s: ${numbers} results, ${errors} typed errors`);
    console.log(`slowest: ${Math.round(slowest.time)} ms (script ${slowest.number})`);
    return report.failures;
  },
};

/** Runs one kind of tests/fuzz/keras.js with the numbers of the command line. */
async function besideKeras(name, { fuzzKeras }) {
  const [count, seed = today, start] = numbers;
  const report = await fuzzKeras(name, {
    count,
    seed,
    first: start,
    onProgress({ cases: done, failures }) {
      if (done % 500 === 0)
        console.error(`${done} cases, ${seconds()} s, ${failures.length} differ`);
    },
  });
  const { cases: done, failures, reasons } = report;
  console.log(`${name}, seed ${seed}: ${done} cases in ${seconds()} s, ${failures.length} differ`);
  for (const [reason, times] of Object.entries(reasons)) console.log(`  ${times} × ${reason}`);
  if (done === 0) failures.push(`${name}: Keras recorded nothing\n${report.said}`);
  return failures;
}

/**
 * Runs every kind in a process of its own, because an entry of the package starts only once per
 * process.
 */
async function allBesideKeras({ kerasKinds, requireKeras }) {
  requireKeras('keras');
  const failures = [];
  for (const [name, { command }] of Object.entries(kerasKinds)) {
    if (command && !process.env[command]) {
      console.log(`${name} is left out: ${command} is not set`);
      continue;
    }
    const args = [fileURLToPath(import.meta.url), name, ...numbers.map(String)];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    if (status !== 0) failures.push(name);
  }
  return failures;
}

const keras = await import('../tests/fuzz/keras.js');
const names = [...Object.keys(kinds), 'keras', ...Object.keys(keras.kerasKinds)];
if (!names.includes(kind)) {
  console.error(`there is no kind '${kind}'; choose from ${names.join(', ')}`);
  process.exit(1);
}
try {
  if (kind === 'keras') conclude(await allBesideKeras(keras));
  else if (keras.kerasKinds[kind]) conclude(await besideKeras(kind, keras));
  else conclude(await kinds[kind]());
} catch (error) {
  if (!(error instanceof keras.NoKeras)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
