// SPDX-License-Identifier: MIT
import { FormatError } from '../errors.js';
import { checkBeside } from './fetch_file.js';
import { savedModel } from './recognise.js';
import type { OpenFile, SourceOptions } from './source.js';

interface FileSystem {
  readFile(path: string | URL, options?: { signal?: AbortSignal }): Promise<Uint8Array>;
  readdir(path: string | URL): Promise<string[]>;
  stat(path: string | URL): Promise<{ isDirectory(): boolean }>;
}

/** Node's files, where there is Node; not by import(), which bundlers for pages would chase. */
function fileSystem(): FileSystem | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?(name: string): FileSystem };
  };
  return process?.getBuiltinModule?.('node:fs/promises');
}

/** Is this text a path? Not where there is no file system, and not with a scheme before it. */
export function isNodePath(source: string): boolean {
  return source.startsWith('file:') || (!/^[a-z][a-z0-9+.-]+:/i.test(source) && !!fileSystem());
}

export async function openPath(path: string | URL, options: SourceOptions): Promise<OpenFile> {
  const files = fileSystem();
  if (!files)
    throw new FormatError(`${path} is a file of Node 20.16 or later, but this is not Node`);
  const place = typeof path === 'string' && path.startsWith('file:') ? new URL(path) : path;
  const { signal, onProgress } = options;
  const bytes = await attempt(async () => {
    if ((await files.stat(place)).isDirectory()) return undefined;
    return files.readFile(place, signal ? { signal } : {});
  }, options);
  if (!bytes) return openFolder(files, place, options);
  onProgress?.({ loaded: bytes.length, total: bytes.length, file: String(path) });
  return {
    name: String(path),
    bytes,
    sibling: (other) => openPath(join(place, checkBeside(other)), options),
  };
}

async function attempt<T>(run: () => Promise<T>, { signal }: SourceOptions): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new FormatError(`the file cannot be read: ${(error as Error).message}`);
  }
}

async function openFolder(
  files: FileSystem,
  path: string | URL,
  options: SourceOptions,
): Promise<OpenFile> {
  const names = await attempt(() => files.readdir(path), options);
  if (names.includes('saved_model.pb')) throw new FormatError(savedModel(String(path)));
  const folder = `${String(path).replace(/\/$/, '')}/.`;
  if (names.includes('model.json')) return openPath(join(folder, 'model.json'), options);
  throw new FormatError(
    `${path} is a folder without model.json; give the path of a .keras or .h5 file`,
  );
}

function join(path: string | URL, other: string): string | URL {
  const text = String(path);
  if (/^file:/.test(text)) return new URL(other.split('/').map(encodeURIComponent).join('/'), text);
  return text.slice(0, Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1) + other;
}
