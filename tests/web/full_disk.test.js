// SPDX-License-Identifier: MIT
// Writing on a full disk: a typed error, the old file as it was, and nothing left beside it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { fixtures, program } from '../support/command.js';

await mf.ready({ onMaskDropped: 'silent' });

const mount = (folder) => spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
const unmount = (folder) => spawnSync('umount', [folder]);

/** Why no small disk can be mounted here; false if it can. */
function reason() {
  if (process.platform !== 'linux') return 'only Linux mounts a tmpfs';
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-mount-'));
  const { status } = mount(folder);
  if (status === 0) unmount(folder);
  rmSync(folder, { recursive: true });
  return status !== 0 && 'mounting a tmpfs needs an administrator';
}

let disk;

/** Fills the disk up to the last block. */
function fill() {
  for (let size = 2 ** 20; size >= 4096; ) {
    try {
      writeFileSync(join(disk, 'filling'), new Uint8Array(size), { flag: 'a' });
    } catch {
      size /= 2;
    }
  }
}

/** Bytes of all files on the disk by path, without the filling. */
function content() {
  const names = readdirSync(disk, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile() && each.name !== 'filling');
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path, readFileSync(path).toString('base64')];
    }),
  );
}

const made = (units) => new mf.Sequential([mf.Input({ shape: [50] }), mf.layers.dense({ units })]);
const train = (model, callback, epochs = 1) => {
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  const { units } = model.layers.at(-1).getConfig();
  const options = { epochs, callbacks: [callback], verbose: 0 };
  return model.fit(mf.ops.ones([2, 50]), mf.ops.ones([2, units]), options);
};

/** Writes with a small and with a large model. */
const writers = {
  save: (model) => model.save(join(disk, 'm.keras')),
  saveWeights: (model) => model.saveWeights(join(disk, 'm.weights.h5')),
  saveTfjs: (model) => model.saveTfjs(join(disk, 'model.json')),
  modelCheckpoint: (model) => train(model, mf.callbacks.modelCheckpoint(join(disk, 'm.keras'))),
  backupAndRestore: (model) =>
    train(model, mf.callbacks.backupAndRestore(disk, { deleteCheckpoint: false })),
};

suite('on a full disk', { skip: reason() }, () => {
  beforeEach(() => {
    disk = mkdtempSync(join(tmpdir(), 'maskflow-disk-'));
    assert.equal(mount(disk).status, 0);
  });
  afterEach(() => {
    unmount(disk);
    rmSync(disk, { recursive: true });
  });

  for (const [name, write] of Object.entries(writers)) {
    test(name, async () => {
      const [small, large] = [made(2), made(2000)];
      if (name !== 'backupAndRestore') await write(small);
      fill();
      const before = content();
      await assert.rejects(write(large), (error) => {
        assert.ok(error instanceof mf.MaskflowError, String(error));
        assert.match(error.message, /ENOSPC|no space left/i);
        return true;
      });
      assert.deepEqual(content(), before);
    });
  }

  test('csvLogger keeps whole lines', async () => {
    const path = join(disk, 'log.csv');
    await train(made(2), mf.callbacks.csvLogger(path), 3);
    const before = readFileSync(path, 'utf8');
    fill();
    const log = mf.callbacks.csvLogger(path, { append: true });
    await assert.rejects(train(made(2), log, 2000), {
      name: 'StateError',
      message: /csvLogger cannot write.*ENOSPC/,
    });
    const after = readFileSync(path, 'utf8');
    assert.ok(after.startsWith(before) && after.endsWith('\r\n'));
    // A new log replaces the old one only when it has its first line.
    fill();
    await assert.rejects(train(made(2), mf.callbacks.csvLogger(path)), { name: 'StateError' });
    assert.equal(readFileSync(path, 'utf8'), after);
  });

  test('tensorBoard keeps whole records', async () => {
    const board = mf.callbacks.tensorBoard(disk, { updateFreq: 'batch' });
    await train(made(2), board);
    fill();
    await assert.rejects(train(made(2), mf.callbacks.tensorBoard(disk), 2), {
      name: 'StateError',
      message: /tensorBoard cannot write.*ENOSPC/,
    });
    await assert.rejects(train(made(2), board, 2), { name: 'StateError' });
    for (const bytes of Object.values(content()).map((text) => Buffer.from(text, 'base64'))) {
      let position = 0;
      while (position < bytes.length) position += 16 + bytes.readUInt32LE(position);
      assert.equal(position, bytes.length);
    }
  });

  test('maskflow run', () => {
    const keras = fixtures('seq_embed_lstm.keras');
    const input = join(tmpdir(), `maskflow-full-${process.pid}.csv`);
    writeFileSync(input, '1,2,3,4,5,6\n'.repeat(3000));
    try {
      const outputs = ['csv', 'npy', 'arrow'].map((format) => join(disk, `out.${format}`));
      for (const output of outputs) writeFileSync(output, 'old');
      fill();
      for (const output of outputs) {
        const before = content();
        const args = [program, 'run', keras, '-i', input, '-o', output, '-f'];
        const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
        assert.equal(status, 1, stderr);
        assert.match(stderr, /^maskflow: .*(ENOSPC|no space|disk is full)[^\n]*\n$/i);
        assert.deepEqual(content(), before);
      }
    } finally {
      rmSync(input);
    }
  });

  test('the cache: the model is loaded, and the old file stays', async (t) => {
    let [bytes, version] = [await made(2).save(), 1];
    const server = createServer((_, response) =>
      response.writeHead(200, { etag: `"${version}"` }).end(bytes),
    );
    await new Promise((resolve) => server.listen(0, resolve));
    t.after(() => server.close());
    const warn = t.mock.method(console, 'warn', () => {});
    const { MASKFLOW_CACHE } = process.env;
    process.env.MASKFLOW_CACHE = disk;
    t.after(() => {
      if (MASKFLOW_CACHE === undefined) delete process.env.MASKFLOW_CACHE;
      else process.env.MASKFLOW_CACHE = MASKFLOW_CACHE;
    });
    const load = () =>
      mf.loadModel(`http://localhost:${server.address().port}/m.keras`, { cache: true });
    (await load()).dispose();
    fill();
    const before = content();
    assert.equal(Object.keys(before).length, 1);
    [bytes, version] = [await made(2000).save(), 2];
    const model = await load();
    assert.deepEqual(model.predict(mf.ops.ones([1, 50])).shape, [1, 2000]);
    assert.equal(warn.mock.callCount(), 1);
    assert.deepEqual(content(), before);
    assert.ok(existsSync(Object.keys(before)[0]));
  });
});
