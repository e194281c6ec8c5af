// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pageModule, programOf, runChapter } from '../../support/page.js';

const recording = JSON.parse(
  readFileSync(new URL('../../fixtures/page/padding.json', import.meta.url), 'utf8'),
);

test("batches and masks equal Keras's", async () => {
  for (const { options, ids, mask } of recording) {
    const batch = Object.fromEntries(
      Object.entries(options).map(([name, value]) => [name, String(value)]),
    );
    const { data } = await runChapter('padding', { batch, set: batch });
    assert.deepEqual(data.ids, ids, JSON.stringify(options));
    assert.deepEqual(data.mask, mask, JSON.stringify(options));
    assert.equal(data.dtype, 'int32');
  }
});

test('the effect of int32 on a value is computed', async () => {
  const with_ = async (value) => {
    const { says } = await runChapter('padding', { batch: { value }, set: { value } });
    return says;
  };
  assert.match(await with_('0.5'), /F at each of them\. .*the value 0\.5 became 0/);
  assert.match(await with_('-0.5'), /F at each of them\. .*the value −0\.5 became 0/);
  assert.match(await with_('-1.5'), /T there.*the value −1\.5 became −1/);
  assert.match(await with_('5000'), /T there/);
  assert.match(await with_('nan'), /T there.*is outside the range of int32.*float32/);
  assert.match(await with_('1e12'), /is outside the range of int32/);
  assert.match(await with_('Infinity'), /is outside the range of int32/);
});

test('a batch that later chapters cannot embed is explained in a sentence', async () => {
  const { batchOf, padCall, Settings } = await pageModule(
    `export { batchOf, padCall } from './shared/batch.ts'; export { Settings } from './shared/settings.ts';`,
  );
  const call = (values) =>
    padCall(batchOf(new Settings(new Map(Object.entries({ text: 'a b\nc', ...values })))));
  assert.match(call({ value: '4999' }), /value: 4999/);
  assert.match(call({ value: '-5000' }), /value: -5000/);
  assert.match(call({ value: '0.5' }), /value: 0\.5/);
  for (const value of ['5000', '-5001', 'NaN', '3e9', 'Infinity', 'abc'])
    assert.throws(() => call({ value }), /Choose another `value` in chapter 2/, value);
  assert.throws(() => call({ text: ' \u200b\n' }), /The batch has no words/);
});

test('a batch of one cell is described in the singular', async () => {
  const { says } = await runChapter('padding', { batch: { text: 'one' } });
  assert.equal(says, 'The only cell is not padding.');
});

test('plain text is split as Intl.Segmenter splits it, without one', async (t) => {
  const { signsOf } = await pageModule(`export * from './shared/vocabulary.ts';`);
  const plain = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
  const text = `${plain}\n\n${[...plain].toReversed().join('')}`;
  const segments = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
  assert.deepEqual(signsOf(text), segments);
  assert.deepEqual(signsOf('a\r\nb'), ['a', '\r\n', 'b']);
  t.mock.method(Intl, 'Segmenter', function Segmenter() {
    throw new Error('a segmenter was made');
  });
  assert.deepEqual(signsOf(text), segments);
  const html = readFileSync(
    new URL('../../../page/chapters/padding/chapter.html', import.meta.url),
    'utf8',
  );
  const [, sentences] = /<textarea[^>]* name="text"[^>]*>([^<]*)</.exec(html);
  assert.ok(sentences.length > 10);
  signsOf(sentences);
  assert.throws(() => signsOf('é'), /a segmenter was made/);
});

test('words, punctuation and emoji are separate tokens', async () => {
  const { tokenize } = await pageModule(`export * from './shared/vocabulary.ts';`);
  assert.deepEqual(tokenize('Hello world !'), ['Hello', 'world', '!']);
  assert.deepEqual(tokenize("isn't it?!"), ["isn't", 'it', '?', '!']);
  assert.deepEqual(tokenize('a👨‍👩‍👧‍👦b 🇫🇷'), ['a', '👨‍👩‍👧‍👦', 'b', '🇫🇷']);
  assert.deepEqual(tokenize('e\u0301te\u0301'), ['e\u0301te\u0301']);
  assert.deepEqual(tokenize('\u200b \u202e\t'), []);
  assert.deepEqual(tokenize('שלום עולם'), ['שלום', 'עולם']);
});

test('long input is cut with a note', async () => {
  const { batchOf, Settings } = await pageModule(
    `export { batchOf } from './shared/batch.ts'; export { Settings } from './shared/settings.ts';`,
  );
  const batch = (values) => batchOf(new Settings(new Map(Object.entries(values))));
  const longBatch = batch({ text: `${'a '.repeat(99)}\n${'b\n'.repeat(30)}`, maxlen: '2.4' });
  assert.deepEqual([longBatch.words.length, longBatch.words[0].length], [12, 40]);
  assert.equal(
    longBatch.note,
    'Only the first 12 rows are used. Only the first 40 words of a row are used. maxlen is 2 here, not 2.4: an integer from 1 to 60.',
  );
  const [[word]] = batch({ text: `e${'\u0301'.repeat(5000)}` }).words;
  assert.ok(word.length < 120);
  assert.equal(batch({ text: 'x'.repeat(500) }).words[0][0], `${'x'.repeat(24)}…`);
});

test('wrong input is explained', async () => {
  const refuse = (batch, message) => assert.rejects(programOf('padding', batch, batch), message);
  await refuse({ text: '' }, /There are no words yet/);
  await refuse({ value: 'many' }, /“many” is not a number/);
  const { says } = await runChapter('padding', { batch: { maxlen: '-3' }, set: { maxlen: '-3' } });
  assert.match(says, /^None of the 3 cells is padding\./);
});
