// SPDX-License-Identifier: MIT
// Reads the package's wasm files and changes their marks: the sections with the version and the
// variant that scripts/build/wasm_mark.mjs adds.
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { internals } from './internals.js';

export const fileOf = (name) => new URL(`../../dist/maskflow-${name}.wasm`, import.meta.url);
export const bytesOf = (name) => new Uint8Array(readFileSync(fileOf(name)));

/**
 * Returns the wasm of a variant that the package has as a difference. `base` is the variant that
 * it differs from; one that is a difference, too, is followed by its own base.
 */
export async function computedBytes(name, base, ...further) {
  const { patched } = await internals('engine/wasm_patch.ts');
  const { default: text } = await import(new URL(`../../dist/chunks/${name}.js`, import.meta.url));
  const from = further.length > 0 ? await computedBytes(base, ...further) : bytesOf(base);
  return patched(new Uint8Array(gunzipSync(Buffer.from(text, 'base64'))), from);
}

const title = 'maskflow';
// Head of a custom section: its kind, its size, the length of its name.
const kHead = 3;

/** Builds a custom section of the package with this text. */
function section(text) {
  const content = Buffer.from(title + text);
  return Buffer.concat([Buffer.from([0, content.length + 1, title.length]), content]);
}

/** Returns the text of a file's mark. */
export function markIn(bytes) {
  const at = Buffer.from(bytes).lastIndexOf(title);
  return Buffer.from(bytes.subarray(at + title.length)).toString();
}

/** Returns the bytes with another text as their mark, or without a mark. */
export function withMark(bytes, text) {
  const end = Buffer.from(bytes).lastIndexOf(title) - kHead;
  const content = bytes.subarray(0, end);
  return new Uint8Array(text === null ? content : Buffer.concat([content, section(text)]));
}

/** Returns the smallest module with a mark. */
export const emptyModule = (text) =>
  new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...(text === null ? [] : section(text))]);
