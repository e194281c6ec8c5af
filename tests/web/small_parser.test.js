// SPDX-License-Identifier: MIT
// The parser of Python in maskflow/port is a part of the whole one, with its tables in another
// order: it must read every source as the whole one does.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { smallParser } from '../../scripts/build/small_parser.mjs';

const packages = fileURLToPath(new URL('../../node_modules/@lezer', import.meta.url));
const sources = fileURLToPath(new URL('../fuzz', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'parser-'));
let [small, whole] = [];

after(() => rmSync(folder, { recursive: true }));

before(async () => {
  const parserIn = async (path) => {
    const url = pathToFileURL(join(path, 'python', 'dist', 'index.js'));
    return (await import(url.href)).parser.configure({ strict: true });
  };
  const own = join(folder, 'node_modules', '@lezer');
  for (const name of ['common', 'lr', 'python']) {
    const path = join(packages, name, 'dist', 'index.js');
    const { code } = smallParser.transform(readFileSync(path, 'utf8'), path);
    mkdirSync(join(own, name, 'dist'), { recursive: true });
    writeFileSync(join(own, name, 'dist', 'index.js'), code);
    const json = { type: 'module', main: 'dist/index.js' };
    writeFileSync(join(own, name, 'package.json'), JSON.stringify(json));
  }
  [small, whole] = [await parserIn(own), await parserIn(packages)];
});

/** Returns the nodes of a source, or the error. */
function read(parser, text) {
  const parse = parser.startParse(text);
  const nodes = [];
  try {
    let tree = null;
    while (!tree) {
      parse.bigReductionCount = 0;
      tree = parse.advance();
    }
    tree.cursor().iterate(({ name, from, to }) => void nodes.push(`${name} ${from} ${to}`));
  } catch (error) {
    return error.message;
  }
  return nodes.join('\n');
}

test('trees and errors are those of the whole parser', () => {
  const names = readdirSync(sources).filter((name) => name.endsWith('.py'));
  assert.ok(names.length > 40);
  let errors = 0;
  for (const [number, name] of names.entries()) {
    const text = readFileSync(join(sources, name), 'utf8');
    // A damaged source lacks three characters.
    const at = (number * 7919) % text.length;
    for (const source of [text, text.slice(0, at) + text.slice(at + 3), text.slice(0, at)]) {
      const wanted = read(whole, source);
      if (/^No parse/.test(wanted)) errors++;
      assert.equal(read(small, source), wanted, name);
    }
  }
  assert.ok(errors > 20);
});

test('a source that is nested too deeply is an error at its place', () => {
  const text = `x = ${'('.repeat(5000)}1${')'.repeat(5000)}\n`;
  assert.match(read(small, text), /^No parse at \d+$/);
});

test('another form of the parser is an error of the build', () => {
  assert.throws(
    () => smallParser.transform('', join(packages, 'lr', 'dist', 'index.js')),
    /has another form/,
  );
});
