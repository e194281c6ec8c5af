// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { pageCases } from '../../../scripts/build/page_cases.mjs';
import { at } from '../../../scripts/lib/files.mjs';
import { runChapter } from '../../support/page.js';

// Programs fetch files of the page; here they are read from the disk.
const original = globalThis.fetch;
before(() => {
  globalThis.fetch = async (address) => {
    const name = address.replace('models/', '');
    return name === 'cases.json'
      ? Response.json(pageCases())
      : new Response(readFileSync(at('tests', 'fixtures', 'trained', name)));
  };
});
after(() => {
  globalThis.fetch = original;
});

for (const [of, lines, numbers] of [
  ['brackets', 20, 20],
  ['sensor', 20, 20],
  ['adding', 20, 80],
  ['layers', pageCases().length, undefined],
])
  test(`${of}: all numbers equal Keras's`, async () => {
    const { data, says } = await runChapter('truth', { set: { of } });
    assert.equal(data.lines.length, lines);
    if (numbers)
      assert.equal(
        data.lines.reduce((sum, { size }) => sum + size, 0),
        numbers,
      );
    for (const { name, gap } of data.lines) assert.ok(gap <= 5e-6, `${name}: ${gap}`);
    assert.match(
      says,
      /computed again in this page: the largest difference is (exactly 0|less than 0\.0{4,8}1)/,
    );
  });

test('the cases of the page are recorded ones, with and without masks', () => {
  const cases = pageCases();
  assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
  assert.ok(cases.filter(({ mask }) => mask).length > 10);
  assert.ok(JSON.stringify(cases).length < 100_000);
});
