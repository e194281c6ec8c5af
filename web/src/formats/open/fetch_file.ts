// SPDX-License-Identifier: MIT
// Files from an address, a Request or a Response. With the option `cache`, storage/ decides whether
// the network is used.
import { FormatError } from '../../base/errors.js';
import { joinBytes } from '../../base/array.js';
import { kHeadBytes } from './recognise.js';
import {
  type Answer,
  checkBeside,
  checkSize,
  type FetchedFile,
  isTfjsScheme,
  kMainFiles,
  type OpenFile,
  type Opening,
} from './open_file.js';

/**
 * Fetches a file and reports its progress. Throws FormatError if the server answers with an error,
 * the connection breaks, or the format is unknown.
 */
export async function fetchFile(
  source: string | URL | Request | Response,
  options: Opening,
): Promise<OpenFile> {
  const { budget } = options;
  const { address, bytes } =
    (await fetchFromFolder(source, options)) ?? (await budget.wait(fetchBytes(source, options)));
  return {
    name: nameOf(address),
    bytes,
    budget,
    sibling: (path, maxBytes) =>
      fetchFile(siblingAddress(path, address), { ...options, maxBytes, response: undefined }),
    complete: async () => options.load.cached?.complete(),
  };
}

/** Fetches the file that names the others, if the address is that of a folder which has one. */
async function fetchFromFolder(
  source: string | URL | Request | Response,
  options: Opening,
): Promise<FetchedFile | undefined> {
  const address = String(source);
  const isFolder = address.split(/[?#]/, 1)[0]?.endsWith('/') && !address.startsWith('data:');
  if (!isFolder || options.maxBytes !== undefined) return undefined;
  for (const name of kMainFiles) {
    try {
      const file = siblingAddress(name, address);
      return await options.budget.wait(fetchBytes(file, { ...options, response: undefined }));
    } catch (error) {
      if (!(error instanceof FormatError && error.code === 'ERR_NOT_FOUND')) throw error;
    }
  }
  return undefined;
}

/** Fetches a file, from the cache if that has it. */
async function fetchBytes(
  source: string | URL | Request | Response,
  options: Opening,
): Promise<FetchedFile> {
  if (source instanceof Response) {
    return answerOf(source, source.url || 'the response', options).read();
  }
  const isRequest = typeof Request !== 'undefined' && source instanceof Request;
  const address = isRequest ? source.url : String(source);
  const isCached =
    options.cache !== undefined &&
    options.cache !== false &&
    !/^(data|blob):/.test(address) &&
    !(isRequest && source.method !== 'GET');
  if (!isCached) return answerOf(await get(source, options), address, options).read();
  const { fetchCached } = await import('./storage/storage.js');
  return fetchCached(source, options, async (headers) => {
    // The browser's own cache would keep the file a second time.
    const response = await get(source, options, { headers, cache: 'no-store' });
    return answerOf(response, address, options);
  });
}

/** Answers of a server that does not show a file. */
const hidden = [401, 403, 404];

/** `requested` names the file if the response has no address. */
function answerOf(response: Response, requested: string, options: Opening): Answer {
  const address = response.url || requested;
  return {
    response,
    async read() {
      if (!response.ok) {
        throw new FormatError(
          `${address}: the server answered ${response.status} ${response.statusText}`.trimEnd(),
          hidden.includes(response.status) ? 'ERR_NOT_FOUND' : 'ERR_HTTP',
        );
      }
      return { address, bytes: await readAll(response, nameOf(address), options) };
    },
  };
}

const nameOf = (address: string): string =>
  address.startsWith('data:') ? 'the data: address' : address;

async function get(
  source: string | URL | Request,
  { signal, response }: Pick<Opening, 'signal' | 'response'>,
  settings: RequestInit = {},
): Promise<Response> {
  try {
    // Headers in the options of fetch() would replace those of a Request.
    const { headers, ...rest } = settings;
    const isRequest = typeof source === 'object' && 'headers' in source;
    const request = {
      ...rest,
      ...(headers && !isRequest && { headers }),
      ...(signal && { signal }),
    };
    return await (response ?? fetch(source, request));
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const address = source instanceof URL || typeof source === 'string' ? source : source.url;
    const hint = isTfjsScheme(address)
      ? "; store models as 'indexeddb://name' or 'opfs://name'"
      : '';
    throw new FormatError(`${address} cannot be fetched: ${reasonOf(error)}${hint}`);
  }
}

// The message of Node's fetch is only "fetch failed"; the reason is in its cause.
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return cause?.message || message || String(error);
}

async function readAll(response: Response, file: string, options: Opening): Promise<Uint8Array> {
  const { onProgress, signal, budget, maxBytes } = options;
  const total = sizeOf(response);
  if (total !== null) checkSize(total, file, options);
  if (response.bodyUsed || response.body?.locked) {
    throw new FormatError(`the response from ${file} was already read; fetch it again`);
  }
  const buffer = new ResponseBuffer(total);
  let loaded = 0;
  let isFormatChecked = maxBytes !== undefined;
  const reader = response.body?.getReader();
  const stop = (): void => void reader?.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', stop);
  const read = () =>
    reader?.read().catch((error: unknown) => {
      if (signal?.aborted) throw signal.reason;
      throw new FormatError(
        `the connection to ${file} broke after ${loaded} bytes: ${reasonOf(error)}`,
      );
    });
  try {
    for (let next = await read(); next && !next.done; next = await read()) {
      signal?.throwIfAborted();
      buffer.add(next.value);
      loaded += next.value.length;
      checkSize(loaded, file, options);
      if (!isFormatChecked && loaded >= kHeadBytes) {
        options.checkHead(buffer.bytes(), file);
        isFormatChecked = true;
      }
      await onProgress?.({ loaded, total, file });
    }
    signal?.throwIfAborted();
    checkLinkedSize(response, loaded, file);
    budget.read(loaded, file);
    return buffer.bytes();
  } finally {
    signal?.removeEventListener('abort', stop);
    // After an error, the rest of the response is not needed.
    stop();
  }
}

/** Throws FormatError if the hub of Hugging Face announced another size of the file. */
function checkLinkedSize({ headers }: Response, loaded: number, file: string): void {
  const linked = headers.get('x-linked-size');
  if (linked === null || Number(linked) === loaded) return;
  throw new FormatError(
    `${file} has ${loaded} bytes, but the hub announced ${linked}; fetch it again`,
  );
}

/** Size that the server announces; null if it does not, or if it compresses the response. */
function sizeOf({ headers }: Response): number | null {
  const length = headers.get('content-encoding') ? null : headers.get('content-length');
  const size = length === null ? Number.NaN : Number(length);
  return Number.isFinite(size) ? size : null;
}

/** Largest announced size for which memory is allocated in advance. */
const kMaxAhead = 2 ** 29;

/** Memory of this size; an empty array if the engine has too little. */
function roomFor(size: number): Uint8Array {
  try {
    return new Uint8Array(size);
  } catch {
    return new Uint8Array(0);
  }
}

/** Collects a response in one array of the announced size, so it is not in memory twice. */
class ResponseBuffer {
  readonly #buffer: Uint8Array;
  /** Pieces beyond the announced size. */
  readonly #overflow: Uint8Array[] = [];
  #filled = 0;

  constructor(total: number | null) {
    this.#buffer = roomFor(Math.min(total ?? 0, kMaxAhead));
  }

  add(piece: Uint8Array): void {
    const fits = this.#overflow.length === 0 && this.#filled + piece.length <= this.#buffer.length;
    if (!fits) return void this.#overflow.push(piece);
    this.#buffer.set(piece, this.#filled);
    this.#filled += piece.length;
  }

  bytes(): Uint8Array {
    return joinBytes([this.#buffer.subarray(0, this.#filled), ...this.#overflow]);
  }
}

/** Address of a file beside another one. */
function siblingAddress(path: string, address: string): URL {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const url = new URL(
    checkBeside(path).split('/').map(encodeURIComponent).join('/'),
    new URL(address, page),
  );
  // The query holds a signature or version, which the other files need, too.
  url.search = new URL(address, page).search;
  return url;
}
