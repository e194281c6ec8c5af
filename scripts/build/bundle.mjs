// SPDX-License-Identifier: MIT
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { at } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';
import { sharing, sourceOf, workerScripts } from './entries.mjs';
import { breakLinesOf } from './lines.mjs';

const source = (name) => at('web', 'src', sourceOf(name));
const command = { cli: at('web', 'cli', 'main.ts') };
const runtimes = { workerd: source('workerd') };

/** What a module imports before it runs, by way of others, too, and itself. */
function reachedFrom(first, imports) {
  const reached = new Set();
  const visit = (id) => {
    if (reached.has(id)) return;
    reached.add(id);
    for (const next of imports.get(id) ?? []) visit(next);
  };
  visit(first);
  return reached;
}

/**
 * What entries share, in few files: left to itself, the bundler makes one for each set of users, and small ones compress badly.
 * `core` is what maskflow/recurrent has but for what is its own, and all entries have it; `all_layers` is what maskflow and
 * maskflow/train have beyond it, but for what maskflow/worker, which does without layers, has of that; `threads` is the room of the
 * workers, of which what is fetched later shares parts.
 */
function groups({ imports }) {
  const [recurrent, index, train, worker] = ['recurrent', 'index', 'train', 'worker'].map((entry) =>
    reachedFrom(source(entry), imports),
  );
  recurrent.delete(source('recurrent'));
  const isIndex = (id) => id === source('index');
  const room = at('web', 'src', 'worker/');
  // A chunk takes along what its modules import: only those that need no more than the room and the core.
  const closed = (id) =>
    [...reachedFrom(id, imports)].every((one) => recurrent.has(one) || one.startsWith(room));
  // Else the table of a module that two files fetch would be a file of its own.
  const isTable = (id) => id.endsWith('_chunks.gen.ts');
  const isThread = (id) => worker.has(id) && id.startsWith(room) && closed(id);
  return [
    { name: 'core', test: (id) => recurrent.has(id) },
    {
      name: 'wasm_chunks',
      test: (id) => isTable(id) || (index.has(id) && worker.has(id) && !isThread(id)),
    },
    { name: 'threads', test: isThread },
    // (The entry itself, which others import, would be an empty file.)
    { name: 'all_layers', test: (id) => isIndex(id) || (index.has(id) && train.has(id)) },
  ];
}

/** Where CommonJS is: only Node runs it, and bundlers for pages must see no import of a module of Node's. */
const hereInCommonJs =
  'globalThis.process?.getBuiltinModule?.("node:url").pathToFileURL(__filename).href';

export const settings = {
  cwd: at(),
  platform: 'neutral',
  transform: { target: 'es2022' },
  treeshake: { moduleSideEffects: false },
};

/** The sources with their graph; the chunks beside the entries are written by chunks.mjs and stay as they are. */
async function read(input, extension, format) {
  const imports = new Map();
  const bundle = await rolldown({
    ...settings,
    input,
    external: [/^node:/, /^\.\/chunks\//, /\.wasm$/],
    makeAbsoluteExternalsRelative: false,
    transform: {
      ...settings.transform,
      define: {
        MODULE_EXTENSION: JSON.stringify(extension),
        ...(format === 'cjs' && { 'import.meta.url': hereInCommonJs }),
      },
    },
    // Else what the command shares with others may be put into the file that runs it.
    experimental: { chunkOptimization: false },
    plugins: [
      {
        name: 'graph',
        buildEnd() {
          for (const id of this.getModuleIds()) {
            imports.set(id, this.getModuleInfo(id)?.importedIds ?? []);
          }
        },
      },
    ],
  });
  return Object.assign(bundle, { imports });
}

/**
 * The bundler's helper for namespaces, in each chunk that uses it: a file of its own would be one more
 * that a page waits for before anything can run.
 */
const helperInPlace = {
  name: 'helper in place',
  generateBundle(_, files) {
    const helper = Object.values(files).find(({ name }) => name === 'rolldown-runtime');
    if (!helper) return;
    const [, body, exported] = /^(.*)export\{(\w+)\};/s.exec(helper.code) ?? [];
    if (!body)
      throw new Failure('the helper of the bundler is no longer what bundle.mjs takes out');
    const used = new RegExp(`import\\{${exported} as (\\w+)\\}from"\\./${helper.fileName}";`);
    for (const chunk of Object.values(files)) {
      const [statement, name] = used.exec(chunk.code ?? '') ?? [];
      if (!statement) continue;
      // Blanks in its place and a function at the end: the source map stays true.
      const end = chunk.code.lastIndexOf('//# sourceMappingURL');
      const code = chunk.code.slice(0, end).replace(statement, ' '.repeat(statement.length));
      const own = `function ${name}(...a){${body}return ${exported}(...a)}\n`;
      chunk.code = code + own + chunk.code.slice(end);
    }
    delete files[helper.fileName];
  },
};

/** Test runners run CommonJS where there is no import(). (Only the wasm's text is still imported, where its file is not there.) */
const glueRequired = {
  name: 'glue required',
  renderChunk: (code) => ({
    code: code.replaceAll(
      /import\((["'`])\.\/chunks\/glue\.js\1\)/g,
      'Promise.resolve(require("./chunks/glue.cjs"))',
    ),
    // (Lines stay where they are.)
    map: null,
  }),
};

async function write(input, extension, format) {
  const bundle = await read(input, extension, format);
  await bundle.generate({ format });
  const { output } = await bundle.write({
    dir: at('dist'),
    format,
    // CommonJS runs in Node alone: its names stay, so that a stack can be read without a map.
    ...(format === 'cjs'
      ? { comments: { jsdoc: false }, minify: { mangle: false, compress: false, codegen: true } }
      : { minify: true, sourcemap: true }),
    entryFileNames: `[name]${extension}`,
    chunkFileNames: `[name]-[hash]${extension}`,
    plugins: format === 'esm' ? [helperInPlace] : [glueRequired],
    codeSplitting: { groups: groups(bundle) },
  });
  for (const { type, map, fileName } of output) {
    if (type === 'chunk' && (map || format === 'cjs')) breakLinesOf(at('dist', fileName));
  }
  await bundle.close();
  const hasReaders = ({ moduleIds }) => moduleIds?.some((id) => id.includes('/fflate/'));
  return output.filter(hasReaders).map(({ fileName }) => fileName);
}

const chunksInside = {
  name: 'chunks inside',
  resolveId: (id) => (/^\.\/chunks\//.test(id) ? at('dist', id.slice(2)) : null),
};

/** For files that have the chunks beside the entries inside them. They are classic scripts as well as modules. */
export const alone = {
  input: {
    ...settings,
    transform: {
      ...settings.transform,
      define: { MODULE_EXTENSION: '".js"', 'import.meta.url': 'undefined' },
    },
    plugins: [chunksInside],
  },
  output: { format: 'iife', minify: true, codeSplitting: false },
};

/** The script of workers in one file, glue included: whatever serves or bundles it has nothing else to find. */
async function writeWorkerScript(name, chunk) {
  const bundle = await rolldown({
    ...alone.input,
    input: source(name),
    // What runs in the worker is what it does when it is loaded.
    treeshake: true,
  });
  const { output } = await bundle.write({ ...alone.output, file: at('dist', `${name}.js`) });
  // Once more as text, for pages whose bundler leaves the file behind.
  writeFileSync(
    at('dist', 'chunks', `${chunk}.js`),
    `export default ${JSON.stringify(output[0].code)};\n`,
  );
  breakLinesOf(at('dist', `${name}.js`));
  await bundle.close();
}

/** Gives the names of the files that have fflate in them. */
export async function bundle() {
  const input = Object.fromEntries(sharing.map((name) => [name, source(name)]));
  try {
    // The command shares the package's state; it is no CommonJS module.
    const esm = await write({ ...input, ...runtimes, ...command }, '.js', 'esm');
    const cjs = await write(input, '.cjs', 'cjs');
    for (const { script, chunk } of workerScripts) await writeWorkerScript(script, chunk);
    makeProgram(at('dist', 'cli.js'));
    return [...esm, ...cjs];
  } catch (error) {
    throw new Failure(error.message);
  }
}

/** npm links commands to files that say what runs them. */
function makeProgram(path) {
  const text = readFileSync(path, 'utf8');
  if (!text.startsWith('#!')) {
    writeFileSync(path, `#!/usr/bin/env node\n${text}`);
    const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'));
    writeFileSync(`${path}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }));
  }
  chmodSync(path, 0o755);
}
