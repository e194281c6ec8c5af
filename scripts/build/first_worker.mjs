// SPDX-License-Identifier: MIT
// Builds the worker of the page's first chapter. Everything that its first answer needs is one
// file, because each further request costs a round trip. The rest of the package stays in files
// beside it, which are fetched on demand: a fifth of its bytes.
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync, zipSync } from 'fflate';
import { rolldown } from 'rolldown';
import { at } from '../lib/files.mjs';

/** The file of the package that `loadModel` fetches for a .keras file of Keras 3. */
const loading = /^reading-[\w-]+\.js$/;

/** The file that computes a variant from `relaxed`. */
const patching = /^other_wasm-[\w-]+\.js$/;

const entry = at('page', 'engine', 'recurrent.ts');

/** Records which modules each module imports. */
const recording = (imports) => ({
  name: 'graph',
  moduleParsed({ id, importedIds }) {
    imports.set(id, importedIds);
  },
});

/**
 * Compresses models, which Keras stores as they are: numbers in base64 hardly compress. All files
 * have the same date, so that equal models are equal bytes.
 */
const compressedModels = {
  name: 'compressed models',
  load(id) {
    if (!id.endsWith('.keras')) return null;
    const model = zipSync(unzipSync(readFileSync(id)), { level: 9, mtime: new Date(2000, 0) });
    const text = Buffer.from(model).toString('base64');
    return `export default Uint8Array.from(atob('${text}'), (byte) => byte.charCodeAt(0));`;
  },
};

/** Returns modules and all that they import. */
function reachedFrom(ids, imports, reached = new Set()) {
  for (const id of ids) {
    if (reached.has(id)) continue;
    reached.add(id);
    reachedFrom(imports.get(id) ?? [], imports, reached);
  }
  return reached;
}

/**
 * Writes `first-VARIANT.mjs` and the files beside it to `folder`. `dist` contains the built
 * package, `alias` names its entries.
 */
export async function buildFirstWorker({ dist, variant, folder, alias }) {
  // Other variants are computed from the first of these.
  const inside = ['glue.js', 'recurrent-relaxed.js', `recurrent-${variant}.js`];
  const outside = readdirSync(join(dist, 'chunks')).filter((name) => !inside.includes(name));
  const modules = [
    entry,
    ...readdirSync(dist)
      .filter((name) => loading.test(name) || (variant !== 'relaxed' && patching.test(name)))
      .map((name) => join(dist, name)),
    ...inside.map((name) => join(dist, 'chunks', name)),
  ];
  const imports = new Map();
  let first;
  const bundle = await rolldown({
    cwd: at(),
    platform: 'browser',
    input: { [`first-${variant}`]: entry },
    plugins: [recording(imports), compressedModels],
    resolve: { alias },
    external: (id) =>
      id.startsWith('node:') || outside.some((name) => id.endsWith(`/chunks/${name}`)),
    makeAbsoluteExternalsRelative: false,
    moduleTypes: { '.keras': 'js' },
    preserveEntrySignatures: 'allow-extension',
    transform: { target: 'es2022' },
    treeshake: { moduleSideEffects: (id) => id.startsWith(at('page')) },
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    minify: true,
    comments: false,
    entryFileNames: '[name].mjs',
    chunkFileNames: `${variant}-[name]-[hash].mjs`,
    codeSplitting: {
      groups: [
        {
          name: 'first',
          test: (id) => {
            first ??= reachedFrom(modules, imports);
            return first.has(id) || id.includes('rolldown/runtime');
          },
        },
      ],
    },
  });
  await bundle.close();
  mkdirSync(join(folder, 'chunks'), { recursive: true });
  const code = output.map((each) => each.code ?? '').join('\n');
  for (const name of outside)
    if (code.includes(`chunks/${name}`))
      copyFileSync(join(dist, 'chunks', name), join(folder, 'chunks', name));
}
