// SPDX-License-Identifier: MIT
// Chapter 3: every example, and every other recorded model, has Keras's results for the program on
// view.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { chapterOf, defaultsOf, pageModule, programOf, runChapter } from '../../support/page.js';

const { presets, recipes } = await pageModule("export * from './chapters/flow/presets.ts'");
const { compareWith, isRecorded } = await pageModule("export * from './chapters/flow/recorded.ts'");
const { inputs } = await pageModule("export * from './chapters/flow/inputs.ts'");
const { keyOf } = await pageModule("export * from './chapters/flow/state.ts'");
const { readModel, writeModel } = await pageModule("export * from './chapters/flow/notation.ts'");
const { shelf } = await pageModule("export * from './chapters/flow/shelf.ts'");
const recording = JSON.parse(
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
  suite(`all recorded models equal the results of Keras ${recording.versions[rule]}`, () => {
    for (const key of Object.keys(recording.models['keras-3.15'])) {
      test(key, async () => {
        const { data } = await run(key, { rules: rule });
        const comparison = compareWith(data, rule, key);
        assert.deepEqual(comparison.different, []);
        assert.ok(comparison.compared >= 2 && comparison.numbers >= 2);
        assert.ok(comparison.gap < 2e-6, `differs by ${comparison.gap}`);
      });
    }
  });
}

test('examples are named by what they show, each by another name', () => {
  const titles = presets.map(({ title }) => title);
  assert.equal(new Set(titles).size, titles.length);
  for (const title of titles) {
    assert.doesNotMatch(title, /^[A-Z](\d+\b|:)/, title);
    assert.ok(title.length <= 45, `${title}: ${title.length} letters`);
  }
});

test('every example was recorded, except the one that Keras refuses', () => {
  const missing = presets.filter(({ id }) => !recording.models['keras-3.15'][preset(id)]);
  assert.deepEqual(
    missing.map(({ id }) => id),
    ['G5 odd'],
  );
  for (const models of Object.values(recording.models))
    for (const [key, { error }] of Object.entries(models)) assert.equal(error, undefined, key);
});

test('the words of chapter 2 are compared only if Keras ran with the same batch', async () => {
  const { Settings, batchOf } = await chapterOf('flow');
  const recorded = (changes, data = inputs.words) =>
    isRecorded(
      data,
      batchOf(new Settings(new Map([...defaultsOf('padding'), ...Object.entries(changes)]))),
    );
  assert.equal(recorded({}), true);
  for (const changes of [
    { text: 'Hello world' },
    { text: 'One more word !\nHow are you doing today\nThe weather will be nice tomorrow' },
    { padding: 'pre' },
    { truncating: 'post' },
    { maxlen: '4' },
    { maxlen: '7' },
    { value: '5' },
    { value: 'NaN' },
  ]) {
    assert.equal(recorded(changes), false, JSON.stringify(changes));
    assert.equal(recorded(changes, inputs.guide), true, 'other data do not depend on chapter 2');
  }
});

test('the comparison with Keras can fail', async () => {
  const { data } = await run('e.p.l pairs');
  data.edges[0].mask[0][0] = false;
  data.output.values[0] += 0.5;
  const comparison = compareWith(data, 'keras-3.15', 'e.p.l pairs');
  assert.deepEqual(comparison.different, ['layer 1']);
  assert.ok(comparison.gap > 0.4);
});

test('B1 to B3: the op drops the mask; 3 columns of padding change the answer; the remedies prevent it', async () => {
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

      const withRemedy = await run(`e.${operation}.w.${code} pairs`);
      assert.equal(withRemedy.data.more, 0);
      assert.equal(withRemedy.judged.right, 'same');
      assert.deepEqual(withRemedy.data.output.values, data.answers.kept);
      assert.match(withRemedy.says, /reaches the `\w+`\. Three more columns .* by exactly 0\.$/);
    }
  }
  const { data } = await run('e.j.l pairs');
  assert.deepEqual(roles(data), ['Embedding makes', 'Rescaling passes', 'LSTM uses']);
  assert.deepEqual(data.output.values, (await run('e.p.w.l pairs')).data.output.values);
});

test('G5: both halves have their masks; an odd number of steps is explained, with the remedy', async () => {
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

test('G7: the warning is shown where the mask is dropped', async () => {
  const { data } = await run('e.a.l guide');
  assert.match(data.chains[0].stages[1].warning, /SilentActivation.*does not support masking/);
  assert.equal(data.chains[0].stages[0].warning, '');
  assert.deepEqual(roles((await run('e.as.l guide')).data), [
    'Embedding makes',
    'MyActivation passes',
    'LSTM uses',
  ]);
});

test('G8: masked steps have exactly 0, the other steps of a row sum to 1', async () => {
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

test('A: a step is masked only if all its features equal the value; NaN equals nothing', async () => {
  const { data } = await run('A');
  const masks = Object.fromEntries(data.results.map(({ title, mask }) => [title, letters(mask)]));
  assert.deepEqual(masks, {
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

test('C: shapes do not depend on lengths; the explicit mask wins; a custom model agrees', async () => {
  const c1 = await run('C1');
  const c3 = await run('C3');
  const [attached, explicit] = c1.data.results;
  assert.deepEqual(attached.shape, [4, 10, 10]);
  assert.deepEqual(letters(explicit.mask)[1], 'TTTTTTFFFF');
  assert.deepEqual(
    c3.data.results.map(({ values }) => values),
    [attached.values, explicit.values],
  );
  assert.match(c1.says, /`explicit mask` differs from `attached mask` by up to 0\.\d+/);
  const underNewRule = await run('k.h.ls readings', { rules: 'keras-3.16' });
  assert.match(underNewRule.says, /lost at `TimeDistributed\(Dense\)`/);
});

test('a model can be written as a short text, and any text can be read as a model', () => {
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

test('a model that cannot be built is explained in a sentence', async () => {
  const refusals = [
    ['', /The model is empty\. Take a layer from the shelf/],
    ['l guide', /LSTM needs numbers for each step, but its input here is ids/],
    ['e.l.g guide', /GRU needs steps, but LSTM returns one row of numbers/],
    ['e.v.l guide', /LSTM needs steps, but GlobalAveragePooling1D returns/],
    ['e.e guide', /Embedding looks up ids/],
    ['e.l readings', /Embedding looks up ids/],
    ['w.ls readings', /withMask restores a mask, but no layer before it makes one/],
  ];
  for (const [key, sentence] of refusals) {
    const [model, data = 'guide'] = key.split(' ');
    await assert.rejects(programOf('flow', { model, data }), sentence, key);
  }
  await assert.rejects(programOf('flow', {}, { text: ' ' }), /The batch has no words/);
  await assert.rejects(programOf('flow', {}, { value: '5000' }), /The batch pads with 5000/);
});

test('ops after the loss of a mask, and without any mask, are in the chain, too', async () => {
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

test('an attached mask is seen by all later layers', async () => {
  const data = await run('e.p.z.w.t.l guide');
  assert.deepEqual(roles(data.data), [
    'Embedding makes',
    'Add drops',
    ' none',
    'Multiply drops',
    'LSTM none',
  ]);
  assert.match(data.says, /^The mask is lost at `× mask`\./);
  const edges = ({ data }) => data.edges.map(({ mask }) => (mask ? 'T' : '-')).join('');
  assert.equal(edges(data), 'T--T--');
  assert.equal(edges(await run('e.p.w.d.l guide')), 'T-TT-');
  assert.equal(edges(await run('e.p.w.p.w.l guide')), 'T-T-T-');
  const withCustomLayer = await run('e.p.w.a.l guide');
  assert.equal(edges(withCustomLayer), 'T-T--');
  assert.deepEqual(roles(withCustomLayer.data).slice(2), ['SilentActivation drops', 'LSTM none']);
  assert.match(withCustomLayer.data.chains[0].stages[2].reason, /does not support masking/);
});

test('any model runs, or is explained in a sentence', async () => {
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
      const { data: result, says } = await runChapter('flow', { set });
      assert.equal(result.edges?.length, middle.length + 1, JSON.stringify(set));
      assert.match(says, /\.$/);
    } catch (error) {
      assert.ok(error.name === 'Advice', `${JSON.stringify(set)}: ${error.name} ${error.message}`);
    }
  }
});

test('each layer of the shelf runs in each place that accepts it', async () => {
  for (const { code, takes } of shelf) {
    for (const data of takes === 'ids' ? ['guide', 'few'] : ['readings', 'tiled']) {
      // The embedding of this model has rows for ten ids only, so larger ids are avoided.
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

suite('sentences of chapter 2', () => {
  const batch = { text: 'one two three four\nfive\nsix seven', padding: 'post' };
  const setOfPreset = ({ model, data = 'words', steps = '' }) => ({ model, data, steps });
  const rowsOf = async () => {
    const { Settings, batchOf } = await chapterOf('flow');
    const controls = new Map([...defaultsOf('padding'), ...Object.entries(batch)]);
    return batchOf(new Settings(controls)).sequences;
  };
  /** Returns the examples whose program contains these rows. */
  const reading = async (rows, more = {}) => {
    const texts = await Promise.all(
      presets.map(async (each) => {
        const set = { ...setOfPreset(each), ...more };
        const text = await programOf('flow', set, batch).catch(() => '');
        const listed = rows.map((row) => `[${row.join()}]`).join();
        return text.replaceAll(/\s+/g, '').includes(listed) ? each.id : '';
      }),
    );
    return texts.filter(Boolean);
  };

  test('23 examples read them; the error, readings and features have numbers of their own', async () => {
    const ids = await reading(await rowsOf());
    const others = presets.map(({ id }) => id).filter((id) => !ids.includes(id));
    assert.deepEqual(others, ['G5 odd', 'A', 'C1', 'C1 zeros', 'C1 explicit', 'C2', 'C3']);
    assert.equal(ids.length + others.length, 30);
    assert.deepEqual(await reading(await rowsOf(), { mine: '0' }), ['start']);
  });

  test('each example runs on them', async () => {
    for (const id of await reading(await rowsOf())) {
      const each = presets.find((one) => one.id === id);
      const { data, says } = await runChapter('flow', { set: setOfPreset(each), batch });
      assert.ok(data.results.length > 0 || data.input[0] === 3, id);
      assert.match(says, /^[A-Z\d`].*\.$/, id);
    }
  });
});
