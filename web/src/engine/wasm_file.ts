// SPDX-License-Identifier: MIT
import { nodeModule } from './node_module.js';

interface Files {
  readFileSync(path: URL): Uint8Array<ArrayBuffer>;
  existsSync(path: URL): boolean;
}
const files = (): Files | undefined => nodeModule<Files>('node:fs');

/** A file: address is read by Node itself, whose fetch refuses it. Null for other addresses, and where there are no files. */
export function fileBytes(address: string): Uint8Array<ArrayBuffer> | null {
  if (!address.startsWith('file:')) return null;
  return files()?.readFileSync(new URL(address)) ?? null;
}

/** Bytes of a file of the package that lies beside this one; null on a page, and in a bundle, which has left it behind. */
export function bytesBeside(name: string): Uint8Array<ArrayBuffer> | null {
  try {
    return fileBytes(beside(name).href);
  } catch {
    return null;
  }
}

/** The address of such a file. */
export function addressBeside(name: string): URL | null {
  try {
    const address = beside(name);
    return files()?.existsSync(address) ? address : null;
  } catch {
    return null;
  }
}

// (In two steps: bundlers would copy the file that `new URL(name, import.meta.url)` names.)
function beside(name: string): URL {
  const here = import.meta.url;
  return new URL(name, here);
}
