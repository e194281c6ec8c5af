// SPDX-License-Identifier: MIT
// Kills processes that write files, at random moments: node scripts/kills.mjs [KILLS] [KIND]. After
// each kill, the old file or the new one must be there, whole, and no more than one temporary file.
// KIND is save, checkpoint, run, cache or backup; all of them by default.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { at } from './lib/files.mjs';
import { main } from './lib/process.mjs';

const [kills = 300, only] = [Number(process.argv[2] ?? 300), process.argv[3]];
const cli = at('dist', 'cli.js');
const entry = JSON.stringify(String(new URL('../dist/train.js', import.meta.url)));
const model = `import * as mf from ${entry};
  await mf.ready();
  const model = new mf.Sequential([mf.Input({ shape: [64] }), mf.layers.dense({ units: 512 })]);
  const fill = (value) => model.setWeights(model.weights.map(({ shape }) =>
    new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(value)));
  let value = Number(process.argv[2]);
  const go = () => process.stdout.write('writing\\n');`;

/** Programs that write `file` for ever. Each complete file has equal weights. */
const kinds = {
  save: `${model} go(); for (;; value++) { fill(value); await model.save('file.keras'); }`,
  checkpoint: `${model}
    model.compile({ optimizer: mf.optimizers.sgd({ learningRate: 0 }), loss: 'mse' });
    fill(value); const of = (n) => mf.tensor(new Float32Array(4 * n), { shape: [4, n] });
    const [x, y] = [of(64), of(512)]; go();
    await model.fit(x, y, { epochs: 1e6, callbacks: [mf.callbacks.modelCheckpoint('file.keras')] });`,
  backup: `${model}
    model.compile({ optimizer: mf.optimizers.sgd({ learningRate: 0 }), loss: 'mse' });
    fill(value); const of = (n) => mf.tensor(new Float32Array(4 * n), { shape: [4, n] });
    const [x, y] = [of(64), of(512)]; go();
    await model.fit(x, y, { epochs: 1e9, callbacks: [mf.callbacks.backupAndRestore('.')] });`,
  cache: `${model} const { createServer } = await import('node:http');
    let version = 0;
    fill(value); let bytes = await model.save();
    const server = createServer((_, response) => response.writeHead(200, { etag: '"' + version + '"' }).end(bytes));
    await new Promise((resolve) => server.listen(0, resolve)); go();
    for (;; value++, version++) {
      fill(value); bytes = await model.save();
      (await mf.loadModel('http://localhost:' + server.address().port + '/m.keras', { cache: true })).dispose();
    }`,
};

const digest = (bytes) => createHash('sha256').update(bytes).digest('hex');
const temporary = (folder) => readdirSync(folder).filter((name) => name.endsWith('.part'));

/** Throws an error unless each file in the folder is whole. */
async function check(kind, folder) {
  const mf = await import('../dist/train.js');
  await mf.ready();
  if (kind === 'backup') {
    if (!existsSync(join(folder, 'latest.backup'))) return;
    const bytes = readFileSync(join(folder, 'latest.backup'));
    const head = bytes.indexOf(10, 18) + 1;
    const { entries } = JSON.parse(bytes.subarray(18, head).toString());
    const size = entries.reduce(
      (sum, { shape }) => sum + 4 * shape.reduce((a, b) => a * b, 1),
      head,
    );
    if (size !== bytes.length) throw new Error(`the backup has ${bytes.length} of ${size} bytes`);
    return;
  }
  const file = join(folder, 'file.keras');
  if (kind === 'cache' || !existsSync(file)) return;
  const loaded = await mf.loadModel(file);
  const values = loaded.getWeights().flatMap((weight) => [...weight.data()]);
  loaded.dispose();
  if (new Set(values).size > 2) throw new Error('the file has weights of two versions');
}

async function killOne(kind, folder, number) {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, kinds[kind]);
  const child = spawn(process.execPath, [program, String(number)], {
    cwd: folder,
    env: { ...process.env, MASKFLOW_CACHE: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  await sleep(Math.random() * 60);
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('close', resolve));
  await check(kind, folder);
  const where =
    kind === 'cache' && existsSync(join(folder, 'models')) ? join(folder, 'models') : folder;
  if (temporary(where).length > 1) throw new Error(`${temporary(where).length} temporary files`);
  if (kind !== 'cache' || where === folder) return;
  for (const name of readdirSync(where).filter((each) => each.endsWith('.file'))) {
    const bytes = readFileSync(join(where, name));
    const end = bytes.indexOf(10) + 1;
    const size = JSON.parse(bytes.subarray(0, end).toString()).bytes;
    if (bytes.length - end !== size)
      throw new Error(`a cached file has ${bytes.length - end} of ${size} bytes`);
  }
}

async function killRun(folder, number) {
  const input = join(folder, 'in.csv');
  const output = join(folder, 'out.csv');
  const keras = join(at('tests', 'fixtures', 'models'), 'seq_embed_lstm.keras');
  if (number === 0) {
    writeFileSync(input, '1,2,3,4,5,6\n'.repeat(20_000));
    writeFileSync(output, 'old\n');
    spawnSync(process.execPath, [cli, 'run', keras, '-i', input, '-o', `${output}.whole.csv`]);
  }
  const args = ['run', keras, '-i', input, '-o', output, '-f', '-b', '256'];
  const child = spawn(process.execPath, [cli, ...args], { stdio: 'inherit' });
  const until = performance.now() + 100 + Math.random() * 1200;
  while (child.exitCode === null && performance.now() < until) await sleep(2);
  child.kill('SIGKILL');
  if (child.exitCode === null) await new Promise((resolve) => child.once('close', resolve));
  const now = readFileSync(output);
  const isWhole = digest(now) === digest(readFileSync(`${output}.whole.csv`));
  if (!isWhole && String(now) !== 'old\n') throw new Error(`the output has ${now.length} bytes`);
  if (isWhole) writeFileSync(output, 'old\n');
  if (temporary(folder).length > 1) throw new Error(`${temporary(folder).length} temporary files`);
}

await main(async () => {
  for (const kind of only ? [only] : [...Object.keys(kinds), 'run']) {
    const folder = mkdtempSync(join(tmpdir(), 'maskflow-kills-'));
    mkdirSync(folder, { recursive: true });
    try {
      for (let number = 0; number < kills; number++) {
        if (kind === 'run') await killRun(folder, number);
        else await killOne(kind, folder, number);
      }
      console.log(`${kind}: ${kills} kills, all files whole`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
});
