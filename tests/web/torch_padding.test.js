// SPDX-License-Identifier: MIT
// PyTorch's padding_idx masks nothing, and programs that `info` prints have PyTorch's numbers.
// tests/fixtures/torch/padding_idx/gen_padding.py records the files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as mf from '../../dist/torch.js';
import { succeed } from '../support/command.js';
import { runProgram } from '../support/torch_programs.js';

const folder = new URL('../fixtures/torch/padding_idx/', import.meta.url);
const pathOf = (name) => decodeURIComponent(new URL(name, folder).pathname);
const recorded = JSON.parse(readFileSync(new URL('results.json', folder)));
const ids = mf.ready().then(() => mf.tensor(recorded.ids, { dtype: 'int32' }));

function assertClose(actual, expected) {
  const [numbers, wanted] = [actual.data(), expected.flat(9)];
  assert.equal(numbers.length, wanted.length);
  wanted.forEach((value, i) => {
    assert.ok(Math.abs(numbers[i] - value) < 2e-6, `${i}: ${numbers[i]}, not ${value}`);
  });
}

for (const name of ['forward.pth', 'forward_whole.pth', 'both.pth', 'both_whole.pth']) {
  const expected = recorded[/^[a-z]+/.exec(name)[0]];

  test(`no step of ${name} is masked unless maskZero says so`, async () => {
    const file = await mf.readTorch(pathOf(name));
    const model = (embedding, rnn) =>
      new mf.Sequential([
        file.layer('emb', embedding),
        file.layer('rnn', rnn),
        file.layer('fc'),
      ]).predict(recorded.ids);
    for (const options of [{}, { paddingIdx: 0 }, { paddingIdx: null }, { maskZero: false }]) {
      assert.equal(file.layer('emb', options).apply(await ids).mask, null);
      assertClose(model(options, {}), expected.all);
      assertClose(model(options, { returnSequences: false }), expected.states);
    }
    for (const options of [{ maskZero: true }, { maskId: 0 }, { maskId: -6 }]) {
      const { mask } = file.layer('emb', options).apply(await ids);
      assert.deepEqual(mask.array()[0], [true, true, true, false, false]);
      assert.throws(() => assertClose(model(options, { returnSequences: false }), expected.states));
    }
    // A row that is not trained may be any.
    assert.equal(file.layer('emb', { paddingIdx: 3, maskZero: true }).getConfig().mask_zero, true);
  });

  test(`the program that info prints for ${name} has PyTorch's numbers`, async () => {
    const { out } = succeed(['info', pathOf(name)]);
    const model = await runProgram(mf, out, pathOf(name));
    const result = model.predict(recorded.ids);
    if (name.startsWith('both')) {
      assert.match(out, /cat\(h\[-2\], h\[-1\]\).*o\[:, -1\]/);
      assertClose(result, expected.all);
      assertClose(mf.ops.take(result, -1, { axis: 1 }), expected.last);
      // The remedies of the guide.
      const file = await mf.readTorch(pathOf(name));
      const last = mf.layers.lambda({ function: (o) => o.getItem([{}, -1]) });
      const [emb, rnn, fc] = ['emb', 'rnn', 'fc'].map((path) => file.layer(path));
      assertClose(new mf.Sequential([emb, rnn, last, fc]).predict(recorded.ids), expected.last);
    } else {
      assert.match(out, /file\.layer\("rnn", \{ returnSequences: false \}\)/);
      assertClose(result, expected.last);
      assertClose(result, expected.states);
    }
    assert.doesNotMatch(out, /paddingIdx: 0|maskZero: true \}\),/);
  });
}

test('the last step of a bidirectional layer is not its final states', () => {
  const { last, states } = recorded.both;
  assert.ok(last.flat().some((value, i) => Math.abs(value - states.flat()[i]) > 1e-3));
});
