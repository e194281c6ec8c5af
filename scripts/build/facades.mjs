// SPDX-License-Identifier: MIT
// Removes chunks that only export parts of another chunk under other names, which the bundler
// writes for `import()` of a module in a shared chunk: a page would fetch one more file before the
// other.
import { readFileSync, rmSync } from 'node:fs';
import { at } from '../lib/files.mjs';
import { edit } from './short_exports.mjs';

const facade = /^export\{([^}]*)\}from"(\.\/[^"]+)";?\s*$/;

/** Returns what a facade exports as the fields of an object of `e`, the namespace of its target. */
function fieldsOf(list) {
  const pairs = list.split(',').map((item) => item.trim().split(' as '));
  return pairs.map(([local, exported = local]) => `${exported}:e.${local}`).join();
}

/** Makes the importers of facades among the written `chunks` import their targets. */
export function removeFacades(chunks) {
  const replacements = new Map();
  for (const { fileName, isEntry } of chunks) {
    const [, list, target] = facade.exec(readFileSync(at('dist', fileName), 'utf8')) ?? [];
    if (!list || isEntry) continue;
    replacements.set(fileName, `import("${target}").then(e=>({${fieldsOf(list)}}))`);
    for (const ending of ['', '.map']) rmSync(at('dist', `${fileName}${ending}`), { force: true });
  }
  const remaining = chunks.filter(({ fileName }) => !replacements.has(fileName));
  for (const { fileName } of remaining) {
    const path = at('dist', fileName);
    const code = readFileSync(path, 'utf8');
    const edits = [...code.matchAll(/import\((["'`])\.\/([\w.-]+)\1\)/g)].flatMap((match) => {
      const text = replacements.get(match[2]);
      const start = match.index;
      return text ? [{ start, end: start + match[0].length, text }] : [];
    });
    if (edits.length > 0) edit(path, code, edits);
  }
  return remaining;
}
