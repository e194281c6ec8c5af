// SPDX-License-Identifier: MIT
import { type Model, loadModel } from '../src/index.js';
import { checkThere, readBytes } from './files.js';

type Source = string | Uint8Array;

/** From a file, an address, standard input (`-`), or bytes; with `weights`, of the first the architecture alone. */
export async function openModel(path: Source, weights?: string): Promise<Model> {
  // Models that read text need it, and no other way is there to know before the file is read.
  await import('../src/text.js');
  const sources = [path, weights].map((source) => {
    if (source === undefined) return undefined;
    if (source === '-') return readBytes(source);
    if (typeof source !== 'string') return source;
    checkThere(source);
    return source;
  });
  const [model = path, other] = sources;
  return loadModel(model, other === undefined ? {} : { weights: other });
}
