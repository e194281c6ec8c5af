// SPDX-License-Identifier: MIT
// The address after '#': a version, the chapter on view and every setting that differs from its
// default, such as '#v1/flow?flow.preset=plus&padding.maxlen=8'. '#flow' and '#3' work as well.
// Unreadable parts are ignored.
import type { Values } from './settings.js';

export interface Place {
  chapter: string;
  values: Map<string, Values>;
}

const version = 'v1';

export function readPlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const chapter = path.replace(/^v\d+\//, '');
  const values = new Map<string, Values>();
  for (const [key, value] of new URLSearchParams(query)) {
    const [owner = '', name = ''] = key.split(/\.(.*)/s);
    const own = values.get(owner) ?? new Map<string, string>();
    values.set(owner, own.set(name, value));
  }
  return { chapter, values };
}

export function writePlace({ chapter, values }: Place): string {
  const settings = new URLSearchParams();
  for (const [owner, own] of values) {
    for (const [name, value] of own) settings.set(`${owner}.${name}`, value);
  }
  const text = settings.toString();
  return `#${version}/${chapter}${text ? `?${text}` : ''}`;
}

/** Returns the values that differ from the defaults. */
export function changes(values: Values, defaults: Values): Values {
  return new Map([...values].filter(([name, value]) => defaults.get(name) !== value));
}

/** Compresses text and encodes it as base64url for an address. */
export async function pack(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate-raw'));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Largest number of bytes that an address may unpack to. */
export const longest = 100_000;

/** Returns the text that `pack` encoded; undefined for anything else. */
export async function unpack(packed: string): Promise<string | undefined> {
  try {
    const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    const text = await through(bytes, new DecompressionStream('deflate-raw'), longest);
    return new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    return undefined;
  }
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  limit = Number.POSITIVE_INFINITY,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length;
    if (length > limit) {
      await reader.cancel();
      throw new RangeError(`The text has more than ${limit} bytes.`);
    }
    parts.push(read.value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
