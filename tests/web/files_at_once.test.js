// SPDX-License-Identifier: MIT
// Two processes that write the same files, while a third one reads them: each read is whole.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { modelProgram } from '../support/kills.js';

await mf.ready({ onMaskDropped: 'silent' });

const folder = mkdtempSync(join(tmpdir(), 'maskflow-at-once-'));
after(() => rmSync(folder, { recursive: true }));
const kWrites = 40;

const begin = `${modelProgram} go();`;

/** Runs two processes of a program, and `read` until both end. Returns the number of reads. */
async function beside(name, text, read) {
  const program = join(folder, `${name}.mjs`);
  writeFileSync(program, `${begin}\n${text}`);
  const children = [100, 200].map((first) =>
    spawn(process.execPath, [program, `${first}`], {
      cwd: folder,
      env: { ...process.env, MASKFLOW_CACHE: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  );
  let running = children.length;
  const ends = children.map(
    (child) =>
      new Promise((resolve) =>
        child.once('close', (code) => {
          running -= 1;
          resolve(code);
        }),
      ),
  );
  await Promise.all(
    children.map((child) => new Promise((resolve) => child.stdout.once('data', resolve))),
  );
  let reads = 0;
  while (running > 0) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (await read()) reads += 1;
  }
  assert.deepEqual(await Promise.all(ends), [0, 0]);
  assert.deepEqual(
    readdirSync(folder, { recursive: true }).filter((each) => each.endsWith('.part')),
    [],
  );
  return reads;
}

const exists = (path) => readdirSync(folder).includes(path);

function assertWhole(model) {
  const values = new Set(model.getWeights().flatMap((weight) => [...weight.data()]));
  model.dispose();
  assert.equal(values.size, 1);
}

suite('two processes', { timeout: 300_000 }, () => {
  test('save to one path while a third one loads it', async () => {
    const text = `for (let i = 0; i < ${kWrites}; i++) {
      fill(value + i); await model.save('file.keras'); }`;
    const reads = await beside('save', text, async () => {
      if (!exists('file.keras')) return false;
      assertWhole(await mf.loadModel(join(folder, 'file.keras')));
      return true;
    });
    assert.ok(reads > 0);
  });

  test('load one address into one cache while the server changes the file', async (t) => {
    const model = new mf.Sequential([mf.Input({ shape: [64] }), mf.layers.dense({ units: 512 })]);
    let version = 0;
    const files = [];
    for (let value = 1; value <= 5; value++) {
      const weights = model.weights.map(({ shape }) =>
        new Float32Array(shape.reduce((a, b) => a * b, 1)).fill(value),
      );
      model.setWeights(weights);
      files.push(await model.save());
    }
    const server = createServer((_, response) => {
      version += 1;
      response.writeHead(200, { etag: `"${version}"` }).end(files[version % files.length]);
    });
    await new Promise((resolve) => server.listen(0, resolve));
    t.after(() => server.close());
    const address = `http://localhost:${server.address().port}/m.keras`;
    const text = `for (let i = 0; i < ${kWrites}; i++) {
      const loaded = await mf.loadModel('${address}', { cache: true });
      if (new Set(loaded.getWeights().flatMap((weight) => [...weight.data()])).size !== 1)
        process.exit(3);
      loaded.dispose();
    }`;
    await beside('cache', text, () => true);
    for (const name of readdirSync(join(folder, 'models'))) {
      const bytes = readFileSync(join(folder, 'models', name));
      const end = bytes.indexOf(10) + 1;
      assert.equal(bytes.length - end, JSON.parse(bytes.subarray(0, end).toString()).bytes);
    }
  });

  test('append to one log', async () => {
    const text = `model.compile({ optimizer: 'sgd', loss: 'mse' });
      const of = (n) => mf.tensor(new Float32Array(4 * n), { shape: [4, n] });
      const log = mf.callbacks.csvLogger('log.csv', { append: true });
      await model.fit(of(64), of(512), { epochs: ${kWrites}, callbacks: [log], verbose: 0 });`;
    await beside('log', text, () => {
      const lines = exists('log.csv') ? readFileSync(join(folder, 'log.csv'), 'utf8') : '';
      assert.ok(lines === '' || lines.endsWith('\r\n'));
      return lines !== '';
    });
    const lines = readFileSync(join(folder, 'log.csv'), 'utf8').trimEnd().split('\r\n');
    const epochs = lines.filter((line) => !line.startsWith('epoch,'));
    assert.equal(epochs.length, 2 * kWrites);
    for (const line of lines) assert.match(line, /^(epoch,loss,val_loss|\d+,[\d.e-]+,NA)$/);
  });
});
