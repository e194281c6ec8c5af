// SPDX-License-Identifier: MIT
// Writes the files that follow from the list of entries, and package.json's fields about them.
import { readFileSync, writeFileSync } from 'node:fs';
import { at, readIfThere } from '../lib/files.mjs';
import {
  baseVariant,
  entries,
  hasFile,
  modules,
  pathOf,
  variants,
  withEffect,
  workerScripts,
} from './entries.mjs';
import { topFolders } from './package_folders.mjs';

const head =
  '// SPDX-License-Identifier: MIT\n// Generated from scripts/build/entries.mjs; do not edit.\n';

const quoted = (name) => (name === 'index' ? '`maskflow`' : `\`maskflow/${name}\``);

/** The variants of a module that are files. */
const fileVariants = (module) => variants.filter((variant) => hasFile(module, variant));

/** Returns the source of an entry that exports the addresses of another entry's wasm files. */
function wasmEntry(module) {
  const { entry, prefix, wasmEntry: name } = module;
  const names = fileVariants(module);
  const urls = names.map(
    (variant) => `  ${variant}: new URL('./maskflow-${prefix}${variant}.wasm', import.meta.url),\n`,
  );
  const type = `Pick<Required<WasmVariants>, ${names.map((variant) => `'${variant}'`).join(' | ')}>`;
  return `${head}
/**
 * The wasm of ${quoted(entry)} as files, for pages where bytes count. \`ready({ wasm })\` fetches
 * the file of the variant that the engine runs, or computes that variant from the file of
 * \`relaxed\` and a small script. The script with the same content, which the file replaces, is a
 * third larger. For bundlers that support \`new URL('…', import.meta.url)\`, and for pages without
 * a bundler.
 *
 * @module maskflow/${pathOf(name)}
 */
import type { WasmVariants } from './engine/runtime.js';

/** Addresses of the files, for \`ready({ wasm })\`. */
export const wasm: ${type} = {
${urls.join('')}};
`;
}

/** Returns the source of the table with the chunks and files of a module. */
function chunkTable(module) {
  const { entry, module: name, prefix } = module;
  const lines = variants.map((variant) => {
    const script = `chunks/${prefix}${variant}.js`;
    const fields = [
      ...(hasFile(module, variant) ? [`file: 'maskflow-${prefix}${variant}.wasm'`] : []),
      ...(variant === baseVariant ? [] : [`difference: '${script}'`]),
      `load: () => import('./${script}')`,
    ];
    return `  ${variant}: {\n${fields.map((field) => `    ${field},\n`).join('')}  },\n`;
  });
  return `${head}
import type { WasmChunks } from './wasm_input.js';

/** The wasm of ${quoted(entry)}. */
export const ${name}Chunks: WasmChunks = {
${lines.join('')}};
`;
}

function versionFile() {
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  return `${head.replace('scripts/build/entries.mjs', 'package.json')}
/** Version of the package. */
export const version = '${version}';
`;
}

/** Returns the path and the text of each generated source. */
const generatedSources = () => [
  ['web/src/base/version.gen.ts', versionFile()],
  ...modules.flatMap((module) => [
    [`web/src/${module.wasmEntry}.gen.ts`, wasmEntry(module)],
    [`web/src/engine/${module.module}_chunks.gen.ts`, chunkTable(module)],
  ]),
];

function exportsOf(name) {
  const file = (ending) => `./dist/${name}.${ending}`;
  return {
    // An entry of its own for Cloudflare's runtime, which cannot compile wasm at run time.
    ...(name === 'index' && {
      workerd: { types: file('d.ts'), default: './dist/workerd.js' },
    }),
    import: { types: file('d.ts'), default: file('js') },
    require: { types: file('d.cts'), default: file('cjs') },
  };
}

const keyOf = (path) => (path === '.' ? path : `./${path}`);

const byPath = (a, b) => (pathOf(a) < pathOf(b) ? -1 : 1);

/** Returns package.json with the fields that list entries and files. */
function withEntries(manifest) {
  const scripts = workerScripts.map(({ script }) => `${script}.js`);
  const wasm = modules.flatMap((module) =>
    fileVariants(module).map((variant) => `maskflow-${module.prefix}${variant}.wasm`),
  );
  const own = (name) => [`./${name}`, `./dist/${name}`];
  return {
    ...manifest,
    sideEffects: [
      ...withEffect.flatMap((name) => [`./dist/${name}.js`, `./dist/${name}.cjs`]),
      ...scripts.map((name) => `./dist/${name}`),
      './dist/cli.js',
      './dist/maskflow.iife.js',
    ],
    files: [
      ...['CHANGELOG.md', 'dist', ...topFolders],
      ...['!dist/page', '!dist/site', '!dist/.built', '!dist/**/*.map'],
    ],
    exports: {
      ...Object.fromEntries(
        [...entries].sort(byPath).map((name) => [keyOf(pathOf(name)), exportsOf(name)]),
      ),
      ...Object.fromEntries([...scripts, ...wasm].map(own)),
      './package.json': './package.json',
    },
  };
}

/**
 * Returns the path and the text of generated files, and of package.json, that differ from the list
 * of entries.
 */
export function staleEntryFiles() {
  const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const files = [
    ...generatedSources(),
    ['package.json', `${JSON.stringify(withEntries(manifest), null, 2)}\n`],
  ];
  return files.filter(([path, text]) => readIfThere(at(path)) !== text);
}

/** Writes the files that differ from the list of entries. */
export function writeEntries() {
  for (const [path, text] of staleEntryFiles()) writeFileSync(at(path), text);
}
