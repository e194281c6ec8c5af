// SPDX-License-Identifier: MIT
// Writes the scripts of the package's workers: each is a file that needs no other, and a chunk with
// its text, for pages whose bundler does not copy the file. The script of a worker that trains
// begins with all code of the other one, so its chunk has only the rest.
import { writeFileSync } from 'node:fs';
import { parseAst } from 'rolldown/parseAst';
import { at } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';
import { readAlone, reachedFrom, source, without } from './alone.mjs';
import { workerScripts } from './entries.mjs';
import { breakLines } from './lines.mjs';

/** `predict` and `evaluate` of batches that arrive later, which no message to a worker asks for. */
const withoutBatches = without('predict_all', 'evaluate_batches');

/** Records what each module imports, also on demand. */
const recorded = (imports) => ({
  name: 'graph',
  buildEnd() {
    for (const id of this.getModuleIds()) {
      const { importedIds, dynamicallyImportedIds } = this.getModuleInfo(id);
      imports.set(id, [...importedIds, ...dynamicallyImportedIds]);
    }
  },
});

/** Bundles the scripts as ES modules that share one: its code, and that of each script. */
async function bundled() {
  const names = workerScripts.map(({ script }) => script);
  const imports = new Map();
  const bundle = await readAlone({
    input: Object.fromEntries(names.map((name) => [name, source(name)])),
    treeshake: true,
    plugins: [withoutBatches, recorded(imports)],
  });
  const usual = source(names[0]);
  let shared;
  const isShared = (id) => {
    shared ??= reachedFrom(usual, imports);
    return id !== usual && shared.has(id);
  };
  const { output } = await bundle.generate({
    format: 'esm',
    minify: true,
    codeSplitting: {
      groups: [
        { name: 'shared', test: isShared },
        { name: 'own', test: (id) => id !== usual && !isShared(id) },
      ],
    },
  });
  await bundle.close();
  const late = output.find(({ code }) => /\bimport\(["'`]\./.test(code));
  if (late) throw new Failure(`${late.fileName} fetches a file; add it to a group`);
  return output;
}

/** Returns an import or export of a module as a statement of a function. */
function inFunction({ type, source: from, specifiers }, variableOf) {
  const names = (kind) => specifiers.map((each) => `${each[kind].name}:${each.local.name}`).join();
  if (type === 'ImportDeclaration') return `const{${names('imported')}}=${variableOf(from.value)};`;
  return `return{${names('exported')}}`;
}

/** Throws if a module exports a variable that changes, because scripts copy what they import. */
function checkConstant(body, exported, fileName) {
  const variables = body
    .filter(({ type, kind }) => type === 'VariableDeclaration' && kind === 'let')
    .flatMap(({ declarations }) => declarations.map(({ id }) => id.name));
  const names = new Set(exported.flatMap(({ specifiers }) => specifiers.map((s) => s.local.name)));
  const changing = variables.filter((name) => names.has(name));
  if (changing.length > 0)
    throw new Failure(`${fileName}: exports ${changing}, declared by let; export a function`);
}

/** Returns a module as a statement of a script: a variable that holds the exports. */
function asStatement({ code, fileName }, variableOf) {
  const { body } = parseAst(code, { lang: 'js' });
  const statements = body.filter(({ type }) => /^(Import|Export)/.test(type));
  checkConstant(
    body,
    statements.filter(({ type }) => /^Export/.test(type)),
    fileName,
  );
  const text = statements.reduceRight(
    (whole, each) =>
      whole.slice(0, each.start) + inFunction(each, variableOf) + whole.slice(each.end),
    code.trimEnd(),
  );
  return `const ${variableOf(`./${fileName}`)}=(()=>{"use strict";${text}})();\n`;
}

/** Returns chunks and those that they import, in the order in which they run. */
function inOrder(names, chunks, ordered = []) {
  for (const name of names) {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    inOrder(chunk.imports, chunks, ordered);
    if (!ordered.includes(chunk)) ordered.push(chunk);
  }
  return ordered;
}

export async function writeWorkerScripts() {
  const chunks = await bundled();
  const variableOf = (name) => `_${chunks.findIndex(({ fileName }) => name === `./${fileName}`)}`;
  const entryOf = (script) => chunks.find(({ name, isEntry }) => isEntry && name === script);
  const textOf = (list) => list.map((chunk) => asStatement(chunk, variableOf)).join('');
  const common = inOrder(entryOf(workerScripts[0].script).imports, chunks);
  const shared = textOf(common);
  for (const [index, { script, chunk }] of workerScripts.entries()) {
    const all = inOrder([entryOf(script).fileName], chunks);
    const own = textOf(all.filter((each) => !common.includes(each)));
    writeFileSync(at('dist', `${script}.js`), breakLines(shared + own));
    const exported = index === 0 ? `export const shared=${JSON.stringify(shared)};\n` : '';
    const text = `${exported}export default ${JSON.stringify(own)};\n`;
    writeFileSync(at('dist', 'chunks', `${chunk}.js`), text);
  }
}
