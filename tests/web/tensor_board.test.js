// SPDX-License-Identifier: MIT
// The callback TensorBoard: its files follow TensorFlow's record format and event.proto, which this
// test reads with code of its own.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { compiledModel, line } from '../support/train.js';
import { crc32c, readEvents } from '../support/events.js';

const folder = mkdtempSync(join(tmpdir(), 'maskflow-events-'));
before(() => mf.ready());
after(() => rmSync(folder, { recursive: true }));

const data = line(8);
const f32 = Math.fround;

/** Scalars by tag: a list of [step, value]. */
function scalarsIn(bytes) {
  const [version, ...events] = readEvents(bytes);
  assert.equal(version.fileVersion, 'brain.Event:2');
  const all = {};
  for (const { step, tag, value, wallTime } of events) {
    assert.ok(Math.abs(Date.now() / 1000 - wallTime) < 60);
    all[tag] ??= [];
    all[tag].push([step, value]);
  }
  return all;
}

test('the reader of this test has the checksums of RFC 3720, B.4', () => {
  assert.equal(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assert.equal(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e);
});

test('writes epochs of training and validation to folders, as Keras does', async () => {
  const model = compiledModel({ learningRate: 0.25 });
  const { history } = await model.fit(data.x, data.y, {
    epochs: 3,
    validationData: [data.x, data.y],
    callbacks: [mf.callbacks.tensorBoard(folder)],
  });
  const read = (part) => {
    const names = readdirSync(join(folder, part));
    assert.equal(names.length, 1);
    assert.match(names[0], /^events\.out\.tfevents\.\d{10}\./);
    return scalarsIn(readFileSync(join(folder, part, names[0])));
  };
  const steps = (values) => values.map((value, i) => [i, f32(value)]);
  assert.deepEqual(read('train'), {
    epoch_loss: steps(history.loss),
    epoch_learning_rate: steps([0.25, 0.25, 0.25]),
  });
  assert.deepEqual(read('validation'), {
    evaluation_loss_vs_iterations: history.val_loss.map((value, i) => [i + 1, f32(value)]),
    epoch_loss: steps(history.val_loss),
  });
});

test('writes batches to a function; a second fit begins new files', async () => {
  const files = new Map();
  const callback = mf.callbacks.tensorBoard(
    async (path, bytes) => {
      await null;
      files.set(path, Buffer.concat([files.get(path) ?? Buffer.alloc(0), bytes]));
    },
    { updateFreq: 2 },
  );
  const model = compiledModel();
  await model.fit(data.x, data.y, { batchSize: 2, epochs: 1, callbacks: [callback] });
  await model.fit(data.x, data.y, { batchSize: 2, epochs: 1, callbacks: [callback] });
  const all = [...files.values()].map(scalarsIn);
  assert.deepEqual(
    all.map(({ batch_loss: batches }) => batches.map(([step]) => step)),
    [
      [0, 2],
      [4, 6],
    ],
  );
});

test('names of any length and steps of any size are written', async () => {
  const files = new Map();
  const callback = mf.callbacks.tensorBoard((path, bytes) => {
    files.set(path, Buffer.concat([files.get(path) ?? Buffer.alloc(0), bytes]));
  });
  callback.setModel({ optimizer: { learningRate: Number.NaN, iterations: 2 ** 40 } });
  callback.onTrainBegin();
  const name = 'ä'.repeat(300);
  await callback.onEpochEnd(2 ** 33, { loss: 1e-45, [name]: [1, 2], val_loss: -0 });
  await callback.onTestEnd({ loss: Number.POSITIVE_INFINITY });
  const all = Object.assign({}, ...[...files.values()].map(scalarsIn));
  assert.deepEqual(all[`epoch_${name}/1`], [[2 ** 33, 2]]);
  assert.deepEqual(all.epoch_learning_rate, [[2 ** 33, Number.NaN]]);
  assert.deepEqual(all.evaluation_loss_vs_iterations, [[2 ** 40, Number.POSITIVE_INFINITY]]);
});

test('refuses wrong arguments and folders', async () => {
  const { tensorBoard } = mf.callbacks;
  for (const to of [undefined, 7, '', null]) {
    assert.throws(() => tensorBoard(to), { name: 'ConfigError' });
  }
  assert.throws(() => tensorBoard('x', { updateFreq: 0 }), /updateFreq/);
  assert.throws(() => tensorBoard('x', { update_freq: 1 }), /did you mean 'updateFreq'/);
  const [file] = readdirSync(join(folder, 'train'));
  const inFile = tensorBoard(join(folder, 'train', file));
  await assert.rejects(compiledModel().fit(data.x, data.y, { callbacks: [inFile] }), {
    name: 'StateError',
    message: /give another folder/,
  });
});
