// SPDX-License-Identifier: MIT
// Every JavaScript snippet of the README runs as it stands.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { runModule } from '../support/programs.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const snippets = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map((match) => match[1]);
const said = [
  /\[ 2, 32 \]/,
  /Add drops .*plain operation/,
  /shape \(2, 4, 1\)/,
  /loss: \d.*accuracy: \d/,
  /true 2\nLayer \(type\) .*GFLOP\/s/,
  /\[ \[ 0\.9\d+ \], \[ 0\.0\d+ \] \]/,
  /output 0: 4 elements agree/,
  /^true\n$/,
  /^0\.37\d* 0\.0000\d+/,
  /42354 42354\n\[ \[ 0\.9\d+ \], \[ 0\.0\d+ \] \]\n\[ 2, 1 \]/,
];

test('every snippet of the README has an answer', () => assert.equal(snippets.length, said.length));

snippets.forEach((snippet, i) => {
  test(`README snippet ${i + 1} runs and prints what it says`, () => {
    const code = snippet.replace(/'maskflow(?:\/(\w+))?'/g, (_, entry = 'index') =>
      JSON.stringify(String(new URL(`../../dist/${entry}.js`, import.meta.url))),
    );
    const output = runModule(code, { cwd: new URL('../../', import.meta.url) });
    assert.match(output, said[i]);
  });
});
