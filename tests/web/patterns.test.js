// SPDX-License-Identifier: MIT
// Regular expressions from files have Python's results, in linear time
// (web/src/training/pattern.ts).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readFixture } from '../support/recorded_cases.js';
import { internals } from '../support/internals.js';
import { generator } from '../support/random.js';
import { cpuTime } from '../support/cpu_time.js';

const { patternSearch } = await internals('training/pattern.ts');
const isConfigError = (error) =>
  error.kind === 'config' && /regular expression/.test(error.message);

describe('a pattern', () => {
  test('matches where Python matches, and is refused where Python refuses it', () => {
    for (const [pattern, matching, absent] of readFixture('training/patterns/patterns.json')) {
      const search = patternSearch();
      if (matching === null) {
        assert.throws(() => search(pattern, ''), isConfigError, pattern);
        continue;
      }
      for (const text of matching)
        assert.equal(search(pattern, text), true, `${pattern} in ${text}`);
      for (const text of absent)
        assert.equal(search(pattern, text), false, `${pattern} in ${text}`);
    }
  });

  test('agrees with JavaScript if it means the same in both languages', () => {
    const random = generator(5);
    const pick = (items) => items[Math.floor(random() * items.length)];
    const item = (depth) => {
      if (depth > 0 && random() < 0.3) return `(?:${make(depth - 1)})`;
      return pick(['a', 'b', 'c', '.', '[ab]', '[^a]', '\\w', '\\b', 'ab']);
    };
    const withRepeat = (text) =>
      text === '\\b' ? text : text + pick(['', '', '', '*', '+', '?', '{2}', '{0,3}']);
    const make = (depth) =>
      Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
        Array.from({ length: Math.floor(random() * 4) }, () => item(depth))
          .map((text) => (text.length === 2 && text === 'ab' ? text : withRepeat(text)))
          .join(''),
      ).join('|');
    for (let i = 0; i < 3000; i++) {
      const pattern = `${pick(['', '^'])}(?:${make(2)})${pick(['', '$'])}`;
      const text = Array.from({ length: Math.floor(random() * 8) }, () => pick('abc_ ')).join('');
      const expected = new RegExp(pattern).test(text);
      assert.equal(patternSearch()(pattern, text), expected, `${pattern} in '${text}'`);
    }
  });

  test('needs time that grows only with pattern and text', () => {
    const text = `${'a'.repeat(20_000)}!`;
    const hostile = [
      '(a|a)*$',
      '(a+)+$',
      '((a*)*)*$',
      '(a|b|ab)*bc',
      '(.*a){12}$',
      '(a?){30}a{30}$',
    ];
    const start = cpuTime();
    for (const pattern of hostile) patternSearch()(pattern, text);
    assert.ok(cpuTime() - start < 5000, `${cpuTime() - start} ms`);
  });

  test('needs a bounded number of steps for all patterns and names of a file', () => {
    const start = cpuTime();
    const search = patternSearch();
    assert.throws(() => {
      for (let i = 0; ; i++) search(`(${'(a|b?)*'.repeat(100)}){2}${i}$`, 'ab'.repeat(50_000));
    }, /regular expressions need too many steps; use fewer/);
    assert.throws(() => patternSearch()('a', 'b'.repeat(1e8)), /too many steps/);
    const wide = `[${'b'.repeat(900)}]`;
    assert.throws(() => patternSearch()(wide, 'a'.repeat(1e6)), /too many steps/);
    assert.ok(cpuTime() - start < 10_000, `${cpuTime() - start} ms`);
  });

  test('outside the subset is refused with a description of the subset', () => {
    const outside = [
      '(a)\\1',
      '(?=a)',
      '(?!a)',
      '(?<=a)b',
      '(?<!a)b',
      '(?i)a',
      '(?P=a)',
      '(?>a)',
      'a++',
      'a{1001}{2}',
      '(a{500}){500}',
      'a{99999999999}',
      'a{3,2}',
      'x'.repeat(1001),
      '\\p{L}',
      '\\',
      'a[',
      '(((',
      ')',
    ];
    for (const pattern of outside) {
      assert.throws(
        () => patternSearch()(pattern, 'a'),
        (error) =>
          isConfigError(error) &&
          /use only literals, '\.', classes, anchors, groups/.test(error.message),
        pattern,
      );
    }
    assert.throws(() => patternSearch()('('.repeat(1000), 'a'), isConfigError);
  });
});
