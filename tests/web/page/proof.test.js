// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { programOf, runChapter } from '../../support/page.js';

const recording = JSON.parse(
  readFileSync(new URL('../../fixtures/trained/brackets.json', import.meta.url), 'utf8'),
).examples;

test("the answers with a mask equal Keras's recordings, whatever the amount of padding", async () => {
  const short = recording.filter(({ text }) => text.length <= 40).slice(0, 4);
  assert.ok(short.length > 0);
  for (const { text, output } of short) {
    const { data } = await runChapter('proof', { set: { text } });
    assert.equal(data.answers.length, 201);
    for (const [masked] of data.answers)
      assert.ok(Math.abs(masked - output) < 2e-6, `${text}: ${masked}, ${output}`);
  }
});

test('without the mask one padded step reverses the verdict of the first example', async () => {
  const { data, says } = await runChapter('proof', { set: { pads: '1' } });
  assert.ok(data.answers[0][1] > 0.99 && data.answers[1][1] < 0.5);
  assert.match(says, /^The model read the zero as data\. A mask tells it not to\. With the mask, /);
  assert.match(
    says,
    /change the answer by exactly 0\. Without it, the verdict flips at 1 empty place\.$/,
  );
});

test('before the first zero the sentence says what both answer, not what will happen', async () => {
  const { says } = await runChapter('proof');
  assert.equal(says, 'With the mask and without it, the model says “balanced”. Add a zero.');
});

test('characters that are not brackets are explained in a sentence', async () => {
  await assert.rejects(programOf('proof', { text: ' ' }), /Type some brackets/);
  await assert.rejects(programOf('proof', { text: '(a)' }), /only knows .*; remove “a”/);
  await assert.rejects(programOf('proof', { text: "('+alert(1)+')" }), /only knows .*; remove “/);
});
