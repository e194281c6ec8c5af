// SPDX-License-Identifier: MIT
// Loading of a model, for all commands that compute with one.
import { type Model, loadModel } from '../src/index.js';
import { checkExists, readBytes } from './files.js';

type Source = string | Uint8Array;

/**
 * Loads a model from a file, an address, standard input (`-`) or bytes. With `weights`, only the
 * architecture comes from the first source.
 */
export async function openModel(path: Source, weights?: string): Promise<Model> {
  // Models that read text need it, and this is unknown before the file is read.
  await import('../src/text.js');
  const sources = [path, weights].map((source) => {
    if (source === undefined) return undefined;
    if (source === '-') return readBytes(source);
    if (typeof source !== 'string') return source;
    checkExists(source);
    return source;
  });
  const [model = path, other] = sources;
  return loadModel(model, other === undefined ? {} : { weights: other });
}
