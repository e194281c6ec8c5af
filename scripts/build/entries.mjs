// SPDX-License-Identifier: MIT
// The entries of the package. Every list of entries is made from this one: the fields of
// package.json, the files with wasm, the folders for old tools, the inputs of the bundler and of
// TypeDoc.

/** Variants of a module that need no shared memory: pages run one of them by default. */
export const usualVariants = ['simd', 'relaxed'];
/** All variants: `threads` is `relaxed` with shared memory, `simd_threads` is `simd` with it. */
export const variants = [...usualVariants, 'threads', 'simd_threads'];

/**
 * The entries by name. `NAME` is `maskflow/NAME`, with a source of that name in
 * web/src; `index` is `maskflow`.
 * - `module`: the wasm module that `ready` loads. The package then has it as chunks and as files,
 *   and an entry `NAME/wasm` says where the files are.
 * - `script`: the script of workers that run this module, `web/src/<script>.ts`.
 * - `hasEffect`: importing the entry changes another one, so bundlers must not drop the import.
 * - `isOneFile`: iife.mjs writes the entry, and its types, as one file without imports.
 */
const manifest = {
  index: { module: 'all', script: 'worker_main' },
  draw: {},
  port: {},
  recurrent: { module: 'recurrent' },
  single: { isOneFile: true, hasEffect: true },
  tags: { hasEffect: true },
  text: { hasEffect: true },
  torch: {},
  train: { module: 'train', script: 'worker_train' },
  worker: { hasEffect: true },
};

const described = Object.entries(manifest).map(([name, fields]) => ({ name, ...fields }));
const namesOf = (list) => list.map(({ name }) => name);

/** Name of the entry that exports the addresses of another entry's wasm files. */
const wasmEntryOf = (name) => (name === 'index' ? 'wasm' : `${name}_wasm`);
/** Returns the path of an entry inside the package: '.', 'recurrent', 'recurrent/wasm'. */
export const pathOf = (name) => (name === 'index' ? '.' : name.replace('_', '/'));

/**
 * The wasm modules. Each has the entry that loads it, its name, the prefix of its targets in CMake,
 * the prefix of its files and chunks, and the entry that exports the addresses of its files.
 */
export const modules = described
  .filter(({ module }) => module)
  .map(({ name, module }) => ({
    entry: name,
    module,
    target: module === 'all' ? 'maskflow' : `maskflow_${module}`,
    prefix: module === 'all' ? '' : `${module}-`,
    wasmEntry: wasmEntryOf(name),
  }));

/**
 * The variant that scripts contain whole: most engines have relaxed SIMD. Scripts of other variants
 * are the difference from it, which is a twentieth of the size.
 */
export const baseVariant = 'relaxed';

/** Returns the variant that the script of another one is the difference from. */
const baseOf = (variant) => {
  if (variant === baseVariant) return undefined;
  return variant === 'simd_threads' ? 'threads' : baseVariant;
};

/**
 * Returns whether the package has the wasm of a variant as a file. Files of the other variants are
 * computed from that of `relaxed`. `simd` of all layers is a file because workerd cannot compute
 * wasm.
 */
export const hasFile = ({ module }, variant) =>
  variant === baseVariant || (variant === 'simd' && module === 'all');

/**
 * Every module in every variant: its target in CMake, its name in files, after `maskflow-`, its
 * variant, whether it is a file, and the name of the build that its script is the difference from.
 */
export const builds = variants.flatMap((variant) =>
  modules.map((module) => ({
    target: `${module.target}_${variant}`,
    name: `${module.prefix}${variant}`,
    variant,
    hasFile: hasFile(module, variant),
    base: baseOf(variant) && `${module.prefix}${baseOf(variant)}`,
  })),
);

/** Entries that export the addresses of wasm files; write_entries.mjs writes them. */
const wasmEntries = modules.map(({ wasmEntry }) => wasmEntry);
/** Entries that share chunks with each other. */
export const sharing = [
  ...namesOf(described.filter(({ isOneFile }) => !isOneFile)),
  ...wasmEntries,
];
/** Entries that are a single file without imports. */
const oneFile = namesOf(described.filter(({ isOneFile }) => isOneFile));
/** All entries that a user can import. */
export const entries = [...sharing, ...oneFile];
/** Entries whose import has an effect, which bundlers must keep. */
export const withEffect = namesOf(described.filter(({ hasEffect }) => hasEffect));
/** Scripts of the package's own workers; each also is a chunk with its text, `<chunk>.js`. */
export const workerScripts = described
  .filter(({ script }) => script)
  .map(({ script }) => ({ script, chunk: `${script.replace(/_main$/, '')}_script` }));

/** Returns the path of an entry's source in web/src. */
export const sourceOf = (name) => (wasmEntries.includes(name) ? `${name}.gen.ts` : `${name}.ts`);
