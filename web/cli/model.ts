// SPDX-License-Identifier: MIT
import { type Model, loadModel } from '../src/index.js';
import { readBytes } from './files.js';

/** A model from a file, an address, or standard input (`-`). */
export async function openModel(path: string): Promise<Model> {
  return loadModel(path === '-' ? readBytes(path) : path);
}
