// SPDX-License-Identifier: MIT
// Chapter 3: every example, and every other model that was recorded, against what Keras gave for the program on view.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { pageModule, programOf, runChapter } from '../../support/page.js';

const { presets, recipes } = await pageModule("export * from './chapters/flow/presets.ts'");
const { compareWith } = await pageModule("export * from './chapters/flow/recorded.ts'");
const { keyOf } = await pageModule("export * from './chapters/flow/state.ts'");
const { readModel, writeModel } = await pageModule("export * from './chapters/flow/notation.ts'");
const { shelf } = await pageModule("export * from './chapters/flow/shelf.ts'");
const recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/page/flow.json', import.meta.url), 'utf8'),
);
const rules = ['keras-3.15', 'keras-3.16'];

const setOf = (key) => {
  const [model, data = 'words', steps = ''] = key.split(' ');
  return { model, data, steps };
};
const run = (key, more = {}) => runChapter('flow', { set: { ...setOf(key), ...more } });
const preset = (id) => {
  const { model, data = 'words', steps } = presets.find((each) => each.id === id);
  return Object.hasOwn(recipes, model) ? model : keyOf(model, data, steps);
};
const letters = (mask) =>
  mask?.map((row) => row.map((keep) => (keep ? 'T' : 'F')).join('')) ?? null;
const roles = ({ chains: [{ stages }] }) =>
  stages.map(({ className, role }) => `${className} ${role}`);

for (const rule of rules) {
  suite(`all recorded models give what Keras ${recorded.versions[rule]} gave`, () => {
    for (const key of Object.keys(recorded.models['keras-3.15'])) {
      test(key, async () => {
        const { data } = await run(key, { rules: rule });
        const compared = compareWith(data, rule, key);
        assert.deepEqual(compared.different, []);
        assert.ok(compared.compared >= 2 && compared.numbers >= 2);
        assert.ok(compared.gap < 2e-6, `differs by ${compared.gap}`);
      });
    }
  });
}

test('every example was recorded, but the one that Keras refuses', () => {
  const missing = presets.filter(({ id }) => !recorded.models['keras-3.15'][preset(id)]);
  assert.deepEqual(
    missing.map(({ id }) => id),
    ['G5 odd'],
  );
  for (const models of Object.values(recorded.models))
    for (const [key, { error }] of Object.entries(models)) assert.equal(error, undefined, key);
});

test('the comparison with Keras can fail', async () => {
  const { data } = await run('e.p.l pairs');
  data.edges[0].mask[0][0] = false;
  data.output.values[0] += 0.5;
  const compared = compareWith(data, 'keras-3.15', 'e.p.l pairs');
  assert.deepEqual(compared.different, ['layer 1']);
  assert.ok(compared.gap > 0.4);
});

test('B1 to B3: lost at the operation; 3 columns of padding change the answer; the remedies mend it', async () => {
  for (const [operation, className] of [
    ['p', 'Add'],
    ['t', 'Multiply'],
    ['z', 'ZerosLike'],
  ]) {
    for (const [code, rnn] of [
      ['l', 'LSTM'],
      ['g', 'GRU'],
      ['r', 'SimpleRNN'],
    ]) {
      const { data, judged } = await run(`e.${operation}.${code} pairs`);
      assert.deepEqual(roles(data), ['Embedding makes', `${className} drops`, `${rnn} none`]);
      assert.deepEqual(letters(data.edges[0].mask), ['TTFF', 'TTTF']);
      assert.equal(data.edges[1].mask, null);
      assert.ok(data.more > 0.001);
      assert.equal(judged.right, 'other');
      assert.notDeepEqual(data.output.values, data.answers.kept);
      assert.deepEqual(data.output.values, data.answers.none);

      const mended = await run(`e.${operation}.w.${code} pairs`);
      assert.equal(mended.data.more, 0);
      assert.equal(mended.judged.right, 'same');
      assert.deepEqual(mended.data.output.values, data.answers.kept);
      assert.match(mended.says, /reaches the `\w+`\. 3 more columns .* by exactly 0\.$/);
    }
  }
  const { data } = await run('e.j.l pairs');
  assert.deepEqual(roles(data), ['Embedding makes', 'Rescaling passes', 'LSTM uses']);
  assert.deepEqual(data.output.values, (await run('e.p.w.l pairs')).data.output.values);
});

test('G5: both halves have their masks; an odd number of steps is told, with what to do', async () => {
  const { data } = await run('k.s tiled');
  const split = data.chains[0].stages[1];
  assert.deepEqual(split.maskOut.map(letters), [
    ['TTT', 'TTT', 'TTT'],
    ['FFF', 'TTF', 'TTT'],
  ]);
  assert.deepEqual(letters((await run('k.s2 tiled')).data.edges[1].mask), ['FFF', 'TTF', 'TTT']);
  assert.deepEqual((await run('s tiled')).data.chains[0].stages[0].maskOut, [null, null]);
  await assert.rejects(
    programOf('flow', setOf('k.s tiled 7')),
    /7 steps do not divide into two equal halves\. Pad to an even number\./,
  );
  assert.deepEqual(letters((await run('k.s2 tiled 8')).data.edges[1].mask), [
    'FFFF',
    'TFFF',
    'TTFF',
  ]);
});

test('G7: the warning stands where the mask is dropped', async () => {
  const { data } = await run('e.a.l guide');
  assert.match(data.chains[0].stages[1].warning, /SilentActivation.*does not support masking/);
  assert.equal(data.chains[0].stages[0].warning, '');
  assert.deepEqual(roles((await run('e.as.l guide')).data), [
    'Embedding makes',
    'MyActivation passes',
    'LSTM uses',
  ]);
});

test('G8: masked steps get exactly 0, the others of a row share 1', async () => {
  const { data } = await run('e.d1.q many');
  const mask = data.output.mask.flat();
  const values = data.output.values;
  assert.deepEqual(data.output.shape, [32, 100, 1]);
  assert.ok(mask.includes(false));
  assert.ok(mask.every((keep, i) => (keep ? values[i] > 0 : values[i] === 0)));
  for (let row = 0; row < 32; row++) {
    const sum = values.slice(row * 100, row * 100 + 100).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(sum - 1) < 1e-5);
  }
});

test('A: a step is masked only where all its features equal the value; NaN equals nothing', async () => {
  const { data } = await run('A');
  const found = Object.fromEntries(data.results.map(({ title, mask }) => [title, letters(mask)]));
  assert.deepEqual(found, {
    'mask_value 0': ['TTT', 'TTT'],
    'mask_value 0, a step of zeros': ['TFT'],
    'mask_value -1': ['FTT'],
    'mask_value 0.5': ['FTT'],
    'mask_value NaN': ['TTT'],
    'mask_value 0, whole numbers': ['FTT'],
    'computeMask alone': null,
  });
  assert.deepEqual(data.results.at(-1).values, [1, 0, 1]);
  assert.deepEqual(data.results[2].values, [0, 0, -1, 0, 0, 0]);
});

test('C: shapes do not depend on lengths; the explicit mask wins; a model of one’s own agrees', async () => {
  const c1 = await run('C1');
  const c3 = await run('C3');
  const [attached, explicit] = c1.data.results;
  assert.deepEqual(attached.shape, [4, 10, 10]);
  assert.deepEqual(letters(explicit.mask)[1], 'TTTTTTFFFF');
  assert.deepEqual(
    c3.data.results.map(({ values }) => values),
    [attached.values, explicit.values],
  );
  assert.match(c1.says, /`explicit mask` differs from `attached mask` by 0\.\d+/);
  const later = await run('k.h.ls readings', { rules: 'keras-3.16' });
  assert.match(later.says, /lost at `TimeDistributed\(Dense\)`/);
});

test('a model is a short text, and any text is a model', () => {
  for (const { model } of presets.filter(({ model }) => !Object.hasOwn(recipes, model)))
    assert.equal(writeModel(readModel(model)), model);
  for (const text of [
    '',
    '.',
    '…',
    'e..l',
    ' e.l ',
    'E.L',
    '%00',
    'e.constructor',
    '__proto__',
    'e'.repeat(5000),
    'ls0z9.é',
  ])
    assert.ok(readModel(text).length <= 10, text);
  assert.equal(writeModel(readModel('e?.l!s')), 'e.ls');
  assert.equal(writeModel(readModel('?.Q.e.#.l')), 'e.l');
  assert.equal(readModel(Array(50).fill('d').join('.')).length, 10);
});

test('what cannot be built is told in a sentence', async () => {
  const refused = [
    ['', /The model is empty\. Take a layer from the shelf/],
    ['l guide', /LSTM takes numbers for each step\. Here come ids/],
    ['e.l.g guide', /GRU needs steps, and LSTM gives one row of numbers/],
    ['e.v.l guide', /LSTM needs steps, and GlobalAveragePooling1D gives/],
    ['e.e guide', /Embedding looks ids up/],
    ['e.l readings', /Embedding looks ids up/],
    ['w.ls readings', /withMask puts a mask back, and nothing before it has made one/],
  ];
  for (const [key, sentence] of refused) {
    const [model, data = 'guide'] = key.split(' ');
    await assert.rejects(programOf('flow', { model, data }), sentence, key);
  }
  await assert.rejects(programOf('flow', {}, { text: ' ' }), /Chapter 1 has no words/);
  await assert.rejects(programOf('flow', {}, { value: '5000' }), /Chapter 1 pads with 5000/);
});

test('operations behind the loss, and without any mask, stand in the chain, too', async () => {
  for (const key of [
    'e.p.p.l guide',
    'e0.p.l guide',
    'p.p readings',
    'e.l.p.z guide',
    'e.p.z.w.t.l guide',
  ]) {
    const { data } = await run(key);
    assert.equal(data.edges?.length, readModel(key.split(' ')[0]).length, key);
    assert.ok(
      data.edges.every(({ shape }) => shape.length >= 2),
      key,
    );
  }
});

test('a mask that was put back is seen by all that follows', async () => {
  const lost = await run('e.p.z.w.t.l guide');
  assert.deepEqual(roles(lost.data), [
    'Embedding makes',
    'Add drops',
    ' none',
    ' drops',
    'LSTM none',
  ]);
  assert.match(lost.says, /^The mask is lost at `× mask`\./);
  const edges = ({ data }) => data.edges.map(({ mask }) => (mask ? 'T' : '-')).join('');
  assert.equal(edges(lost), 'T--T--');
  assert.equal(edges(await run('e.p.w.d.l guide')), 'T-TT-');
  assert.equal(edges(await run('e.p.w.p.w.l guide')), 'T-T-T-');
  const own = await run('e.p.w.a.l guide');
  assert.equal(edges(own), 'T-T--');
  assert.deepEqual(roles(own.data).slice(2), ['SilentActivation drops', 'LSTM none']);
  assert.match(own.data.chains[0].stages[2].reason, /does not support masking/);
});

test('whatever is built runs, or is told in a sentence', async () => {
  const codes = shelf.map(({ code }) => code);
  let state = 7;
  const below = (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % limit;
  };
  for (let number = 0; number < 150; number++) {
    const data = ['words', 'guide', 'pairs', 'few', 'readings', 'tiled'][below(6)];
    const middle = Array.from(
      { length: below(6) },
      () => codes[below(codes.length)] + ['', 's', 'sz', '2', '0', '1'][below(6)],
    );
    const first = ['readings', 'tiled'].includes(data) ? 'k' : ['e', 'e0', 'c'][below(3)];
    const set = {
      model: [first, ...middle].join('.'),
      data,
      rules: rules[below(2)],
      steps: ['', '1', '7', '12'][below(4)],
    };
    try {
      const { data: found, says } = await runChapter('flow', { set });
      assert.equal(found.edges?.length, middle.length + 1, JSON.stringify(set));
      assert.match(says, /\.$/);
    } catch (error) {
      assert.ok(error.name === 'Advice', `${JSON.stringify(set)}: ${error.name} ${error.message}`);
    }
  }
});

test('each layer of the shelf runs in each place that takes it', async () => {
  for (const { code, takes } of shelf) {
    for (const data of takes === 'ids' ? ['guide', 'few'] : ['readings', 'tiled']) {
      // CustomEmbedding has rows for ten ids.
      const set =
        code === 'c'
          ? { model: 'c', data: 'few' }
          : { model: takes === 'ids' ? code : `k.${code}.d`, data };
      const result = await runChapter('flow', { set });
      assert.ok(result.data.edges, `${set.model} ${set.data}`);
      assert.ok(result.data.output.values.every(Number.isFinite), set.model);
    }
  }
});
