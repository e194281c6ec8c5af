// SPDX-License-Identifier: MIT
// The commands of the README run in a fresh clone: what they load before they install the packages
// imports none of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseAst } from 'rolldown/parseAst';

/** The names in the static imports and exports of a module. */
const importsOf = (source) =>
  parseAst(source, { lang: 'js' }).body.flatMap((statement) => statement.source?.value ?? []);

/** Returns the packages that a script imports statically, each with the file that does. */
function packagesOf(script, seen = new Set()) {
  if (seen.has(script.href)) return [];
  seen.add(script.href);
  return importsOf(readFileSync(script, 'utf8')).flatMap((name) => {
    if (name.startsWith('node:')) return [];
    if (!name.startsWith('.')) return [`${script.pathname.split('/').at(-1)}: ${name}`];
    return packagesOf(new URL(name, script), seen);
  });
}

for (const command of ['start', 'test', 'build', 'setup']) {
  test(`scripts/${command}.mjs loads without packages`, () => {
    const seen = new Set();
    const script = new URL(`../../scripts/${command}.mjs`, import.meta.url);
    assert.deepEqual(packagesOf(script, seen), []);
    assert.ok(seen.size > 2, 'the imports of a script are found');
  });
}
