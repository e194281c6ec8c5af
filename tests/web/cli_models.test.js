// SPDX-License-Identifier: MIT
// The commands trace, check, profile, convert and quantize.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as mf from '../../dist/index.js';
import { fail, fixtures, maskflow, scratch, succeed } from '../support/command.js';
import { textsOf, tilesOf } from '../support/svg.js';

await mf.ready({ onMaskDropped: 'silent' });
const { path, write } = scratch();
const lstm = fixtures('seq_embed_lstm.keras');
const model = await mf.loadModel(lstm);
const recordedCase = fixtures('seq_embed_lstm.io.json');
const rows = write('rows.csv', '1,2,3,0,0,0\n4,5,0,0,0,0\n');
const agrees = (model, recording = recordedCase) =>
  assert.match(succeed(['verify', model, recording]).out, /\nagrees\n$/);

test('maskflow draw writes the figure of a model, and trace --svg that of its masks', () => {
  const { out } = succeed(['draw', lstm]);
  assert.deepEqual(tilesOf(out, 'kept'), []);
  const file = path('model.svg');
  const options = ['-o', file, '--theme', 'dark', '--title', '<T>'];
  assert.equal(succeed(['draw', lstm, rows, ...options]).out, '');
  const svg = readFileSync(file, 'utf8');
  assert.equal(textsOf(svg)[0], '<T>');
  // The colours of the default theme tell kept tiles from others.
  assert.ok(tilesOf(succeed(['draw', lstm, rows]).out, 'kept').length > 0);
  for (const args of [
    ['draw', lstm, '-o', file],
    ['trace', lstm, rows, '--svg', file],
  ]) {
    fail(args, 1, /model\.svg already exists; use --force to replace it/);
  }
  succeed(['trace', lstm, rows, '--svg', file, '--force']);
  assert.ok(textsOf(readFileSync(file, 'utf8')).includes('makes the mask'));
  fail(['trace', lstm, rows, '--svg', file, '--json'], 2, /--svg draws a picture/);
  fail(['draw', lstm, '--theme', 'blue'], 2, /--theme is 'blue' but must be auto/);
  fail(['draw', lstm, '-o', path('no/model.svg')], 1, /does not exist/);
});

suite('maskflow check', () => {
  test('says that padding does not change the answer of a masked model', () => {
    assert.equal(succeed(['check', lstm]).out, 'Padding does not change the answer.\n');
    const { same, difference } = JSON.parse(succeed(['check', lstm, '--json']).out);
    assert.deepEqual([same, difference], [true, 0]);
    succeed(['check', lstm, '--input', rows, '--steps', '2']);
  });

  test('fails where padding changes the answer, and says what to do', () => {
    const { out, err, code } = maskflow(['check', fixtures('plain_ops_lose_mask.keras')]);
    assert.deepEqual([err, code], ['', 1]);
    assert.match(
      out,
      /^Padding CHANGES the answer, by [\d.e+-]+ at most\.\nFirst at: .+\nWhat to do: /,
    );
  });

  test('refuses options of padding without data', () => {
    fail(['check', lstm, '--pad'], 2, /are for --input/);
    fail(['check'], 2, /MODEL is missing/);
    fail(['check', '-', '--input', '-'], 2, /cannot both/);
  });
});

suite('maskflow trace', () => {
  test('shows what each layer does with the mask, and why', () => {
    const { out } = succeed(['trace', lstm, rows]);
    assert.match(out, /^Masks in ".+"\n\nembedding \(Embedding\): makes\n {2}in: none\n/);
    assert.match(out, /\n {2}out: 5 of 12 kept \(■■■··· ■■····\)\n {2}Embedding 'embedding' makes/);
    assert.match(out, /\nlstm \(LSTM\): uses\n {2}in: 5 of 12 kept/);
    assert.match(out, /\ndense \(Dense\): no mask\n/);
    assert.match(out, /3 layers and operations\. No mask is lost\.\n$/);
  });

  test('shows where a mask is lost, the remedy, and layers inside others', () => {
    const lost = fixtures('plain_ops_lose_mask.keras');
    const recording = fixtures('plain_ops_lose_mask.io.json');
    const { out } = succeed(['trace', lost, recording]);
    assert.match(out, /\n {2}What to do: .+\n/);
    assert.match(out, /Masks are lost or ignored at \d+ of them\.\n$/);
    const inside = [
      'trace',
      fixtures('nested_functional.keras'),
      fixtures('nested_functional.io.json'),
    ];
    assert.match(succeed(inside).out, /\n {2}\w+ \(\w+\): /);
  });

  test('prints entries as JSON, with mask operations on request', () => {
    const entries = JSON.parse(succeed(['trace', lstm, rows, '--json']).out);
    assert.deepEqual(
      entries.map(({ layer, role }) => [layer, role]),
      [
        ['embedding', 'makes'],
        ['lstm', 'uses'],
        ['dense', 'none'],
      ],
    );
    assert.deepEqual(entries[0].maskOut[1], [true, true, false, false, false, false]);
    const model = fixtures('plain_ops_mix.keras');
    const count = (...more) =>
      JSON.parse(
        succeed(['trace', model, fixtures('plain_ops_mix.io.json'), '--json', ...more]).out,
      ).length;
    assert.ok(count('--mask-operations') >= count());
  });

  test('pads ragged rows, and refuses what run refuses', () => {
    const ragged = write('ragged.csv', '1,2,3\n4,5\n');
    assert.match(succeed(['trace', lstm, ragged, '--pad']).out, /\(···■■■ ····■■\)/);
    fail(['trace', lstm, ragged], 1, /row 2 of 'ragged\.csv' has 2 columns/);
    fail(['trace', lstm], 2, /DATA is missing/);
    fail(['trace', '-', '-'], 2, /cannot both/);
    const input = readFileSync(lstm);
    assert.match(succeed(['trace', '-', rows], { input }).out, /lstm \(LSTM\): uses/);
  });
});

suite('maskflow profile', () => {
  test('prints a table of the layers, for generated or given inputs', () => {
    for (const more of [[], ['--input', rows], ['--rows', '4', '--repeats', '2']]) {
      const lines = succeed(['profile', lstm, ...more]).out.split('\n');
      assert.match(lines[0], /^Layer \(type\) +ms +% +MFLOP +GFLOP\/s +kept$/);
      assert.match(lines[3], /^lstm \(LSTM\) /);
      assert.match(lines[5], /100\.0/);
    }
    assert.match(succeed(['profile', lstm, '-i', rows]).out, /lstm \(LSTM\) .* 42 %\n/);
  });

  test('prints rows as JSON; more rows and steps need more computation', () => {
    const model = fixtures('seq_variable_length.keras');
    const flops = (...more) =>
      JSON.parse(succeed(['profile', model, '--json', '--repeats', '1', ...more]).out).total.flops;
    const short = flops('--steps', '10');
    assert.ok(short > 0);
    assert.ok(flops('--steps', '20') > 1.8 * short);
    assert.ok(flops('--steps', '10', '--rows', '2') > 1.9 * short);
  });

  test('generates numbers for each input, by name if inputs have names', () => {
    for (const name of ['multi_input', 'multi_input_dict', 'mask_input', 'shared_siamese']) {
      succeed(['profile', fixtures(`${name}.keras`), '--repeats', '1']);
    }
  });

  test('refuses impossible options', () => {
    fail(['profile', lstm, '--repeats', '0'], 2, /--repeats is '0' but must be an integer, 1 or/);
    fail(['profile', lstm, '--repeats', '1000000'], 1, /at most 100000/);
    fail(
      ['profile', lstm, '--rows', '1000000000'],
      2,
      /6000000000 generated numbers, more than 100000000/,
    );
    fail(['profile', lstm, '--rows', '-1'], 2, /--rows needs a value/);
    fail(['profile', lstm, '-i', rows, '--rows', '2'], 2, /--rows is for generated numbers/);
    fail(['profile', lstm, '-i', rows, '--steps', '2'], 2, /--steps is for generated numbers/);
  });
});

suite('maskflow convert', () => {
  test('writes .keras, weights and TensorFlow.js models that compute the same results', () => {
    const tfjs = path('tfjs');
    const { out } = succeed(['convert', lstm, tfjs]);
    assert.match(out, /^.*model\.json, \d.*\n.*group1-shard1of1-[0-9a-f]{16}\.bin, \d[^\n]*\n$/);
    agrees(tfjs);
    agrees(`${tfjs}/model.json`);
    const copy = path('back.keras');
    assert.match(succeed(['convert', tfjs, copy]).out, /back\.keras, \d+\.\d kB\n$/);
    agrees(copy);
    const weights = path('own.weights.h5');
    succeed(['convert', copy, weights]);
    assert.match(succeed(['info', weights]).out, /weights only: 6 arrays/);
    succeed(['convert', tfjs, `${path('named')}/`]);
    agrees(path('named'));
  });

  test('reads .h5, standard input, and an architecture with its weights', () => {
    const from = path('mlp.keras');
    succeed(['convert', fixtures('mlp.h5'), from]);
    agrees(from, fixtures('mlp.io.json'));
    const copy = path('piped.keras');
    succeed(['convert', '-', copy], { input: readFileSync(lstm) });
    agrees(copy);
    const json = write('architecture.json', JSON.stringify(mf.serializeLayer(model)));
    const complete = path('whole.keras');
    fail(['convert', json, complete], 1, /an architecture without weights/);
    succeed(['convert', json, complete, '--weights', fixtures('seq_embed_lstm.weights.h5')]);
    agrees(complete);
    fail(['convert', json, path('w.keras'), '--weights', path('no.h5')], 1, /no\.h5: no such/);
  });

  test('replaces a file only with --force', () => {
    const existing = write('there.keras', 'mine');
    fail(['convert', lstm, existing], 1, /there\.keras already exists; use --force to replace it/);
    assert.equal(readFileSync(existing, 'utf8'), 'mine');
    succeed(['convert', lstm, existing, '--force']);
    agrees(existing);
    mkdirSync(path('half'));
    const main = write('half/model.json', 'mine');
    const shard = write('half/group1-shard1of1.bin', 'mine');
    fail(['convert', lstm, path('half')], 1, /model\.json already exists/);
    assert.equal(readFileSync(main, 'utf8'), 'mine');
    succeed(['convert', lstm, path('half'), '-f']);
    assert.equal(readFileSync(shard, 'utf8'), 'mine');
    agrees(path('half'));
  });

  test('refuses impossible output names before it reads the model', () => {
    const refuses = (to, code, message) => fail(['convert', 'nothing.keras', to], code, message);
    for (const name of ['x.h5', 'x.onnx', 'x.weights', '-']) {
      refuses(name, 2, /cannot be written as '.*': the name must end in \.keras or \.weights\.h5/);
    }
    refuses(path('none/x.keras'), 1, /the folder '.*none' does not exist/);
    refuses(path('none/tfjs'), 1, /the folder '.*none' does not exist/);
    refuses(path('none/model.json'), 1, /the folder '.*none' does not exist/);
    mkdirSync(path('folder.keras'));
    refuses(path('folder.keras'), 1, /folder\.keras is a folder, not a file/);
    refuses(write('plain', ''), 1, /plain is a file, not a folder/);
    refuses(path('fine.keras'), 1, /nothing\.keras: no such file/);
    fail(['convert', lstm], 2, /OUT is missing/);
  });

  test('says why a model cannot be converted', () => {
    const weights = fixtures('seq_embed_lstm.weights.h5');
    fail(['convert', weights, path('w.keras')], 1, /has weights only, no architecture/);
    fail(['convert', fixtures('gqa_encoder.keras'), path('gqa')], 1, /TensorFlow\.js/);
    assert.ok(!existsSync(path('gqa')), 'leaves no empty folder');
  });
});

suite('maskflow quantize', () => {
  test('reports sizes and errors, and writes a model with the rounded weights', async () => {
    const to = path('small.keras');
    const { out } = succeed(['quantize', lstm, to, '--input', rows]);
    assert.match(
      out,
      /\/lstm\/lstm_cell\/recurrent_kernel +\(5, 20\) +400 bytes +216 bytes +0\.00\d+\n/,
    );
    assert.match(
      out,
      /\n2 other arrays stay float32\. In memory: \d+ bytes instead of 1\.1 kB\.\n/,
    );
    assert.match(
      out,
      /\noutput 0: largest error 0\.0\d+, root mean square of it .*100\.0 % of rows\n/,
    );
    assert.match(out, /small\.keras, .*\nIts weights are float32 numbers that fit 8 bits: /);
    const small = await mf.loadModel(to);
    const second = await small.quantize();
    for (const { path: name, maxError } of second.weights) {
      assert.ok(maxError < 1e-6, `${name} is rounded again by ${maxError}`);
    }
    assert.notDeepEqual(small.getWeights()[0].array(), model.getWeights()[0].array());
  });

  test('writes no file without a name; prints JSON', () => {
    const report = JSON.parse(succeed(['quantize', lstm, '--json']).out);
    assert.equal(report.mode, 'int8');
    assert.equal(report.weights.length, 4);
    assert.deepEqual(report.outputs, []);
    const result = succeed(['quantize', lstm, path('json.keras'), '--json']);
    assert.equal(JSON.parse(result.out).weights.length, 4);
    assert.match(result.err, /json\.keras, /);
    assert.ok(existsSync(path('json.keras')));
  });

  test('rounds inputs of products, too, if asked', () => {
    const error = (...more) =>
      JSON.parse(succeed(['quantize', lstm, '--json', '-i', rows, ...more]).out).outputs[0]
        .maxError;
    assert.notEqual(error('--activations', 'int8'), error());
    fail(
      ['quantize', lstm, '--activations', 'int4'],
      2,
      /--activations is 'int4' \(did you mean 'int8'\?\) but must be float32 or int8/,
    );
  });

  test('refuses impossible output names and existing files', () => {
    fail(['quantize', lstm, path('x.weights.h5')], 2, /quantize writes \.keras files, not '/);
    fail(['quantize', lstm, path('x')], 2, /quantize writes \.keras files/);
    const existing = write('old.keras', 'mine');
    fail(['quantize', lstm, existing], 1, /old\.keras already exists; use --force to replace it/);
    succeed(['quantize', lstm, existing, '--force']);
    agreesRoughly(existing);
    const tfjs = fileURLToPath(new URL('../fixtures/tfjs/sequential_lstm', import.meta.url));
    succeed(['quantize', tfjs, path('from_tfjs.keras')]);
  });
});

function agreesRoughly(file) {
  const close = ['--absolute', '0.01', '--relative', '0.01'];
  assert.match(succeed(['verify', file, recordedCase, ...close]).out, /\nagrees\n$/);
}
