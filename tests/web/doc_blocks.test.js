// SPDX-License-Identifier: MIT
// Every JavaScript program of the README and of the guides runs as written, and prints the lines
// after the arrows at its end ('…' replaces digits that differ between engines). `--write` writes
// the output into the file: read it before you commit it.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runModule } from '../support/programs.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'maskflow-docs-'));
cpSync(join(root, 'tests/fixtures/trained/brackets.keras'), join(folder, 'brackets.keras'));
cpSync(join(root, 'tests/fixtures/custom'), folder, { recursive: true });
cpSync(join(root, 'tests/fixtures/beside_models/guide'), folder, { recursive: true });
cpSync(
  join(root, 'tests/fixtures/torch/cases/classifier-11-0/model.pth'),
  join(folder, 'model.pth'),
);
after(() => rmSync(folder, { recursive: true }));

const guides = readdirSync(join(root, 'docs/guides')).map((name) => `docs/guides/${name}`);
const otherPages = 'index errors faq from-keras from-tensorflow-js training model-files'.split(' ');
const pages = ['README.md', ...guides, ...otherPages.map((name) => `docs/${name}.md`)];

// Matches a program. The words after `js` tell the site where else the program runs.
const block = /(?<=^```js(?: .*)?\n)[\s\S]*?(?=^```$)/gm;
const arrow = /^\/\/ → ?(.*)$/;
const entry = (_, name = 'index') => JSON.stringify(join(root, 'dist', `${name}.js`));

/** Splits a program into its code and the lines that it should print. */
function parse(text) {
  const lines = text.trimEnd().split('\n');
  let end = lines.length;
  while (end > 0 && arrow.test(lines[end - 1])) end--;
  return {
    code: lines.slice(0, end).join('\n'),
    told: lines.slice(end).map((line) => arrow.exec(line)[1]),
  };
}

const run = (code) => {
  const text = code.replace(/(?<=from )'maskflow(?:\/(\w+))?'/g, entry);
  return runModule(text, { cwd: folder }).trimEnd();
};

const escapeText = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const expected = (expectedLines) =>
  new RegExp(`^${expectedLines.map(escapeText).join('\n').replaceAll('…', '.*')}$`);

for (const page of pages) {
  const path = join(root, page);
  const source = readFileSync(path, 'utf8');
  const programs = [...source.matchAll(block)].map(([text]) => text);
  test(`${page} has programs`, () => assert.ok(programs.length > 0));
  programs.forEach((text, i) => {
    test(`${page}: program ${i + 1} runs and prints what it says`, () => {
      const { code, told: expectedLines } = parse(text);
      const output = run(code);
      const vague = expectedLines.some((line) => line.includes('…'));
      if (process.argv.includes('--write') && !vague) {
        const lines = output === '' ? [] : output.split('\n').map((line) => `// → ${line}`);
        const content = readFileSync(path, 'utf8');
        writeFileSync(
          path,
          content.replace(text, () => `${[code, ...lines].join('\n')}\n`),
        );
      } else {
        assert.match(output, expected(expectedLines));
      }
    });
  });
}

for (const [name, file] of [
  ['keras-tokenizer', 'printed'],
  ['sklearn-scaler', 'printed_scaler'],
]) {
  test(`docs/guides/${name}.md: both programs print what Python printed`, () => {
    const recorded = readFileSync(join(root, `tests/fixtures/beside_models/guide/${file}.json`));
    const { program, printed } = JSON.parse(recorded);
    const page = readFileSync(join(root, `docs/guides/${name}.md`), 'utf8');
    const [, python] = /^```python\n([\s\S]*?)^```$/m.exec(page);
    assert.equal(python, program);
    const [text] = page.match(block);
    assert.deepEqual(parse(text).told, printed);
  });
}
