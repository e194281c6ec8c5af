// SPDX-License-Identifier: MIT
// Removes chunks that are empty, or only export parts of another chunk under other names, which the
// bundler writes for `import()` of a module in a shared chunk: a page would fetch one more file
// before the other.
import { readFileSync, rmSync } from 'node:fs';
import { at } from '../lib/files.mjs';
import { edit } from './short_exports.mjs';

const facade = /^export\{([^}]*)\}from"(\.\/[^"]+)";?\s*$/;

/** An `import()` of a chunk, or the import of one without names. */
const statement = /import(\(?)(["'`])\.\/([\w.-]+)\2[);]?/g;

/** Returns what a facade exports as the fields of an object of `e`, the namespace of its target. */
function fieldsOf(list) {
  const pairs = list.split(',').map((item) => item.trim().split(' as '));
  return pairs.map(([local, exported = local]) => `${exported}:e.${local}`).join();
}

/**
 * Makes the importers of facades among the written `chunks` import their targets. Returns the
 * chunks that remain.
 */
export function removeFacades(chunks) {
  const replacements = new Map();
  for (const { fileName, isEntry } of chunks) {
    const text = readFileSync(at('dist', fileName), 'utf8');
    const [, list, target] = facade.exec(text) ?? [];
    const isEmpty = text.trim() === '';
    if (isEntry || !(list || isEmpty)) continue;
    // The parentheses keep Vite 6 from reading `{a} = await import()` before `.then()`.
    if (list) replacements.set(fileName, `(import("${target}").then(e=>({${fieldsOf(list)}})))`);
    else replacements.set(fileName, undefined);
    for (const ending of ['', '.map']) rmSync(at('dist', `${fileName}${ending}`), { force: true });
  }
  const remaining = chunks.filter(({ fileName }) => !replacements.has(fileName));
  for (const { fileName } of remaining) {
    const path = at('dist', fileName);
    const code = readFileSync(path, 'utf8');
    const edits = [...code.matchAll(statement)].flatMap((match) => {
      const [whole, call, , name] = match;
      if (!replacements.has(name)) return [];
      const text = replacements.get(name) ?? (call ? 'Promise.resolve({})' : '');
      return [{ start: match.index, end: match.index + whole.length, text }];
    });
    if (edits.length > 0) edit(path, code, edits);
  }
  return remaining;
}
