// SPDX-License-Identifier: MIT
// Names the exports of shared chunks as in the chunk itself. The bundler gives them new names, and
// `export{a as b}` costs 0.4 kB of the smallest page.
import { readFileSync, writeFileSync } from 'node:fs';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { parseAst } from 'rolldown/parseAst';
import { at, readIfThere } from '../lib/files.mjs';
import { lineStarts } from './lines.mjs';

const clause = (name, as) => (name === as ? name : `${name} as ${as}`);
/** The statement with these items; sorted, because it compresses better. */
const listOf = (keyword, items, from) =>
  `${keyword}{${items.sort().join(',')}}${from ? `from${from.raw}` : ''};`;

/** Returns the new statement for an import or export of a chunk, or undefined to keep it. */
function rewritten(statement, ownNames, namesOf) {
  const { type, source, specifiers } = statement;
  if (type === 'ExportNamedDeclaration' && !source && ownNames && specifiers.length > 0) {
    return listOf('export', [...new Set(ownNames.values())]);
  }
  const names = source && namesOf(source.value);
  if (!names || !specifiers?.length) return undefined;
  return type === 'ImportDeclaration'
    ? listOf(
        'import',
        specifiers.map(({ imported, local }) => clause(names.get(imported.name), local.name)),
        source,
      )
    : listOf(
        'export',
        specifiers.map(({ local, exported }) => clause(names.get(local.name), exported.name)),
        source,
      );
}

/** Moves the mappings of a file whose `edits`, in order, replace statements within a line. */
function moved(mappings, code, edits) {
  const starts = lineStarts(code);
  const shiftAt = (offset) =>
    edits.reduce(
      (sum, { start, end, text }) => (end <= offset ? sum + text.length - (end - start) : sum),
      0,
    );
  const isGone = (offset) => edits.some(({ start, end }) => offset >= start && offset < end);
  return encode(
    decode(mappings).map((segments, row) => {
      const before = shiftAt(starts[row]);
      return segments
        .filter(([column]) => !isGone(starts[row] + column))
        .map(([column, ...original]) => [
          column + shiftAt(starts[row] + column) - before,
          ...original,
        ]);
    }),
  );
}

/** Writes a file with `edits`, in order, and moves the mappings of its source map. */
export function edit(path, code, edits) {
  const parts = [];
  let copied = 0;
  for (const { start, end, text } of edits) {
    parts.push(code.slice(copied, start), text);
    copied = end;
  }
  writeFileSync(path, parts.join('') + code.slice(copied));
  const map = readIfThere(`${path}.map`);
  if (!map) return;
  const json = JSON.parse(map);
  writeFileSync(
    `${path}.map`,
    JSON.stringify({ ...json, mappings: moved(json.mappings, code, edits) }),
  );
}

/** Renames the exports of those written chunks that only other chunks of this list import. */
export function shortenExports(chunks) {
  const files = chunks.map(({ fileName, isEntry, isDynamicEntry }) => {
    const path = at('dist', fileName);
    const code = readFileSync(path, 'utf8');
    const { body } = parseAst(code, { lang: 'js' });
    const exported = body.filter(
      ({ type, source }) => type === 'ExportNamedDeclaration' && !source,
    );
    const pairs = exported.flatMap(({ specifiers }) =>
      specifiers.map(({ local, exported }) => [exported.name, local.name]),
    );
    return {
      fileName,
      path,
      code,
      body,
      names: isEntry || isDynamicEntry ? undefined : new Map(pairs),
    };
  });
  const namesOf = (source) => files.find(({ fileName }) => source === `./${fileName}`)?.names;
  for (const { path, code, body, names } of files) {
    const edits = body.flatMap((statement) => {
      const text = rewritten(statement, names, namesOf);
      return text === undefined ? [] : [{ start: statement.start, end: statement.end, text }];
    });
    if (edits.length > 0) edit(path, code, edits);
  }
}
