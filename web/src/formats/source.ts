// SPDX-License-Identifier: MIT
import { FormatError, ValueError } from '../errors.js';
import { fetchFile } from './fetch_file.js';
import { isNodePath, openPath } from './node_files.js';

/** How far the reading of a file is. */
export interface Progress {
  /** Bytes so far. */
  loaded: number;
  /** Bytes in all; null when the server does not say. */
  total: number | null;
  /** Which file: a model of several has several. */
  file: string;
}

export interface SourceOptions {
  /** Called while files are fetched. */
  onProgress?: (progress: Progress) => void;
  /** Stops the fetching; the promise fails with the signal's reason. */
  signal?: AbortSignal;
}

/** A file by name, such as one that was dropped on a page. */
export type NamedFile =
  | File
  | { readonly name: string; readonly data: ArrayBuffer | ArrayBufferView };

/**
 * Where a model comes from: an address (relative to the page; in Node also a path), the file itself, its bytes, or all
 * files of a model that has several (`model.json` and its shards).
 */
export type ModelSource =
  | string
  | URL
  | Blob
  | Response
  | ArrayBuffer
  | ArrayBufferView
  | ArrayLike<NamedFile>
  | { readonly files: ArrayLike<NamedFile> };

/** What messages call bytes that came without a name. */
export const unnamed = 'the file';

export interface OpenFile {
  /** For messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Another file beside this one, by relative path; FormatError when there is none. */
  sibling(path: string): Promise<OpenFile>;
}

/** The bytes of the (main) file of a model. */
export async function openSource(
  source: ModelSource,
  options: SourceOptions = {},
): Promise<OpenFile> {
  options.signal?.throwIfAborted();
  if (typeof source === 'string' && isNodePath(source)) return openPath(source, options);
  if (source instanceof URL && source.protocol === 'file:') return openPath(source, options);
  if (typeof source === 'string' || source instanceof URL) return fetchFile(source, options);
  if (typeof Response !== 'undefined' && source instanceof Response) {
    return fetchFile(source, options);
  }
  if (isBytes(source) || source instanceof Blob) {
    const name = 'name' in source ? String(source.name) : unnamed;
    return alone(name, await bytesOf(source));
  }
  const files = 'files' in Object(source) ? (source as { files: unknown }).files : source;
  if (isList(files)) return openSet(Array.from(files), options);
  throw new ValueError(
    'a model is loaded from a URL, a File or Blob, bytes, a list of files, or a path in Node',
  );
}

function alone(name: string, bytes: Uint8Array): OpenFile {
  return {
    name,
    bytes,
    async sibling(path) {
      throw new FormatError(
        `${name} needs '${path}' beside it: give all files, { files: [...] }, or the address of the first`,
      );
    },
  };
}

const isBytes = (value: unknown): value is ArrayBuffer | ArrayBufferView =>
  ArrayBuffer.isView(value) ||
  value instanceof ArrayBuffer ||
  Object.prototype.toString.call(value) === '[object ArrayBuffer]';

const isList = (value: unknown): value is ArrayLike<NamedFile> =>
  typeof value === 'object' && value !== null && 'length' in value;

async function bytesOf(data: Blob | ArrayBuffer | ArrayBufferView): Promise<Uint8Array> {
  if (data instanceof Blob) return new Uint8Array(await data.arrayBuffer());
  if (ArrayBuffer.isView(data)) {
    return new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  }
  return new Uint8Array(data);
}

const pathOf = (file: NamedFile): string =>
  (file as { webkitRelativePath?: string }).webkitRelativePath || file.name;

const last = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function openSet(files: readonly NamedFile[], options: SourceOptions): Promise<OpenFile> {
  for (const file of files) {
    if (typeof file?.name !== 'string') throw new ValueError('each of the files needs a name');
  }
  const open = async (file: NamedFile): Promise<OpenFile> => {
    options.signal?.throwIfAborted();
    const bytes = await bytesOf(file instanceof Blob ? file : file.data);
    options.onProgress?.({ loaded: bytes.length, total: bytes.length, file: file.name });
    return {
      name: file.name,
      bytes,
      async sibling(path) {
        const found =
          files.find((other) => pathOf(other).endsWith(path)) ??
          files.find((other) => last(other.name) === last(path));
        if (found) return open(found);
        throw new FormatError(
          `${file.name} needs '${path}', which is not among the ${files.length} files: ${nameList(files)}`,
        );
      },
    };
  };
  return open(mainOf(files));
}

/** The file that says what the others are. */
function mainOf(files: readonly NamedFile[]): NamedFile {
  const named = (pattern: RegExp): NamedFile[] => files.filter(({ name }) => pattern.test(name));
  const [only] = files;
  const candidates = [/(^|\/)model\.json$/i, /\.keras$/i, /\.(h5|hdf5)$/i, /\.json$/i].map(named);
  const found = candidates.find((list) => list.length === 1)?.[0] ?? only;
  if (found && (files.length === 1 || found !== only || candidates.some(({ length }) => length))) {
    return found;
  }
  throw new FormatError(
    `none of the ${files.length} files is a model: ${nameList(files)}; there must be a .keras or .h5 file, or model.json`,
  );
}

function nameList(files: readonly NamedFile[]): string {
  const names = files.slice(0, 20).map(pathOf);
  return `${names.join(', ')}${files.length > 20 ? ` and ${files.length - 20} more` : ''}`;
}
