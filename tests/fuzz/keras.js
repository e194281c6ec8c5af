// SPDX-License-Identifier: MIT
// Compares the package with real Keras on random models, layers and trainings. Keras runs in its
// own process, by the command in MASKFLOW_KERAS, and writes its results to files. The package
// replays finished files while Keras computes the next ones.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const setUp = `needs real Keras: set MASKFLOW_KERAS to the command that runs a Python file with
Keras 3.15.1 and PyTorch, as in
    MASKFLOW_KERAS=python3 npm run fuzz -- keras
If that command runs in a container, set MASKFLOW_KERAS_FOLDER to a folder that both sides see.`;

/** Thrown if real Keras is not set up. */
export class NoKeras extends Error {}

/** Imports an entry of the package and starts its engine. */
async function start(entry, options) {
  const mf = await import(`../../dist/${entry}.js`);
  await mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'silent', ...options });
}

const warning = { onMaskDropped: 'warn' };

/**
 * Kinds of cases that Keras records. `script` records `count` cases unless another number is given;
 * `check` returns a function that compares one case and returns null or the difference. `lines`:
 * the script writes one file of lines. `known` returns the reason for an accepted difference.
 * `reopen`: a script of Keras that opens the files which `check` wrote into the folder it received.
 * `hasOpinions`: a second back end may make the same calls; `check` receives what it returned.
 * `command`: the variable with the command, for a script that needs something else than Keras.
 */
const replayedKinds = {
  'keras-graphs': {
    about: 'graphs of masked layers',
    script: 'keras_graphs.py',
    count: 3000,
    async check() {
      await start('index', warning);
      return (await import('../support/replay.js')).checkRecorded;
    },
  },
  'keras-order': {
    about: 'graphs that depend on the order of layers and on which tensors are one',
    script: 'keras_order.py',
    count: 1000,
    lines: ['--count'],
    async check() {
      await start('index');
      return (await import('../support/graphs.js')).replay;
    },
  },
  'keras-layers': {
    about: 'single layers with random options, right and wrong',
    script: 'keras_layers.py',
    count: 5000,
    whole: ['--count'],
    async check() {
      await start('index', warning);
      return (await import('../support/replay.js')).checkRecorded;
    },
    known: async () => (await import('./known_differences.js')).reasonForLayer,
  },
  'keras-measures': {
    about: 'losses and metrics',
    script: 'keras_measures.py',
    count: 1000,
    lines: ['--cases'],
    async check() {
      await start('index');
      const { differenceOf, run } = await import('../support/measures.js');
      return (recorded) => {
        const difference = differenceOf(run(recorded), recorded.expect);
        return difference && `${recorded.class}: ${difference.kind} ${difference.note}`;
      };
    },
    known: async () => (await import('./known_differences.js')).reasonForMeasure,
  },
  'keras-evaluate': {
    about: 'evaluate with several outputs, losses and weights',
    script: 'keras_evaluate.py',
    count: 1000,
    lines: ['--cases'],
    async check() {
      await start('index');
      return (await import('../support/evaluation.js')).evaluationDifference;
    },
  },
  'keras-programs': {
    about: 'ops, custom layers, nested models, stateful calls, structures, evaluate',
    script: 'keras_programs.py',
    count: 2000,
    async check() {
      await start('train', warning);
      return (await import('./replay_programs.js')).checkProgram;
    },
    known: async () => (await import('./known_differences.js')).reasonForProgram,
  },
  'keras-workflows': {
    about: 'whole programs: build, freeze, compile, fit, save, load, copy, edit, call',
    script: 'keras_workflows.py',
    count: 1000,
    async check() {
      await start('train');
      return (await import('./replay_workflows.js')).checkWorkflow;
    },
    known: async () => (await import('./known_differences.js')).reasonForWorkflow,
  },
  'keras-cells': {
    about: 'custom recurrent cells with sublayers: called, copied, cloned, saved, trained',
    script: 'keras_cells.py',
    count: 300,
    async check() {
      await start('train');
      return (await import('./replay_cells.js')).checkCells;
    },
  },
  'keras-classes': {
    about: 'files of subclassed models and layers, loaded and saved again',
    script: 'keras_classes.py',
    reopen: 'open_classes.py',
    count: 300,
    async check(folder) {
      await start('train');
      return (await import('./replay_classes.js')).classFileCheck(folder);
    },
    known: async () => (await import('./known_differences.js')).reasonForClass,
  },
  'keras-training': {
    about: 'fit with random losses and optimizers; each weight after each step',
    script: 'keras_training.py',
    args: ['--judge', '1'],
    count: 500,
    async check() {
      await start('train');
      return (await import('./replay_training.js')).checkTraining;
    },
  },
  'keras-hooks': {
    about: 'classes that override parts of training, sample weights, callbacks',
    script: 'keras_hooks.py',
    count: 500,
    async check() {
      await start('train');
      return (await import('./replay_hooks.js')).checkHooks;
    },
  },
  'keras-ops': {
    about: 'derivatives of ops between layers',
    script: 'keras_training.py',
    args: ['--judge', '1', '--ops', '1'],
    count: 300,
    async check() {
      await start('train');
      return (await import('./replay_training.js')).checkTraining;
    },
    known: async () => (await import('./known_differences.js')).reasonForProgram,
  },
  'torch-modules': {
    about: 'modules of PyTorch, their files in every format',
    script: 'torch_modules.py',
    count: 5000,
    async check() {
      const mf = await import('../../dist/torch.js');
      await mf.ready({ onMaskDropped: 'silent' });
      return (await import('../support/torch_cases.js')).torchCaseDifference.bind(null, mf);
    },
    known: async () => (await import('./known_differences.js')).reasonForModule,
  },
  'torch-programs': {
    about: 'programs that `maskflow info` prints for models of PyTorch',
    script: 'torch_programs.py',
    count: 500,
    async check() {
      const mf = await import('../../dist/torch.js');
      await mf.ready({ onMaskDropped: 'silent' });
      const { torchProgramDifference } = await import('../support/torch_programs.js');
      return torchProgramDifference.bind(null, mf);
    },
  },
  'keras-tokenizer': {
    about: "Keras's older Tokenizer: ids, texts, matrices, JSON, pickles",
    script: 'keras_tokenizer.py',
    count: 5000,
    lines: ['--count'],
    async check() {
      await start('index');
      const text = await import('../../dist/text.js');
      const { tokenizerDifference } = await import('../support/tokenizers.js');
      return tokenizerDifference.bind(null, text);
    },
  },
  'sklearn-pickles': {
    about: 'scalers and label encoders of sklearn, in files of pickle and joblib',
    script: 'sklearn_pickles.py',
    command: 'MASKFLOW_SKLEARN',
    count: 2000,
    lines: ['--count'],
    async check() {
      await start('index');
      const { tensor } = await import('../../dist/index.js');
      const { readPickle } = await import('../../dist/text.js');
      const { scalerDifference } = await import('../support/scalers.js');
      return scalerDifference.bind(null, { tensor, readPickle });
    },
  },
  'keras-calls': {
    about: 'single calls of ops: results, derivatives, and models from files',
    script: 'keras_calls.py',
    count: 2000,
    lines: ['--count'],
    async check() {
      await start('train');
      return (await import('../support/op_calls.js')).checkCall;
    },
    known: async () => (await import('./known_differences.js')).reasonForCall,
  },
  'keras-edges': {
    about: 'calls of all ops at their edges: empty axes, NaN, dtypes, axes out of range',
    script: 'keras_edges.py',
    count: 9000,
    lines: ['--count'],
    hasOpinions: true,
    async check() {
      await start('train');
      return (await import('../support/op_edges.js')).checkEdge;
    },
    known: async () => (await import('./known_differences.js')).reasonForEdge,
  },
  port: {
    about: 'Keras programs as text, in many styles: ported to JavaScript, and run',
    script: 'keras_port.py',
    count: 500,
    async check() {
      await start('train');
      return (await import('./port.js')).checkPort;
    },
    known: async () => (await import('./known_differences.js')).reasonForPort,
  },
  'keras-stale': {
    about: 'is predict after training and setWeights that of a fresh copy?',
    script: 'keras_training.py',
    count: 300,
    async check() {
      await start('train');
      return (await import('./replay_stale.js')).checkStale;
    },
  },
};

/**
 * Kinds of cases in which Keras opens what the package saved. `save` writes files into a folder.
 * `open` opens them with Keras and prints "N x difference" and, at its end, "N of M agree". `save`
 * receives the folder, the seed and the number of models, or only the seed if the cases are fixed.
 * `record`: a script of Keras and its arguments, which first records the programs that `save`
 * replays into the folder.
 */
const savedKinds = {
  'keras-saved': {
    about: 'models that the package trained and saved; Keras trains them on',
    save: 'save_trained.js',
    open: 'go_on.py',
    count: 300,
  },
  'keras-saved-workflows': {
    about: 'models that whole programs saved: counts of weights, predictions and the next epoch',
    record: ['keras_workflows.py', '--saves', '1'],
    save: 'save_workflows.js',
    open: 'open_workflows.py',
    count: 1000,
  },
  'keras-saved-ops': {
    about: 'files of single ops that the package saved',
    save: 'save_ops.js',
    open: 'open_saved.py',
  },
  'keras-saved-text': {
    about: 'models with TextVectorization that the package read and saved',
    save: 'save_text.js',
    open: 'open_text.py',
    count: 300,
  },
  'keras-saved-torch': {
    about: "modules of PyTorch's files that the package trained and saved",
    save: 'save_torch.js',
    open: 'open_saved.py',
  },
  'keras-saved-layers': {
    about: 'files of single layers that the package saved',
    save: 'save_layers.js',
    open: 'open_saved.py',
  },
};

/** All kinds of cases by name, with a description in `about`. */
export const kerasKinds = { ...replayedKinds, ...savedKinds };

/**
 * Returns the words of the command that runs Keras, and the folder for its files. Throws NoKeras if
 * Keras is not set up.
 */
function keras(kind) {
  const { command: variable = 'MASKFLOW_KERAS' } = kerasKinds[kind] ?? {};
  const command = process.env[variable]?.trim();
  if (!command) {
    throw new NoKeras(
      variable === 'MASKFLOW_KERAS'
        ? `${kind} ${setUp}`
        : `${kind} needs scikit-learn: set ${variable} to a command that runs Python with it`,
    );
  }
  const folder = resolve(process.env.MASKFLOW_KERAS_FOLDER || join(here, '../../build/fuzz'));
  return { words: command.split(/\s+/), folder };
}

/** Throws NoKeras if a kind cannot run, before a process is started. */
export const requireKeras = (kind) => void keras(kind);

/** Copies the scripts, runs one with Keras, and resolves to the end of its output. */
function runPython({ words: [program, ...words], folder }, script, args) {
  for (const name of readdirSync(here).filter((name) => name.endsWith('.py'))) {
    copyFileSync(join(here, name), join(folder, name));
  }
  const env = { ...process.env, KERAS_BACKEND: 'torch', PYTHONWARNINGS: 'ignore' };
  const child = spawn(program, [...words, join(folder, script), ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => {
      text = (text + part).slice(-100_000);
    });
  }
  return new Promise((settle, reject) => {
    child.on('error', (error) =>
      reject(new Error(`MASKFLOW_KERAS does not run: ${error.message}`)),
    );
    child.on('close', (code) => {
      if (code === 0) settle(text);
      else reject(new Error(`${script} failed:\n${text}`));
    });
  });
}

/** Parses JSON of Python, which writes NaN and infinities as bare words. */
const parse = (text) =>
  JSON.parse(
    text.replace(/(?<=[[:,]\s*)(NaN|-?Infinity)(?=\s*[,\]}])/g, (word) =>
      word === 'NaN' ? 'null' : word.replace('Infinity', '1e999'),
    ),
  );

const casesOf = (text, lines) =>
  lines ? text.split('\n').filter(Boolean).map(parse) : parse(text).cases;

/** Replays files as they are written, until `recording` has ended and all files are replayed. */
async function replayAll(folder, recording, kind, onCase) {
  let ended = false;
  recording.finally(() => {
    ended = true;
  });
  const done = new Set();
  for (;;) {
    const last = ended;
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => !done.has(name)) : [];
    // A recording gets this ending when it is complete.
    const complete = names.filter((name) => /\.jsonl?$/.test(name));
    for (const name of complete) {
      done.add(name);
      const path = join(folder, name);
      for (const recorded of casesOf(readFileSync(path, 'utf8'), kind.lines))
        await onCase(recorded);
      rmSync(path);
    }
    if (last) return;
    if (complete.length === 0) await sleep(200);
  }
}

/** Returns whether the script receives the name of the one file that it writes. */
const isSingle = (kind) => Boolean(kind.lines ?? kind.whole);

function argumentsOf(kind, out, count, seed, first) {
  const [countFlag] = kind.lines ?? kind.whole ?? ['--count'];
  const file = isSingle(kind) ? [join(out, kind.lines ? 'all.jsonl' : 'all.json')] : [out];
  const from = first === undefined || isSingle(kind) ? [] : ['--first', String(first)];
  return [...file, '--seed', String(seed), countFlag, String(count), ...from, ...(kind.args ?? [])];
}

/** Returns the name of a case; for a single layer, with its configuration. */
function nameOf({ name, id, kind, layer }) {
  if (!layer || layer.class_name === 'Functional') return name ?? id;
  return `${name} ${kind} ${layer.class_name}${JSON.stringify(layer.config).slice(0, 200)}`;
}

/** Saves models with the package and opens them with Keras. */
async function fuzzSaved(name, { count, seed }) {
  const { record, save, open, count: max } = savedKinds[name];
  const command = keras(name);
  const folder = join(command.folder, `${name}-${process.pid}`);
  const size = max === undefined ? [] : [String(count ?? max)];
  const args = [join(here, save), folder, String(seed), ...size];
  if (record) {
    const numbers = ['--seed', String(seed), '--count', String(count ?? max)];
    const [script, ...more] = record;
    await runPython(command, script, [folder, ...numbers, ...more]);
  }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${save} failed:\n${stdout}${stderr}`);
  const said = await runPython(command, open, [folder]);
  rmSync(folder, { recursive: true });
  const failures = failuresIn(said);
  const [, all] = kAgree.exec(said);
  return { cases: Number(all), failures, reasons: {}, said };
}

const kAgree = /^\d+ of (\d+) agree$/m;

/** Returns the differences that a script reports which opens files. Throws if it did not end. */
function failuresIn(said) {
  const [ending, all] = kAgree.exec(said) ?? [];
  if (all === undefined) throw new Error(`a script that opens files did not end:\n${said}`);
  // Each difference has two lines; the second one names some of the files.
  const failures = [...said.matchAll(/^\d+ x .*\n.*/gm)].map(([text]) => text);
  return ending !== `${all} of ${all} agree` && failures.length === 0 ? [said] : failures;
}

/**
 * Records the same cases with another back end, by the command in MASKFLOW_KERAS_NUMPY, for calls
 * in which PyTorch is alone. Returns none without that command.
 */
async function secondOpinions(kind, [, ...args], out) {
  const { MASKFLOW_KERAS_NUMPY: command, MASKFLOW_KERAS_FOLDER: folder } = process.env;
  if (!command) return [];
  const path = join(out, '..', `opinions-${process.pid}.jsonl`);
  const words = command.trim().split(/\s+/);
  await runPython({ words, folder: folder ?? join(out, '..') }, kind.script, [path, ...args]);
  const opinions = casesOf(readFileSync(path, 'utf8'), kind.lines);
  rmSync(path);
  return opinions;
}

/**
 * Compares cases of a kind with real Keras. `onProgress` receives the report so far.
 * Returns { cases, failures, reasons }: differences by name, and counts of known reasons.
 */
export async function fuzzKeras(name, { count, seed, first, onProgress = () => {} }) {
  if (savedKinds[name]) return fuzzSaved(name, { count, seed });
  const kind = replayedKinds[name];
  const command = keras(name);
  const out = join(command.folder, `${name}-${process.pid}`);
  mkdirSync(out, { recursive: true });
  const args = argumentsOf(kind, out, count ?? kind.count, seed, first);
  const recording = runPython(command, kind.script, args);
  recording.catch(() => {});
  const saved = `${out}-saved`;
  const check = await kind.check(saved);
  const known = await kind.known?.();
  const report = { cases: 0, failures: [], reasons: {} };
  const opinions = kind.hasOpinions ? await secondOpinions(kind, args, out) : [];
  // Hides warnings. A check that expects warnings collects them itself.
  const { warn } = console;
  console.warn = () => {};
  await replayAll(out, recording, kind, async (recorded) => {
    let problem;
    try {
      problem = await check(recorded, opinions[report.cases]);
    } catch (error) {
      problem = `threw ${error.stack}`;
    }
    report.cases++;
    onProgress(report);
    if (problem === null) return;
    const reason = known?.(problem, recorded);
    if (reason) report.reasons[reason] = (report.reasons[reason] ?? 0) + 1;
    else report.failures.push(`${nameOf(recorded)}: ${problem}`);
  });
  console.warn = warn;
  rmSync(out, { recursive: true });
  report.said = await recording;
  if (kind.reopen && existsSync(saved)) {
    report.failures.push(...failuresIn(await runPython(command, kind.reopen, [saved])));
    rmSync(saved, { recursive: true });
  }
  return report;
}
