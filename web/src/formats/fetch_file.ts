// SPDX-License-Identifier: MIT
import { FormatError } from '../base/errors.js';
import type { Budget } from './budget.js';
import { containerOf, kLooked } from './recognise.js';
import type { SourceOptions } from '../base/model_source.js';
import type { OpenFile } from './source.js';

/** How a file is opened. */
export interface Opening extends SourceOptions {
  readonly budget: Budget;
  /** A shard has at most so many bytes; undefined for the file of a model, which is recognised by its first ones. */
  readonly most?: number | undefined;
}

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
  const pieces: Uint8Array[] = [];
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
      pieces.push(next.value);
      loaded += next.value.length;
      checkSize(loaded, file, options);
      if (!recognised && loaded >= kLooked) {
        containerOf(joined(pieces, loaded), file);
        recognised = true;
      }
      onProgress?.({ loaded, total, file });
    }
    signal?.throwIfAborted();
    budget.read(loaded, file);
    return joined(pieces, loaded);
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

/** FormatError for more than may be read, before it is there. */
export function checkSize(size: number, file: string, { most, budget }: Opening): void {
  if (size > budget.bytesLeft) budget.read(size, file);
  if (most !== undefined && size > most) {
    throw new FormatError(
      `${file} has ${size} bytes or more, but its weights take ${most}; does it belong to this model.json?`,
    );
  }
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

/** What a file may name beside itself: nothing outside of its folder. */
export function checkBeside(path: string): string {
  const parts = path.replaceAll('\\', '/').split('/');
  const leaves = parts[0] === '' || parts.includes('..') || (parts[0] as string).includes(':');
  if (!leaves && !path.includes('\0')) return path;
  throw new FormatError(`the file names '${path}', which is not beside it; that is not followed`);
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
