// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import { joinBytes } from '../../base/array.js';
import { containerOf, kLooked } from './recognise.js';
import type { SourceOptions } from '../../base/model_source.js';
import { checkBeside, checkSize, type OpenFile, type Opening } from './open_file.js';

/** Fetches a file, telling how far it is. FormatError when the server answers with an error. */
export async function fetchFile(
  source: string | URL | Response,
  options: Opening,
): Promise<OpenFile> {
  const { budget } = options;
  const response = source instanceof Response ? source : await budget.wait(get(source, options));
  const address = response.url || String(source instanceof Response ? 'the response' : source);
  if (!response.ok) {
    throw new FormatError(
      `fetching ${address} was answered with ${response.status} ${response.statusText}`.trimEnd(),
    );
  }
  const name = address.startsWith('data:') ? 'the data: address' : address;
  return {
    name,
    bytes: await budget.wait(readAll(response, name, options)),
    budget,
    sibling: (path, most) => fetchFile(beside(path, address), { ...options, most }),
  };
}

async function get(address: string | URL, { signal }: SourceOptions): Promise<Response> {
  try {
    return await fetch(address, signal ? { signal } : {});
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw new FormatError(`${address} cannot be fetched: ${reasonOf(error)}`);
  }
}

// Node's fetch says only "fetch failed"; its cause says why.
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return cause?.message || message || String(error);
}

async function readAll(response: Response, file: string, options: Opening): Promise<Uint8Array> {
  const { onProgress, signal, budget, most } = options;
  const total = sizeOf(response);
  if (total !== null) checkSize(total, file, options);
  if (response.bodyUsed || response.body?.locked) {
    throw new FormatError(`the answer from ${file} was read before; fetch it again`);
  }
  const gathered = new Gathered(total);
  let loaded = 0;
  let recognised = most !== undefined;
  const reader = response.body?.getReader();
  const stop = (): void => void reader?.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', stop);
  const read = () =>
    reader?.read().catch((error: unknown) => {
      if (signal?.aborted) throw signal.reason;
      throw new FormatError(`${file} broke off after ${loaded} bytes: ${reasonOf(error)}`);
    });
  try {
    for (let next = await read(); next && !next.done; next = await read()) {
      signal?.throwIfAborted();
      gathered.add(next.value);
      loaded += next.value.length;
      checkSize(loaded, file, options);
      if (!recognised && loaded >= kLooked) {
        containerOf(gathered.bytes(), file);
        recognised = true;
      }
      await onProgress?.({ loaded, total, file });
    }
    signal?.throwIfAborted();
    budget.read(loaded, file);
    return gathered.bytes();
  } finally {
    signal?.removeEventListener('abort', stop);
    // What comes after an error is not wanted; at the end nothing comes.
    stop();
  }
}

/** Of the whole file, as the server says; null where it does not. The length counts packed bytes where it packs them. */
function sizeOf({ headers }: Response): number | null {
  const length = headers.get('content-encoding') ? null : headers.get('content-length');
  const size = length === null ? Number.NaN : Number(length);
  return Number.isFinite(size) ? size : null;
}

/** More than this is not believed of a server before it has come. */
const kMostAhead = 2 ** 29;

function roomFor(size: number): Uint8Array {
  try {
    return new Uint8Array(size);
  } catch {
    return new Uint8Array(0);
  }
}

/** What comes of a file, in place where the server says how much it will be: large files are not there twice. */
class Gathered {
  readonly #whole: Uint8Array;
  readonly #beyond: Uint8Array[] = [];
  #filled = 0;

  constructor(total: number | null) {
    this.#whole = roomFor(Math.min(total ?? 0, kMostAhead));
  }

  add(piece: Uint8Array): void {
    const fits = this.#beyond.length === 0 && this.#filled + piece.length <= this.#whole.length;
    if (!fits) return void this.#beyond.push(piece);
    this.#whole.set(piece, this.#filled);
    this.#filled += piece.length;
  }

  bytes(): Uint8Array {
    return joinBytes([this.#whole.subarray(0, this.#filled), ...this.#beyond]);
  }
}

function beside(path: string, address: string): URL {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const url = new URL(
    checkBeside(path).split('/').map(encodeURIComponent).join('/'),
    new URL(address, page),
  );
  // Addresses that are signed or versioned are so for all files.
  url.search = new URL(address, page).search;
  return url;
}
