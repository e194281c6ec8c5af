// SPDX-License-Identifier: MIT
// The entry of open/: whatever a user passes as a source becomes an OpenFile. Every function that
// reads a model or a file of data begins here.
import { checkAttached } from '../../base/attached.js';
import { checkFunction, checkSignal, refuse } from '../../base/check.js';
import { FormatError, ValueError } from '../../base/errors.js';
import { isBytes, tagOf } from '../../base/tag.js';
import { checkDepth } from '../../engine/config_value.js';
import { Budget } from './budget.js';
import { isFileHandle, isFileList, kModelSources, responseOf } from './file_list.js';
import { fetchFile } from './fetch_file.js';
import type { ModelSource, NamedFile, SourceOptions } from '../../base/model_source.js';
import { isNodePath, openPath } from './node_files.js';
import {
  checkSize,
  kMainFiles,
  kStored,
  type OpenFile,
  type Opening,
  unnamed,
} from './open_file.js';
import { containerOf, isArchitecture } from './recognise.js';
import { filesOfArtifacts, isArtifacts } from './tfjs_artifacts.js';
import { encodeUtf8 } from '../../engine/utf8.js';

/**
 * Opens the main file of a model: fetches it, reads it from disk, or accepts bytes and JSON as they
 * are. `response` is the answer for an address if the caller has asked already. Throws ValueError
 * for a source of another type, FormatError if the file cannot be read.
 */
export async function openSource(
  source: ModelSource,
  options: SourceOptions = {},
  checkHead: Opening['checkHead'] = containerOf,
  response?: Opening['response'],
): Promise<OpenFile> {
  const { signal, limits, onProgress } = options;
  checkSignal(signal);
  if (onProgress !== undefined) checkFunction(onProgress, 'onProgress');
  const budget = new Budget(limits, signal);
  const opening: Opening = { ...options, budget, load: {}, checkHead, response };
  const isText = typeof source === 'string' || source instanceof URL;
  if (isText && kStored.test(String(source))) {
    const { openStored } = await import('./storage/storage.js');
    const stored = await opening.budget.wait(openStored(String(source), opening, fetchFile));
    return stored instanceof Uint8Array ? blobFile(stored, String(source), opening) : stored;
  }
  if (typeof source === 'string' && isJson(source)) {
    const bytes = encodeUtf8(source);
    opening.budget.read(bytes.length, kArchitecture);
    return singleFile(kArchitecture, bytes, opening.budget);
  }
  if (typeof source === 'string' && isNodePath(source)) return openPath(source, opening);
  if (source instanceof URL && source.protocol === 'file:') return openPath(source, opening);
  if (typeof source === 'string' || source instanceof URL) return fetchFile(source, opening);
  if (typeof Response !== 'undefined') {
    if (source instanceof Response || source instanceof Request) return fetchFile(source, opening);
    if (source instanceof ReadableStream) return fetchFile(responseOf(source), opening);
  }
  if (isFileHandle(source)) {
    const file = await source.getFile().catch((error: Error) => {
      throw new FormatError(`${source.name} cannot be read: ${error.message}`);
    });
    return blobFile(file, file.name, opening);
  }
  if (isBytes(source) || source instanceof Blob) {
    return blobFile(source, 'name' in source ? String(source.name) : unnamed, opening);
  }
  if (isArtifacts(source)) {
    checkDepth(source.modelTopology, kArchitecture);
    return openSet(filesOfArtifacts(source), opening);
  }
  if (isArchitecture(source)) {
    const json = checkDepth(source, kArchitecture, (value) => {
      opening.budget.spend('nodes', 1, kArchitecture);
      return value;
    });
    return { ...singleFile(kArchitecture, new Uint8Array(), opening.budget), json };
  }
  const files = 'files' in Object(source) ? (source as { files: unknown }).files : source;
  if (isFileList(files)) return openSet(Array.from(files), opening);
  return refuse('the source of a model', kModelSources, source);
}

const kArchitecture = 'the architecture';

async function blobFile(
  data: Blob | ArrayBuffer | ArrayBufferView,
  name: string,
  opening: Opening,
): Promise<OpenFile> {
  return singleFile(name, await bytesOf(data, name, opening), opening.budget);
}

/** Returns whether this text is JSON rather than an address. */
const isJson = (text: string): boolean => ['{', '['].includes(text.trimStart().slice(0, 1));

/** Returns a file that has no files beside it. */
function singleFile(name: string, bytes: Uint8Array, budget: Budget): OpenFile {
  return {
    name,
    bytes,
    budget,
    async sibling(path) {
      throw new FormatError(
        `${name} refers to '${path}': pass all files, { files: [...] }, or the address of this one`,
      );
    },
  };
}

async function bytesOf(
  data: Blob | ArrayBuffer | ArrayBufferView,
  name: string,
  opening: Opening,
): Promise<Uint8Array> {
  const { budget, signal } = opening;
  if (!(data instanceof Blob)) checkAttached(data);
  const size = data instanceof Blob ? data.size : data.byteLength;
  checkSize(size, name, opening);
  budget.read(size, name);
  if (data instanceof Blob) {
    const bytes = await budget.wait(data.arrayBuffer()).catch((error: unknown) => {
      throw new FormatError(`${name} cannot be read: ${(error as Error).message}`);
    });
    signal?.throwIfAborted();
    return new Uint8Array(bytes);
  }
  if (!ArrayBuffer.isView(data)) return new Uint8Array(data);
  const { buffer, byteOffset, byteLength } = data;
  const bytes = new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
  // Shared memory may change between a check and a use, and TextDecoder does not accept it.
  return tagOf(buffer) !== 'SharedArrayBuffer' ? bytes : bytes.slice();
}

const pathOf = (file: NamedFile): string =>
  (file as { webkitRelativePath?: string }).webkitRelativePath || file.name;

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

function openSet(files: readonly NamedFile[], opening: Opening): Promise<OpenFile> {
  for (const file of files) {
    if (typeof file?.name !== 'string') throw new ValueError('each of the files needs a name');
    if (!(file instanceof Blob) && !isBytes(file.data)) {
      throw new ValueError(`the file '${file.name}' needs bytes: a File, or { name, data }`);
    }
  }
  const { budget, signal, onProgress } = opening;
  const open = async (file: NamedFile, maxBytes?: number): Promise<OpenFile> => {
    signal?.throwIfAborted();
    const data = file instanceof Blob ? file : file.data;
    const bytes = await bytesOf(data, file.name, { ...opening, maxBytes });
    await onProgress?.({ loaded: bytes.length, total: bytes.length, file: file.name });
    return {
      name: file.name,
      bytes,
      budget,
      others: files
        .filter((other) => other !== file)
        .map((other) => ({ name: other.name, open: () => open(other) })),
      async sibling(path, shardBytes) {
        const match =
          files.find((other) => pathOf(other).endsWith(path)) ??
          files.find((other) => baseName(other.name) === baseName(path));
        if (match) return open(match, shardBytes);
        throw new FormatError(
          `${file.name} refers to '${path}', which is not among the ${files.length} files: ${nameList(files)}`,
        );
      },
    };
  };
  return open(mainOf(files));
}

/**
 * Returns the file that describes the others: model.json or that of a SavedModel, or else the only
 * .keras file, .h5 file or JSON file.
 * Throws FormatError if no file is one of these.
 */
function mainOf(files: readonly NamedFile[]): NamedFile {
  const named = (matches: (name: string) => boolean): NamedFile[] =>
    files.filter(({ name }) => matches(name.toLowerCase()));
  const [first] = files;
  const candidates = [
    ...kMainFiles.map((main) => named((name) => baseName(name) === main)),
    ...[['.keras'], ['.h5', '.hdf5'], ['.json']].map((endings) =>
      named((name) => endings.some((ending) => name.endsWith(ending))),
    ),
  ];
  const main = candidates.find((list) => list.length === 1)?.[0] ?? first;
  if (main && (files.length === 1 || main !== first || candidates.some(({ length }) => length))) {
    return main;
  }
  throw new FormatError(
    `none of the ${files.length} files is a model: ${nameList(files)}; add the .keras file, the .h5 file or model.json`,
  );
}

function nameList(files: readonly NamedFile[]): string {
  const names = files.slice(0, 20).map(pathOf);
  return `${names.join(', ')}${files.length > 20 ? ` and ${files.length - 20} more` : ''}`;
}
