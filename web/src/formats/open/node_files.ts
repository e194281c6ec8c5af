// SPDX-License-Identifier: MIT
// Files and folders from a path, in Node, Deno and Bun.
import { FormatError, MaskflowError } from '../../base/errors.js';
import { nodeModule } from '../../engine/node_module.js';
import { checkBeside, checkSize, kMainFiles, type OpenFile, type Opening } from './open_file.js';
import { kHeadBytes } from './recognise.js';

interface Handle {
  read(into: Uint8Array, offset: number, length: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}
interface Facts {
  readonly size: number;
  readonly ino: number;
  readonly mtimeMs: number;
  isDirectory(): boolean;
  isFile(): boolean;
  isFIFO(): boolean;
}
interface FileSystem {
  open(path: string | URL): Promise<Handle>;
  readdir(path: string | URL): Promise<string[]>;
  stat(path: string | URL): Promise<Facts>;
}

const fileSystem = (): FileSystem | undefined => nodeModule<FileSystem>('node:fs/promises');

const kSchemeCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789+.-';

/** Returns whether it begins with a scheme like `https:`. A single letter is a Windows drive. */
function hasScheme(address: string): boolean {
  const scheme = address.slice(0, Math.max(0, address.indexOf(':'))).toLowerCase();
  const first = scheme[0] ?? '0';
  const isPlain = [...scheme.slice(0, 32)].every((character) =>
    kSchemeCharacters.includes(character),
  );
  return scheme.length > 1 && scheme.length < 32 && first >= 'a' && first <= 'z' && isPlain;
}

/** Returns whether the text is a path: a file: URL or, in Node, a text without a scheme. */
export function isNodePath(source: string): boolean {
  return source.startsWith('file:') || (!hasScheme(source) && !!fileSystem());
}

/** Opens a file of Node's file system, or the one of `kMainFiles` in a folder. */
export async function openPath(path: string | URL, opening: Opening): Promise<OpenFile> {
  const files = fileSystem();
  if (!files) {
    throw new FormatError(`${path} is a path, which only Node 20.16 or later can open`);
  }
  const { budget, onProgress } = opening;
  const location = typeof path === 'string' && path.startsWith('file:') ? new URL(path) : path;
  let facts: Facts | undefined;
  const bytes = await attempt(async () => {
    facts = await files.stat(location);
    if (facts.isDirectory()) return undefined;
    // Refuses devices, because one such as /dev/zero has no end.
    if (!facts.isFile() && !facts.isFIFO()) {
      throw new FormatError(`${path} is a device or a socket, not a file`);
    }
    return budget.wait(readAll(files, location, facts.size, opening));
  }, opening);
  if (!bytes) return openFolder(files, location, opening);
  budget.read(bytes.length, String(path));
  await onProgress?.({ loaded: bytes.length, total: bytes.length, file: String(path) });
  return {
    name: String(path),
    bytes,
    budget,
    sibling: (other, maxBytes) =>
      openPath(join(path, checkBeside(other)), { ...opening, maxBytes }),
    async replacement() {
      const now = await files.stat(location).catch(() => undefined);
      if (!facts || !now || isSame(facts, now)) return undefined;
      return openPath(path, opening);
    },
  };
}

const isSame = (a: Facts, b: Facts): boolean =>
  a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;

/** Number of bytes that are read at a time. */
const kPiece = 2 ** 24;

/** Reads to the end of the file, whatever `size` says: it may be a pipe, or may grow. */
async function readAll(
  files: FileSystem,
  path: string | URL,
  size: number,
  opening: Opening,
): Promise<Uint8Array> {
  checkSize(size, String(path), opening);
  const handle = await files.open(path);
  try {
    let bytes = new Uint8Array(size + 1);
    let loaded = 0;
    for (;;) {
      opening.signal?.throwIfAborted();
      const length = Math.min(kPiece, bytes.length - loaded);
      const { bytesRead } = await handle.read(bytes, loaded, length);
      if (bytesRead === 0) return bytes.subarray(0, loaded);
      const before = loaded;
      loaded += bytesRead;
      checkSize(loaded, String(path), opening);
      const hasHead = before < kHeadBytes && loaded >= kHeadBytes;
      if (hasHead && opening.maxBytes === undefined)
        opening.checkHead(bytes.subarray(0, loaded), String(path));
      if (loaded === bytes.length) bytes = grown(bytes);
    }
  } finally {
    await handle.close();
  }
}

function grown(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(2 * bytes.length, 65536));
  larger.set(bytes);
  return larger;
}

/** Converts errors of the file system to FormatError. */
async function attempt<T>(run: () => Promise<T>, { signal }: Opening): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof MaskflowError) throw error;
    throw new FormatError(`the file cannot be read: ${(error as Error).message}`);
  }
}

/** Opens the file of a folder that names the others. */
async function openFolder(
  files: FileSystem,
  path: string | URL,
  opening: Opening,
): Promise<OpenFile> {
  const names = await attempt(() => files.readdir(path), opening);
  const text = String(path);
  const folder = `${text.endsWith('/') ? text.slice(0, -1) : text}/.`;
  const main = kMainFiles.find((name) => names.includes(name));
  if (main !== undefined) return openPath(join(folder, main), opening);
  throw new FormatError(
    `${path} is a folder without model.json and without a SavedModel of Keras 2; pass the path of a .keras or .h5 file`,
  );
}

function join(path: string | URL, other: string): string | URL {
  const text = String(path);
  if (text.startsWith('file:')) {
    return new URL(other.split('/').map(encodeURIComponent).join('/'), text);
  }
  return text.slice(0, Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1) + other;
}
