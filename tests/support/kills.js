// SPDX-License-Identifier: MIT
// Kills processes that write files, at random moments. After each kill, the old file or the new one
// must be there, whole, and no more than one temporary file.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as mf from '../../dist/train.js';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const keras = fileURLToPath(new URL('../fixtures/models/seq_embed_lstm.keras', import.meta.url));
const entry = JSON.stringify(String(new URL('../../dist/train.js', import.meta.url)));

/** The beginning of a program with a model whose weights are equal; `go` tells that it writes. */
export const modelProgram = `import * as mf from ${entry};
  await mf.ready();
  const model = new mf.Sequential([mf.Input({ shape: [64] }), mf.layers.dense({ units: 512 })]);
  const fill = (value) => model.setWeights(model.weights.map(({ shape }) =>
    new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(value)));
  let value = Number(process.argv[2]);
  const go = () => process.stdout.write('writing\\n');`;
/** Saves a model whose architecture changes with each value, and says which value it has. */
async function saveTfjs(mf, value, path) {
  const layer = mf.layers.dense({ units: 512, name: `value${value}` });
  const model = new mf.Sequential([mf.Input({ shape: [64] }), layer]);
  model.setWeights(
    model.weights.map(({ shape }) =>
      mf.tensor(new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(value), { shape }),
    ),
  );
  await model.saveTfjs(path);
  model.dispose();
}
const fit = (callback) => `${modelProgram}
  model.compile({ optimizer: mf.optimizers.sgd({ learningRate: 0 }), loss: 'mse' });
  fill(value); const of = (n) => mf.tensor(new Float32Array(4 * n), { shape: [4, n] });
  const [x, y] = [of(64), of(512)]; go();
  await model.fit(x, y, { epochs: 1e9, callbacks: [mf.callbacks.${callback}] });`;

/** Programs that write files for ever. Each complete model has equal weights. */
const programs = {
  save: `${modelProgram} go(); for (;; value++) { fill(value); await model.save('file.keras'); }`,
  tfjs: `${modelProgram} ${saveTfjs}
    go(); for (;; value++) await saveTfjs(mf, value, 'model.json');`,
  checkpoint: fit(`modelCheckpoint('file.keras')`),
  backup: fit(`backupAndRestore('.')`),
  csv: fit(`csvLogger('log.csv')`),
  board: fit(`tensorBoard('logs', { updateFreq: 'batch' })`),
  cache: `${modelProgram} const { createServer } = await import('node:http');
    let version = 0;
    fill(value); let bytes = await model.save();
    const server = createServer((_, response) =>
      response.writeHead(200, { etag: '"' + version + '"' }).end(bytes));
    await new Promise((resolve) => server.listen(0, resolve)); go();
    for (;; value++, version++) {
      fill(value); bytes = await model.save();
      const address = 'http://localhost:' + server.address().port + '/m.keras';
      (await mf.loadModel(address, { cache: true })).dispose();
    }`,
};

/** Names of everything that is killed. */
export const killKinds = [...Object.keys(programs), 'run'];

function require(isTrue, problem) {
  if (!isTrue) throw new Error(problem);
}

/** A model of one version has equal kernels; its biases are equal, too. */
async function checkModel(path) {
  if (!existsSync(path)) return;
  const loaded = await mf.loadModel(path);
  const values = loaded.getWeights().flatMap((weight) => [...weight.data()]);
  loaded.dispose();
  require(new Set(values).size === 1, `${path} has weights of two versions`);
}

/** Architecture and weights are of one version. Returns its value. */
async function checkTfjs(folder) {
  const path = join(folder, 'model.json');
  if (!existsSync(path)) return undefined;
  const loaded = await mf.loadModel(path);
  const [{ name }] = loaded.layers.slice(-1);
  const values = new Set(loaded.getWeights().flatMap((weight) => [...weight.data()]));
  loaded.dispose();
  const isOne = values.size === 1 && values.has(Number(name.slice('value'.length)));
  require(isOne, `${name} has the weights ${[...values].slice(0, 2)}`);
  return [...values][0];
}

function checkBackup(path) {
  if (!existsSync(path)) return;
  const bytes = readFileSync(path);
  const head = bytes.indexOf(10, 18) + 1;
  const { entries } = JSON.parse(bytes.subarray(18, head).toString());
  const count = ({ shape }) => 4 * shape.reduce((a, b) => a * b, 1);
  const size = entries.reduce((sum, each) => sum + count(each), head);
  require(size === bytes.length, `the backup has ${bytes.length} of ${size} bytes`);
}

/** A log has whole lines: the epochs from 0 on. */
function checkCsv(path) {
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  if (text === '') return;
  require(text.endsWith('\r\n'), `the last line of the log is cut: ${text.slice(-60)}`);
  const [head, ...lines] = text.trimEnd().split('\r\n');
  require(head.startsWith('epoch,'), `the log begins with ${head}`);
  for (const [i, line] of lines.entries()) {
    const isWhole =
      line.split(',')[0] === `${i}` && line.split(',').length === head.split(',').length;
    require(isWhole, `line ${i} of the log is ${line}`);
  }
}

/** Event files have whole records: length, checksum, content, checksum. */
function checkEvents(folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(join(folder, name));
    let position = 0;
    while (position < bytes.length) {
      require(position + 16 <= bytes.length, `${name} has half a record`);
      position += 16 + bytes.readUInt32LE(position);
    }
    require(position === bytes.length, `${name} has half a record`);
  }
}

function checkCache(folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.file'))) {
    const bytes = readFileSync(join(folder, name));
    const end = bytes.indexOf(10) + 1;
    const { bytes: size } = JSON.parse(bytes.subarray(0, end).toString());
    require(bytes.length - end ===
      size, `a cached file has ${bytes.length - end} of ${size} bytes`);
  }
}

const checks = {
  save: (folder) => checkModel(join(folder, 'file.keras')),
  tfjs: checkTfjs,
  checkpoint: (folder) => checkModel(join(folder, 'file.keras')),
  backup: (folder) => checkBackup(join(folder, 'latest.backup')),
  csv: (folder) => checkCsv(join(folder, 'log.csv')),
  board: (folder) => checkEvents(join(folder, 'logs', 'train')),
  cache: (folder) => checkCache(join(folder, 'models')),
};

function checkTemporary(folder, most) {
  if (!existsSync(folder)) return;
  const names = readdirSync(folder).filter((name) => name.endsWith('.part'));
  require(names.length <= most, `${names.length} temporary files`);
}

async function killProgram(kind, folder, number) {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, programs[kind]);
  const child = spawn(process.execPath, [program, String(number)], {
    cwd: folder,
    env: { ...process.env, MASKFLOW_CACHE: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await sleep(Math.random() * 60);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  await checks[kind](folder);
  // A model of TensorFlow.js is two files, which are written before either is renamed.
  checkTemporary(kind === 'cache' ? join(folder, 'models') : folder, kind === 'tfjs' ? 2 : 1);
}

/** A program that saves once, and kills itself before a call of the file system. */
const doomedProgram = `${modelProgram} ${saveTfjs}
  import files from 'node:fs/promises';
  let left = Number(process.argv[3]);
  for (const name of ['open', 'rename', 'rm']) {
    const call = files[name];
    files[name] = (...args) => {
      if (left-- === 0) process.kill(process.pid, 'SIGKILL');
      return call(...args);
    };
  }
  await saveTfjs(mf, value, 'model.json');`;

/**
 * Saves a model of TensorFlow.js over an old one, and kills the process at each call in turn that
 * changes the disk. Returns the value of the model after each kill, and the names of the files
 * after the save that was not killed.
 */
export async function killTfjsEverywhere(folder) {
  await mf.ready();
  const program = join(folder, 'program.mjs');
  writeFileSync(program, doomedProgram);
  const found = [];
  for (let calls = 0; ; calls++) {
    await saveTfjs(mf, 1, join(folder, 'model.json'));
    const { status } = spawnSync(process.execPath, [program, '2', String(calls)], { cwd: folder });
    found.push(await checkTfjs(folder));
    if (status !== null) {
      require(status === 0, 'the last save failed');
      break;
    }
  }
  const names = readdirSync(folder).filter((name) => name !== 'program.mjs');
  return { found, names };
}

async function killRun(folder, number) {
  const [input, output, whole] = ['in.csv', 'out.csv', 'whole.csv'].map((name) =>
    join(folder, name),
  );
  if (number === 0) {
    writeFileSync(input, '1,2,3,4,5,6\n'.repeat(20_000));
    writeFileSync(output, 'old\n');
    spawnSync(process.execPath, [cli, 'run', keras, '-i', input, '-o', whole]);
  }
  const args = ['run', keras, '-i', input, '-o', output, '-f', '-b', '256'];
  const child = spawn(process.execPath, [cli, ...args], { stdio: 'inherit' });
  const until = performance.now() + 100 + Math.random() * 1200;
  while (child.exitCode === null && performance.now() < until) await sleep(2);
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((resolve) => child.once('close', resolve));
  const bytes = readFileSync(output);
  const isWhole = bytes.equals(readFileSync(whole));
  require(isWhole || String(bytes) === 'old\n', `the output has ${bytes.length} bytes`);
  if (isWhole) writeFileSync(output, 'old\n');
  checkTemporary(folder, 1);
}

/** Kills a process of a kind once, and throws an error unless each file in the folder is whole. */
export async function killOnce(kind, folder, number) {
  await mf.ready();
  if (kind === 'run') await killRun(folder, number);
  else await killProgram(kind, folder, number);
}
