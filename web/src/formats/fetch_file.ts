// SPDX-License-Identifier: MIT
import { FormatError } from '../errors.js';
import type { OpenFile, SourceOptions } from './source.js';

/** Fetches a file, telling how far it is. FormatError when the server answers with an error. */
export async function fetchFile(
  source: string | URL | Response,
  options: SourceOptions,
): Promise<OpenFile> {
  const response = source instanceof Response ? source : await get(source, options);
  const address = response.url || String(source instanceof Response ? 'the response' : source);
  if (!response.ok) {
    throw new FormatError(
      `fetching ${address} was answered with ${response.status} ${response.statusText}`.trimEnd(),
    );
  }
  const name = address.startsWith('data:') ? 'the data: address' : address;
  return {
    name,
    bytes: await readAll(response, name, options),
    sibling: (path) => fetchFile(beside(path, address), options),
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

async function readAll(
  response: Response,
  file: string,
  { onProgress, signal }: SourceOptions,
): Promise<Uint8Array> {
  // The length counts packed bytes where the server packs them.
  const packed = response.headers.get('content-encoding');
  const length = packed ? null : response.headers.get('content-length');
  const total = length === null ? null : Number(length);
  const pieces: Uint8Array[] = [];
  let loaded = 0;
  const reader = response.body?.getReader();
  const read = () =>
    reader?.read().catch((error: unknown) => {
      if (signal?.aborted) throw signal.reason;
      throw new FormatError(`${file} broke off after ${loaded} bytes: ${reasonOf(error)}`);
    });
  for (let next = await read(); next && !next.done; next = await read()) {
    signal?.throwIfAborted();
    pieces.push(next.value);
    loaded += next.value.length;
    onProgress?.({ loaded, total, file });
  }
  return joined(pieces, loaded);
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
  const leaves = /^[a-z][a-z0-9+.-]*:|^[/\\]|(^|[/\\])\.\.([/\\]|$)/i.test(path);
  if (path && !leaves) return path;
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
