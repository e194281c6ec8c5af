// SPDX-License-Identifier: MIT
// Bundles sources as files that contain their chunks: scripts that need no other file. bundle.mjs,
// which splits the package into chunks, uses the same settings.
import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { at } from '../lib/files.mjs';
import { sourceOf } from './entries.mjs';

export const source = (name) => at('web', 'src', sourceOf(name));

/** Returns a module and everything that it imports, directly or indirectly. */
export function reachedFrom(first, imports) {
  const reached = new Set();
  const visit = (id) => {
    if (reached.has(id)) return;
    reached.add(id);
    for (const next of imports.get(id) ?? []) visit(next);
  };
  visit(first);
  return reached;
}

/** Settings of the minifier that keep the names of classes, for stacks and consoles. */
const keepNames = { class: true, function: false };
export const withClassNames = { mangle: { keepNames }, compress: { keepNames }, codegen: true };

/** Files with `export * as name from`, whose functions keep their names. */
const namespaceFile = /\/(?:regularizers|random|callbacks|sklearn_scalers)_namespace\.ts$/;

/** Makes objects of small namespaces, with the names of functions, which the minifier shortens. */
export const namespacesWithNames = {
  name: 'namespaces with names',
  load(id) {
    if (!namespaceFile.test(id)) return null;
    const [, name, from] = /export \* as (\w+) from '(.*)'/.exec(readFileSync(id, 'utf8'));
    const named = JSON.stringify(at('web', 'src', 'base', 'named.ts'));
    return `import * as all from '${from}';
import { named } from ${named};
export const ${name} = /* @__PURE__ */ named({ ...all }, '${name}');
`;
  },
};

/**
 * Replaces the namespaces of layers and ops by objects that extend each other, which take fewer
 * bytes. Declarations keep the namespaces, because documentation and types of users refer to them.
 */
export const namespacesAsObjects = {
  name: 'namespaces as objects',
  resolveId(id) {
    const [, name] =
      /\/(layers\/(?:all|recurrent|train)_layers|ops\/(?:all|train)_ops)\.js$/.exec(id) ?? [];
    return name ? at('web', 'src', `${name}_object.ts`) : null;
  },
};

export const settings = {
  cwd: at(),
  platform: 'neutral',
  transform: { target: 'es2022' },
  treeshake: { moduleSideEffects: false },
  // A module that is imported and also fetched by import() is in a chunk of its own if all that
  // import it are fetched late.
  checks: { ineffectiveDynamicImport: false },
};

const chunksInside = {
  name: 'chunks inside',
  resolveId: (id) => (/^\.\/chunks\//.test(id) ? at('dist', id.slice(2)) : null),
};

/** Leaves out modules that are imported on demand. */
export const without = (...names) => ({
  name: `without ${names}`,
  resolveId: (id, _, { kind }) =>
    kind === 'dynamic-import' && names.some((name) => id.endsWith(`/${name}.js`))
      ? `absent ${id}`
      : null,
  load: (id) => (id.startsWith('absent ') ? 'export {};' : null),
});
/** How variants are computed: scripts that are one file contain or receive whole modules. */
const withoutPatches = without('wasm_patch');
/** Settings of files that contain their chunks. They run as classic scripts and as modules. */
const alone = {
  input: {
    ...settings,
    transform: {
      ...settings.transform,
      define: { 'import.meta.url': 'undefined' },
    },
    plugins: [chunksInside, withoutPatches, namespacesAsObjects, namespacesWithNames],
  },
  output: { format: 'iife', minify: true, codeSplitting: false },
};

/** Returns the text of the script of helpers, which engine/team.ts contains. */
export async function helperScript() {
  const bundle = await rolldown({ ...alone.input, input: source('helper'), treeshake: true });
  const { output } = await bundle.generate(alone.output);
  await bundle.close();
  return JSON.stringify(output[0].code);
}

/**
 * Bundles a source as one file that contains its chunks. `input` and `output` are further settings;
 * their plugins come first.
 */
export async function bundleAlone(input, output) {
  const bundle = await readAlone(input);
  const written = await bundle.write({ ...alone.output, ...output });
  await bundle.close();
  return written.output[0];
}

/** Reads the sources of files that contain their chunks. */
export async function readAlone({ plugins = [], ...input }) {
  const { transform, ...usual } = alone.input;
  const define = { ...transform.define, HELPER_SCRIPT: await helperScript() };
  return rolldown({
    ...usual,
    transform: { ...transform, define },
    ...input,
    plugins: [...plugins, ...usual.plugins],
  });
}
