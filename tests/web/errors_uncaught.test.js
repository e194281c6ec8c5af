// SPDX-License-Identifier: MIT
// The output of an uncaught error.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { breakLines, moveMappings } from '../../scripts/build/lines.mjs';

const dist = new URL('../../dist/', import.meta.url);

function fails(program) {
  const text = `import * as mf from ${JSON.stringify(String(new URL('index.js', dist)))}; await mf.ready(); ${program}`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', text], {
    encoding: 'utf8',
    cwd: fileURLToPath(dist),
  });
  assert.equal(status, 1);
  return stderr;
}

const programs = {
  ValueError: "mf.tensor('abc')",
  ConfigError: 'mf.layers.dense({ units: 0 })',
  ShapeError: 'mf.layers.lstm({ units: 1 }).apply([[1]])',
  FormatError: "await mf.loadModel('/nowhere.keras')",
};

for (const [name, program] of Object.entries(programs)) {
  test(`${name} prints its name and message, and no page of minified source`, () => {
    const output = fails(program);
    assert.match(output, new RegExp(`^${name}: `, 'm'));
    assert.ok(output.length < 3000, `${output.length} characters: ${output.slice(0, 500)}`);
  });
}

test('source maps lead to the sources', () => {
  const output = fails(programs.ValueError);
  const [, name, line, column] = /dist\/([\w.-]+\.js):(\d+):(\d+)/.exec(output);
  const map = new SourceMap(JSON.parse(readFileSync(new URL(`${name}.map`, dist), 'utf8')));
  const { originalSource, originalLine } = map.findEntry(Number(line) - 1, Number(column) - 1);
  assert.match(originalSource, /web\/src\/base\/\w+\.ts$/);
  const source = readFileSync(new URL(originalSource, dist), 'utf8').split('\n');
  assert.match(source[originalLine], /new \w*(?:Error|Class)\(/);
});

test('newlines replace semicolons only if the meaning stays', () => {
  const code = 'let a=1;let b=2;(a);b;[a];if(a)b;else a;for(;;)break;while(a);b;a;`x`;a\n';
  const withNewlines = breakLines(code);
  assert.equal(withNewlines.length, code.length);
  assert.equal(
    withNewlines,
    'let a=1\nlet b=2;(a)\nb;[a]\nif(a)b;else a\nfor(;;)break;while(a);b\na;`x`\na\n',
  );
});

test('mappings move with the lines', () => {
  assert.equal(moveMappings('AAAA,EAAC,IAAI', 'ab;cde\n', 'ab\ncde\n'), 'AAAA,EAAC;GAAI;');
  const map = JSON.parse(readFileSync(new URL('draw.js.map', dist), 'utf8'));
  // A development build names the map in a line of its own.
  const named = readFileSync(new URL('draw.js', dist), 'utf8');
  const code = named.replace(/\n\/\/# sourceMappingURL=.*\n$/, '');
  assert.equal(moveMappings(map.mappings, code, code), map.mappings);
});
