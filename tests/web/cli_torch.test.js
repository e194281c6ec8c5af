// SPDX-License-Identifier: MIT
// The commands info and convert with files of PyTorch.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fail, scratch, succeed } from '../support/command.js';

const { path } = scratch();
const model = fileURLToPath(
  new URL('../fixtures/torch/cases/classifier-11-0/model.pth', import.meta.url),
);

test('info shows the modules and a program to start from', () => {
  const { out } = succeed(['info', model]);
  assert.match(out, /model\.pth, 8\.5 kB, PyTorch\n/);
  assert.match(out, /\n {2}rnn {2}GRU {2}inputSize 9, hiddenSize 6, numLayers 3/);
  assert.match(
    out,
    /\n {2}file\.layer\("embedding"\), \/\/ Embedding: add \{ maskZero: true \} if/,
  );
  assert.match(out, /\n {2}file\.layer\("rnn", \{ returnSequences: false \}\), \/\/ GRU: the last/);
  const { modules, names } = JSON.parse(succeed(['info', model, '--json']).out);
  assert.deepEqual(
    modules.map(({ kind }) => kind),
    ['Embedding', 'GRU', 'Linear'],
  );
  assert.equal(names.length, 15);
});

test('convert writes a model of the modules', () => {
  const out = path('out.keras');
  const options = '{"embedding": {"maskZero": true}, "rnn": {"returnSequences": false}}';
  succeed(['convert', model, out, '--modules', 'embedding,rnn,fc', '--options', options]);
  assert.match(succeed(['info', out]).out, /fc \(Dense\)/);
});

test('convert writes the input of --input-shape', () => {
  const out = path('shaped.keras');
  const shaped = ['convert', model, out, '--force', '--modules', 'fc', '--input-shape'];
  succeed([...shaped, 'none,6']);
  assert.match(succeed(['info', out]).out, /\(null, null, 1\)|\(None, None, 1\)/);
  fail([...shaped, 'none,x'], 2, /--input-shape is 'none,x' but must be sizes without the batch/);
});

test('commands for models of Keras name readTorch for a file of PyTorch', () => {
  fail(['draw', model, '-o', path('x.svg')], 1, /open it with readTorch of maskflow\/torch/);
});

test('convert without modules, or with wrong ones, says what to do', () => {
  const out = path('other.keras');
  fail(['convert', model, out], 1, /a file of PyTorch: name its modules in order/);
  fail(['convert', model, out, '--modules', 'embeding'], 1, /did you mean 'embedding'/);
  fail(['convert', model, out, '--modules', 'fc', '--options', '{'], 2, /--options is not JSON/);
  const options = '{"rnn": {}}';
  fail(
    ['convert', model, out, '--modules', 'fc', '--options', options],
    2,
    /'rnn', which is not one/,
  );
});
