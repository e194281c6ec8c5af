// SPDX-License-Identifier: MIT
// The files that a worker may ask the page for, by their paths below the top of the page. A worker
// reads no other file, so the name of a file cannot carry data of a program.

/** The models of the page, their recordings, and the cases of the last chapter. */
export const models = [
  'models/adding.keras',
  'models/brackets.keras',
  'models/prefixes.keras',
  'models/sensor.keras',
  'models/adding.json',
  'models/brackets.json',
  'models/sensor.json',
  'models/cases.json',
] as const;

/** The chunks of the package that its workers fetch on demand; the build copies them. */
export const chunks = [
  'engine/chunks/relaxed.js',
  'engine/chunks/simd.js',
  'engine/chunks/simd_threads.js',
  'engine/chunks/threads.js',
  'engine/chunks/train-relaxed.js',
  'engine/chunks/train-simd.js',
  'engine/chunks/train-simd_threads.js',
  'engine/chunks/train-threads.js',
  'engine/chunks/worker_script.js',
  'engine/chunks/worker_train_script.js',
] as const;

export type FileName = (typeof models)[number] | (typeof chunks)[number];

const names: ReadonlySet<string> = new Set([...models, ...chunks]);

export const isFileName = (name: string): name is FileName => names.has(name);
