// SPDX-License-Identifier: MIT
// Sources of model files that cross to a worker. A worker reads a file itself, unless only the page
// can.
import { checkSignal, isPlain, refuse } from '../base/check.js';
import { FormatError } from '../base/errors.js';
import { isBytes } from '../base/tag.js';
import { kStored } from '../formats/open/open_file.js';
import { isFileHandle, isFileList, kModelSources, responseOf } from '../formats/open/file_list.js';
import type { ModelSource, NamedFile, SourceOptions } from '../base/model_source.js';
import type { WireSource } from './messages.js';
import type { LoadOptions } from '../model/load_options.js';
import { nodeThreads } from '../engine/node_threads.js';
import { encodeUtf8 } from '../engine/utf8.js';

/** A source as plain data. Addresses are relative to this page, not to the worker's script. */
export async function sourceToWire(
  source: ModelSource,
  options: SourceOptions,
): Promise<WireSource> {
  // JSON, as text or parsed.
  if (typeof source === 'string' && /^\s*[{[]/.test(source)) {
    return { data: encodeUtf8(source) };
  }
  checkSignal(options.signal);
  if (typeof source === 'string') return { address: absolute(source), isUrl: false };
  if (source instanceof URL) return { address: source.href, isUrl: true };
  if (typeof Response !== 'undefined') {
    if (source instanceof Response || source instanceof Request) return read(source, options);
    if (source instanceof ReadableStream) return read(responseOf(source), options);
  }
  if (isFileHandle(source)) return { data: await clonable(await source.getFile()) };
  if (source instanceof Blob) return { data: await clonable(source) };
  if (Array.isArray(source) && 'class_name' in Object(source[0])) {
    return { data: source as never };
  }
  const files = 'files' in Object(source) ? (source as { files: unknown }).files : source;
  if (!ArrayBuffer.isView(source) && isFileList(files)) {
    return { files: await Promise.all(Array.from(files as ArrayLike<NamedFile>, toNamed)) };
  }
  if (ArrayBuffer.isView(source)) return { data: withoutRest(source) };
  if (isPlain(source) || isBytes(source)) {
    return { data: source as ArrayBuffer };
  }
  return refuse('the source of a model', kModelSources, source);
}

/** Copies a view of a part of its buffer, because the whole buffer would be sent with it. */
function withoutRest(view: ArrayBufferView): ArrayBufferView {
  const { buffer, byteOffset, byteLength } = view;
  return byteLength === buffer.byteLength
    ? view
    : new Uint8Array(buffer, byteOffset, byteLength).slice();
}

function absolute(address: string): string {
  const { location } = globalThis as { location?: { href: string } };
  return location && !nodeThreads() && !kStored.test(address)
    ? new URL(address, location.href).href
    : address;
}

/** Reads here what cannot be sent. */
async function read(
  response: Request | Response,
  { onProgress, signal, limits, cache }: SourceOptions,
): Promise<WireSource> {
  const [{ fetchFile }, { Budget }, { containerOf }] = await Promise.all([
    import('../formats/open/fetch_file.js'),
    import('../formats/open/budget.js'),
    import('../formats/open/recognise.js'),
  ]);
  const options = {
    ...(onProgress && { onProgress }),
    ...(signal && { signal }),
    ...(cache !== undefined && { cache }),
    load: {},
    checkHead: containerOf,
  };
  const budget = new Budget(limits, signal);
  return { data: (await fetchFile(response, { ...options, budget })).bytes };
}

// Node cannot post a File.
const clonable = async (blob: Blob): Promise<Blob | ArrayBuffer> =>
  nodeThreads() ? blob.arrayBuffer() : blob;

async function toNamed(
  file: NamedFile,
): Promise<{ path: string; data: Blob | ArrayBuffer | ArrayBufferView }> {
  const path = (file as { webkitRelativePath?: string })?.webkitRelativePath || file?.name;
  if (typeof path !== 'string') throw new FormatError('each of the files needs a name');
  const data = file instanceof Blob ? await clonable(file) : file.data;
  return { path, data: ArrayBuffer.isView(data) ? withoutRest(data) : data };
}

/** The source of `loadModel`, with its weights if they are elsewhere. */
export async function loadToWire(source: ModelSource, options: LoadOptions): Promise<WireSource> {
  const wire = await sourceToWire(source, options);
  const { weights } = options;
  return weights ? { ...wire, weights: await sourceToWire(weights, options) } : wire;
}

/** The source for `loadModel` in the worker. */
export function sourceFromWire(source: WireSource): ModelSource {
  if ('address' in source) return source.isUrl ? new URL(source.address) : source.address;
  if ('data' in source) return source.data;
  return {
    files: source.files.map(({ path, data }) =>
      data instanceof Blob ? new File([data], path) : { name: path, data },
    ),
  };
}
