// SPDX-License-Identifier: MIT
// Wasm and scripts as files beside this one, which only Node, Deno and Bun can read.
import { nodeModule } from './node_module.js';

interface Files {
  readFileSync(path: URL): Uint8Array<ArrayBuffer>;
  existsSync(path: URL): boolean;
}
const files = (): Files | undefined => nodeModule<Files>('node:fs');

/**
 * The bytes at a `file:` address, which Node's fetch refuses. Null for other addresses, and where
 * files cannot be read.
 */
export function fileBytes(address: string): Uint8Array<ArrayBuffer> | null {
  if (!address.startsWith('file:')) return null;
  return files()?.readFileSync(new URL(address)) ?? null;
}

/** Bytes of a file of the package beside this one. Null on pages, and in bundles, which lack it. */
export function bytesBeside(name: string): Uint8Array<ArrayBuffer> | null {
  try {
    return fileBytes(beside(name).href);
  } catch {
    return null;
  }
}

/** The address of a file beside this one; null if it does not exist. */
export function addressBeside(name: string): URL | null {
  try {
    const address = beside(name);
    return files()?.existsSync(address) ? address : null;
  } catch {
    return null;
  }
}

// Two statements, because bundlers would copy the file that `new URL(name, import.meta.url)` names.
function beside(name: string): URL {
  const here = import.meta.url;
  return new URL(name, here);
}
