// SPDX-License-Identifier: MIT
// Bundles web/src into dist/: which files there are, in which format, and which modules each
// contains. docs/internals/package.md says why.
import { appendFileSync, chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { at } from '../lib/files.mjs';
import { Failure } from '../lib/process.mjs';
import {
  helperScript,
  namespacesAsObjects,
  namespacesWithNames,
  reachedFrom,
  settings,
  source,
  withClassNames,
} from './alone.mjs';
import { copies } from './copies.mjs';
import { sharing } from './entries.mjs';
import { removeFacades } from './facades.mjs';
import { smallParser } from './small_parser.mjs';
import { breakLines, breakLinesOf } from './lines.mjs';
import { shortenExports } from './short_exports.mjs';
import { writeWorkerScripts } from './worker_scripts.mjs';

const command = { cli: at('web', 'cli', 'main.ts') };
const runtimes = { workerd: source('workerd') };

/**
 * Groups shared modules into few files. By default the bundler writes one for each set of entries,
 * and small files compress badly.
 * - `tensor`: tensors and padSequences, which run without the wasm. Apart from `core`, because
 *   bundlers leave out files that a program does not use, but keep most of a file that it uses.
 * - `core`: everything else that maskflow/recurrent imports, and the names of options that its
 *   `loadModel` shares with other entries; all entries load it.
 * - `wasm_chunks`: the table of chunks, which maskflow and maskflow/worker share.
 * - `ready`: the start of maskflow. Not in `all_layers`: apps that fetch this for another entry
 *   would contain the wasm of maskflow.
 * - `threads`: the folder `worker`, parts of which are shared with files that are fetched on
 *   demand.
 * - `wire`: data as workers receive it, which maskflow/train needs without the rest of `threads`:
 *   apps that train would contain the scripts of workers.
 * - `all_layers`: what maskflow and maskflow/train share beyond these.
 *
 * Code that is fetched on demand is in few files: each is a request, and bundlers copy each into
 * every app, whether the app uses it or not.
 * - `reading`: what a .keras file needs. Readers of PyTorch's files and of tables, and what saves
 *   models, share parts of it.
 * - `older_formats`: what files of Keras 1 and 2 and of TensorFlow.js need beyond that, and models
 *   with Lambda layers.
 * - `saving`: what writes models.
 * - `storage`: models in the storage of a browser, and files of Node that are replaced.
 * - `model_methods`: methods of models that most programs do not call, and `verifyModel`.
 * - `numpy`: NumPy's files, which several readers use.
 * - `batches`: code that maskflow/train has from the beginning, and other entries fetch on
 *   demand, for example to evaluate batches.
 * - `training`: the rest of maskflow/train.
 * - `other_wasm`: wasm in files, and of variants that are computed.
 * - `other_starts`: starts with threads or workers, or with an error.
 *
 * CommonJS runs only in Node, where parts that are loaded on demand need not be small. They are few
 * files: `model_files`, `torch_files`, `training` and `pools`.
 */
function groups({ imports }, format) {
  const [recurrent, index, train, worker] = ['recurrent', 'index', 'train', 'worker'].map((entry) =>
    reachedFrom(source(entry), imports),
  );
  // In the entry, because other apps of some bundlers would contain the wasm that the table names.
  for (const name of ['recurrent', 'entries/recurrent_ready', 'engine/recurrent_chunks.gen'])
    recurrent.delete(at('web', 'src', `${name}.ts`));
  // Their few bytes would otherwise make pages of maskflow/recurrent fetch `all_layers` or
  // `training` for a model, or pages with a worker or with texts fetch the readers.
  const sharedSources = [
    'base/crc32c',
    'base/import_failure',
    'base/model_source',
    'base/next_task',
    'formats/open/file_list',
    'formats/open/open_file',
    'formats/text_splitting',
    'layers/call_details',
    'training/pace',
  ].map((name) => at('web', 'src', `${name}.ts`));
  const folder = at('web', 'src', 'worker/');
  const starts = new Set(
    otherStarts.flatMap((name) => [
      ...reachedFrom(at('web', 'src', 'engine', `${name}.ts`), imports),
    ]),
  );
  const isOtherStart = (id) => starts.has(id) && !recurrent.has(id);
  // True if a module imports only modules of the same set, because a chunk includes what its
  // modules import.
  const closed = (id) =>
    [...reachedFrom(id, imports)].every(
      (each) => recurrent.has(each) || starts.has(each) || each.startsWith(folder),
    );
  const isWire = (id) => id === `${folder}rows.ts` || id === `${folder}wire_source.ts`;
  const isThread = (id) => worker.has(id) && id.startsWith(folder) && closed(id);
  const tensor = reachedFrom(at('web', 'src', 'ops', 'pad_sequences.ts'), imports);
  return [
    ...(format === 'cjs' ? [] : [{ name: 'tensor', test: (id) => tensor.has(id) }]),
    { name: 'core', test: (id) => recurrent.has(id) || sharedSources.includes(id) },
    {
      name: 'wasm_chunks',
      test: (id) => index.has(id) && worker.has(id) && !isThread(id),
    },
    // Before `threads`, which would contain what workers share with other starts.
    ...(format === 'cjs' ? [] : [{ name: 'other_starts', test: isOtherStart }]),
    ...(format === 'cjs' ? [] : [{ name: 'wire', test: isWire }]),
    { name: 'threads', test: isThread },
    { name: 'all_layers', test: (id) => index.has(id) && train.has(id) },
    { name: 'ready', test: (id) => id === at('web', 'src', 'entries', 'ready.ts') },
    ...(format === 'cjs' ? groupsOnDemand : fetchedGroups(imports)),
    ...(format === 'cjs' ? [] : [{ name: 'training', test: (id) => train.has(id) }]),
  ];
}

/** Readers of files that are not .keras files of Keras 3; fetched at once if the name says so. */
const olderFormats = [
  'build/custom_activations',
  'dialects/to_keras3',
  'pair/leftovers',
  'pair/pair_layers',
  'read/architecture',
  'read/legacy_h5',
  'read/tfjs',
  'skeleton/unknown_classes',
];

const toolsOfModels = [
  'model/padding/check_padding',
  'model/profile',
  'model/quantize',
  'formats/verify/verify',
];
const callsOfBatches = [
  'layers/function_call',
  'training/evaluate_batches',
  'training/fit_options',
  'training/predict_all',
];
const otherStarts = ['start_errors', 'team', 'cores', 'node_threads', 'start_text'];
const otherWasm = ['wasm_source', 'wasm_patch'].map((name) => `engine/${name}`);

function fetchedGroups(imports) {
  const reached = (...names) =>
    new Set(names.flatMap((name) => [...reachedFrom(at('web', 'src', `${name}.ts`), imports)]));
  const inFormats = (...names) => reached(...names.map((name) => `formats/${name}`));
  // With the library that starts without DecompressionStream need.
  const load = reached('formats/load', 'engine/gunzip');
  const older = inFormats(...olderFormats);
  const saving = inFormats('save', 'save_tfjs', 'tfjs_writer/old_shards', 'training/write');
  const wasm = reached(...otherWasm);
  const storage = reached('formats/open/storage/storage', 'engine/replace_file');
  const tools = reached(...toolsOfModels);
  const batches = reached(...callsOfBatches);
  const numpy = inFormats('numpy/npy', 'numpy/npz', 'row_major');
  return [
    { name: 'reading', test: (id) => load.has(id) },
    { name: 'older_formats', test: (id) => older.has(id) && isIn(id, 'formats') },
    { name: 'numpy', test: (id) => numpy.has(id) },
    { name: 'saving', test: (id) => saving.has(id) },
    { name: 'other_wasm', test: (id) => wasm.has(id) },
    { name: 'storage', test: (id) => storage.has(id) },
    { name: 'model_methods', test: (id) => tools.has(id) },
    { name: 'batches', test: (id) => batches.has(id) },
  ];
}

const isIn = (id, folder) => id.startsWith(at('web', 'src', folder, '/'));
const groupsOnDemand = [
  { name: 'model_files', test: (id) => isIn(id, 'formats') && !isIn(id, 'formats/torch') },
  { name: 'torch_files', test: (id) => isIn(id, 'formats/torch') },
  { name: 'training', test: (id) => isIn(id, 'training') },
  { name: 'pools', test: (id) => isIn(id, 'worker') },
];

/**
 * A replacement of `import.meta.url` in CommonJS that does not import a Node module, because
 * bundlers for pages would see such an import.
 */
const urlInCommonJs =
  'globalThis.process?.getBuiltinModule?.("node:url").pathToFileURL(__filename).href';

/**
 * Settings for CommonJS, which runs only in Node: functions keep their names, too, so that a stack
 * can be read without a map.
 */
const allNames = { class: true, function: true };
const withAllNames = {
  mangle: { keepNames: allNames },
  compress: { keepNames: allNames },
  codegen: true,
};

/** Libraries that are bundled. */
const libraries = ['fflate', '@lezer/python'];
/** Libraries of a checkout that was not installed again: they stay imports, so the rest works. */
const missing = libraries.filter((name) => !existsSync(at('node_modules', ...name.split('/'))));

/**
 * Reads the sources and their graph of imports. Files in chunks/ are external: chunks.mjs writes
 * them.
 */
async function read(input, format) {
  const imports = new Map();
  const bundle = await rolldown({
    ...settings,
    input,
    external: [/^node:/, /^\.\/chunks\//, /\.wasm$/, ...missing],
    makeAbsoluteExternalsRelative: false,
    transform: {
      ...settings.transform,
      define: {
        HELPER_SCRIPT: await helperScript(),
        ...(format === 'cjs' && { 'import.meta.url': urlInCommonJs }),
      },
    },
    // Without this setting, modules that the command shares may be put into the file that runs it.
    experimental: { chunkOptimization: false },
    plugins: [
      namespacesAsObjects,
      namespacesWithNames,
      smallParser,
      copies,
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
 * Moves the bundler's helper for namespaces into each chunk that uses it. As a file of its own, a
 * page would have to wait for it before anything runs.
 */
const helperInPlace = {
  name: 'helper in place',
  generateBundle(_, files) {
    const helper = Object.values(files).find(({ name }) => name === 'rolldown-runtime');
    if (!helper) return;
    const [, body, exported] = /^(.*)export\{(\w+)\};/s.exec(helper.code) ?? [];
    if (!body)
      throw new Failure('the helper of the bundler has changed; adapt helperInPlace of bundle.mjs');
    const usage = new RegExp(`import\\{${exported} as (\\w+)\\}from"\\./${helper.fileName}";`);
    for (const chunk of Object.values(files)) {
      const [statement, name] = usage.exec(chunk.code ?? '') ?? [];
      if (!statement) continue;
      // Fills its place with blanks and moves the function to the end, so that the source map stays
      // correct.
      const code = chunk.code.replace(statement, ' '.repeat(statement.length));
      chunk.code = `${code}function ${name}(...a){${body}return ${exported}(...a)}\n`;
    }
    delete files[helper.fileName];
  },
};

/**
 * Requires the CommonJS file of the glue. The bundler takes what a file of CommonJS exports for the
 * default of an ES module.
 */
const glueRequired = {
  name: 'glue required',
  renderChunk: (code) => ({
    code: code.replaceAll(
      /require\((["'`])\.\/chunks\/glue\.js\1\)/g,
      'require("./chunks/glue.cjs").default',
    ),
    // The source map remains correct, because no line moves.
    map: null,
  }),
};

const facade = /^const (\w+)=require\("(\.\/[\w.-]+)"\)\n((?:exports\.\w+=\1\.[\w$]+[\n;,]?)+)$/;

/**
 * Removes CommonJS files that only export parts of another one; files that require them get these.
 */
const facadesInPlace = {
  name: 'facades in place',
  generateBundle(_, files) {
    for (const chunk of Object.values(files)) {
      if (!chunk.isDynamicEntry) continue;
      const [, name, target, lines] = facade.exec(breakLines(chunk.code).trim()) ?? [];
      if (!name) continue;
      const parts = lines.replaceAll(/exports\.(\w+)=(\w+\.[\w$]+)[\n;,]?/g, '$1:$2,');
      const same = `(${name}=>({${parts}}))(require("${target}"))`;
      for (const other of Object.values(files)) {
        // A function, because names may contain `$`.
        other.code = other.code?.replaceAll(`require("./${chunk.fileName}")`, () => same);
      }
      delete files[chunk.fileName];
    }
  },
};

/**
 * Makes entries name the glue, which the core imports: a page without a bundler then requests both
 * at the same time. Bundlers drop the line.
 */
function requestGlue(chunks) {
  const line = 'import{default as _glue}from"./chunks/glue.js";\n';
  for (const { fileName, isEntry, imports } of chunks) {
    const usesCore = imports.some((name) => name.startsWith('core-'));
    if (isEntry && usesCore) appendFileSync(at('dist', fileName), line);
  }
}

async function write(input, extension, format) {
  const bundle = await read(input, format);
  await bundle.generate({ format });
  const { output } = await bundle.write({
    dir: at('dist'),
    format,
    ...(format === 'cjs'
      ? { comments: { jsdoc: false, annotation: false }, minify: withAllNames }
      : // Files do not name their maps, which are not in the package: tools would look for them.
        {
          minify: withClassNames,
          sourcemap: 'hidden',
        }),
    entryFileNames: `[name]${extension}`,
    chunkFileNames: `[name]-[hash]${extension}`,
    plugins: format === 'esm' ? [helperInPlace] : [glueRequired, facadesInPlace],
    codeSplitting: { groups: groups(bundle, format) },
  });
  let chunks = output.filter(({ type }) => type === 'chunk');
  if (format === 'esm') {
    shortenExports(chunks);
    chunks = removeFacades(chunks);
    requestGlue(chunks);
  }
  for (const { map, fileName } of chunks) {
    if (map || format === 'cjs') breakLinesOf(at('dist', fileName));
  }
  await bundle.close();
  const withLibrary = (library) =>
    output
      .filter(({ moduleIds }) => moduleIds?.some((id) => id.includes(`/node_modules/${library}/`)))
      .map(({ fileName }) => fileName);
  return Object.fromEntries(libraries.map((library) => [library, withLibrary(library)]));
}

/** Writes dist/. Returns for each bundled library the names of the files that contain it. */
export async function bundle() {
  const input = Object.fromEntries(sharing.map((name) => [name, source(name)]));
  try {
    // The command shares the state of the package and is only an ES module.
    const esm = await write({ ...input, ...runtimes, ...command }, '.js', 'esm');
    const cjs = await write(input, '.cjs', 'cjs');
    await writeWorkerScripts();
    makeProgram(at('dist', 'cli.js'));
    return Object.fromEntries(libraries.map((name) => [name, [...esm[name], ...cjs[name]]]));
  } catch (error) {
    throw new Failure(error.message);
  }
}

/** Adds the line that names the interpreter, and makes the file executable. */
function makeProgram(path) {
  const text = readFileSync(path, 'utf8');
  if (!text.startsWith('#!')) {
    writeFileSync(path, `#!/usr/bin/env node\n${text}`);
    const map = JSON.parse(readFileSync(`${path}.map`, 'utf8'));
    writeFileSync(`${path}.map`, JSON.stringify({ ...map, mappings: `;${map.mappings}` }));
  }
  chmodSync(path, 0o755);
}
