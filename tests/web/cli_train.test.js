// SPDX-License-Identifier: MIT
// maskflow train trains as fit() does, and writes no file after an error.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import * as mf from '../../dist/train.js';
import { fail, scratch, succeed } from '../support/command.js';
import { internals } from '../support/internals.js';

const { writeNpy } = await internals('formats/numpy/npy.ts');
await mf.ready({ seed: 1 });
const { path, write } = scratch();

const ids = (rows) =>
  Array.from({ length: rows }, (_, i) =>
    Array.from({ length: 5 }, (_, t) => (t < 2 + (i % 4) ? 1 + ((i * 7 + t * 3) % 6) : 0)),
  );
const rows = ids(20);
const targets = rows.map((row) => [row[0] > 3 ? 1 : 0]);
const x = write('x.npy', writeNpy([20, 5], 'int32', Int32Array.from(rows.flat())));
const y = write('y.npy', writeNpy([20, 1], 'float32', Float32Array.from(targets.flat())));

function makeModel() {
  return new mf.Sequential([
    mf.Input({ shape: [null], dtype: 'int32' }),
    mf.layers.embedding({ inputDim: 7, outputDim: 4, maskZero: true }),
    mf.layers.gru({ units: 4 }),
    mf.layers.dense({ units: 1, activation: 'sigmoid' }),
  ]);
}

async function save(name, compile) {
  const model = makeModel();
  if (compile) {
    model.compile(compile);
    // After training, the saved file contains optimizer state.
    await model.fit(rows, targets, { shuffle: false });
  }
  return write(name, await model.save());
}

const adam = { class_name: 'Adam', config: { learning_rate: 0.05 } };
const settings = { optimizer: adam, loss: 'binary_crossentropy', metrics: ['accuracy'] };
const compiled = await save('compiled.keras', settings);
const bare = await save('bare.keras');
const trains = (model, ...more) => ['train', model, '--x', x, '--y', y, ...more];
const historyOf = (...args) => JSON.parse(succeed(trains(...args, '--json')).out);
const weights = (model) => mf.tidy(() => model.getWeights().map((w) => [...w.data()]));

suite('maskflow train', () => {
  test("goes on as fit() does, with the file's loss, optimizer and optimizer state", async () => {
    const out = path('trained.keras');
    const settings = [
      '--epochs',
      '3',
      '--batch-size',
      '6',
      '--seed',
      '4',
      '--validation-split',
      '0.25',
    ];
    const history = historyOf(compiled, ...settings, '--out', out);
    const model = await mf.loadModel(compiled);
    const result = await model.fit(rows, targets, {
      epochs: 3,
      batchSize: 6,
      seed: 4,
      validationSplit: 0.25,
    });
    assert.deepEqual(history, result.history);
    const reloaded = await mf.loadModel(out);
    assert.deepEqual(weights(reloaded), weights(model));
    assert.equal(reloaded.optimizer.iterations, 1 + 3 * 3);
    assert.equal(reloaded.optimizer.className, 'Adam');
  });

  test('prints a line for each epoch, and the name of the written file', () => {
    const { out, err } = succeed(trains(compiled, '--epochs', '2', '-o', path('shown.keras')));
    const lines = out.trimEnd().split('\n');
    assert.match(lines[0], /^epoch {2}accuracy {2}loss$/);
    assert.deepEqual(
      lines.slice(2, 4).map((line) => /^(\d) {6}0\.\d{4} {4}0\.\d{4}$/.exec(line)?.[1]),
      ['1', '2'],
    );
    assert.match(lines[4], /shown\.keras, [\d.]+ kB$/);
    assert.deepEqual([lines.length, err], [5, '']);
  });

  test('options replace what the file was compiled with; other settings stay', async () => {
    const history = historyOf(compiled, '--loss', 'mse', '--seed', '2');
    const model = await mf.loadModel(compiled);
    model.compile({ ...settings, loss: 'mse' });
    assert.deepEqual(history, (await model.fit(rows, targets, { seed: 2 })).history);
    const faster = historyOf(
      compiled,
      '--learning-rate',
      '0.5',
      '--seed',
      '2',
      '--out',
      path('faster.keras'),
    );
    assert.deepEqual(Object.keys(faster), ['accuracy', 'loss']);
    const { learning_rate: rate } = (
      await mf.loadModel(path('faster.keras'))
    ).optimizer.getConfig();
    assert.equal(Math.fround(rate), 0.5);
  });

  test('trains a model that was never compiled, if given a loss', () => {
    const options = [
      '--loss',
      'binary_crossentropy',
      '--optimizer',
      'adam',
      '--metrics',
      'accuracy,AUC',
      '--seed',
      '1',
    ];
    const { loss, ...metrics } = historyOf(bare, ...options, '--epochs', '2');
    assert.equal(loss.length, 2);
    assert.ok(loss[1] < loss[0]);
    assert.deepEqual(
      Object.keys(metrics)
        .map((name) => name.toLowerCase())
        .sort(),
      ['accuracy', 'auc'],
    );
    fail(trains(bare), 2, /saved without a loss; choose one with --loss/);
  });

  test('reads CSV, pads x, and reads standard input', () => {
    const ragged = rows.map((row) => row.filter((id) => id !== 0).join(',')).join('\n');
    const text = targets.join('\n');
    const files = [
      '--x',
      '-',
      '--y',
      write('y.csv', text),
      '--padding',
      'post',
      '--seed',
      '3',
      '--json',
    ];
    const { out } = succeed(['train', compiled, ...files], { input: ragged });
    assert.deepEqual(JSON.parse(out), historyOf(compiled, '--seed', '3'));
  });

  test('writes nothing but JSON to standard output', () => {
    const { out, err } = succeed(trains(compiled, '--json', '--out', path('json.keras')));
    assert.deepEqual(Object.keys(JSON.parse(out)), ['accuracy', 'loss']);
    assert.match(err, /json\.keras/);
  });

  test('refuses before it trains, and writes nothing if it fails', () => {
    const out = path('never.keras');
    const refuses = (code, message, ...more) => {
      const all = trains(compiled, '--out', out, ...more);
      // An argument of the case replaces the usual target.
      const args = more.includes('--y') ? all.toSpliced(all.indexOf('--y'), 2) : all;
      fail(args, code, message);
      assert.ok(!existsSync(out), String(message));
    };
    refuses(2, /there is no loss 'msee'/, '--loss', 'msee');
    refuses(2, /there is no optimizer 'adamm'/, '--optimizer', 'adamm');
    refuses(2, /there is no metric 'acuracy'/, '--metrics', 'acuracy');
    refuses(2, /--epochs is '0' but must be an integer, 1 or more/, '--epochs', '0');
    refuses(2, /--validation-split is 1 but must be less than 1/, '--validation-split', '1');
    refuses(2, /--seed is 'x' but must be an integer/, '--seed', 'x');
    refuses(1, /leaves 0 to train on/, '--validation-split', '0.99');
    refuses(1, /y_true has shape .* but y_pred/, '--y', x);
    refuses(1, /the loss is NaN/, '--learning-rate', '1e30', '--epochs', '20');
    refuses(1, /no such file/, '--y', path('absent.npy'));
    fail(['train', compiled, '--x', x], 2, /train.*--y/);
    fail(['train', '-', '--x', '-', '--y', y], 2, /cannot both come from standard input/);
    fail(['train', compiled, '--x', '-', '--y', '-'], 2, /cannot both come from standard input/);
    fail(trains(compiled, '--out', path('model.onnx')), 2, /must end in \.keras/);
    const before = readFileSync(compiled);
    fail(trains(compiled, '--out', compiled), 1, /already exists; use --force to replace it/);
    assert.deepEqual(readFileSync(compiled), before);
  });

  test('accepts several outputs by name', async () => {
    const input = mf.Input({ shape: [2], name: 'in' });
    const output = (name) => mf.layers.dense({ units: 1, name }).apply(input);
    const model = new mf.Model({ inputs: input, outputs: { a: output('a'), b: output('b') } });
    const file = write('two.keras', await model.save());
    const targets = { a: [[1], [2]], b: [[3], [4]] };
    const data = [
      '--x',
      write('two.json', '[[1, 2], [3, 4]]'),
      '--y',
      write('both.json', JSON.stringify(targets)),
    ];
    const { out } = succeed(['train', file, ...data, '--loss', 'mse', '--json']);
    assert.deepEqual(Object.keys(JSON.parse(out)).sort(), ['a_loss', 'b_loss', 'loss']);
  });
});
