// SPDX-License-Identifier: MIT
// The library apache-arrow, which users install themselves for Arrow files.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Arrow from 'apache-arrow';
import { UnsupportedError } from '../../src/base/errors.js';

export type Library = typeof Arrow;

/**
 * Imports apache-arrow, which is not part of this package. Looks for it in the project of the
 * working directory first, then beside this package.
 *
 * Throws UnsupportedError if it is in neither place.
 */
export async function arrowLibrary(): Promise<Library> {
  const bases = [join(process.cwd(), 'package.json'), import.meta.url];
  for (const base of bases) {
    const path = resolved(base);
    if (path) return (await import(String(pathToFileURL(path)))) as Library;
  }
  throw new UnsupportedError(
    'Arrow data needs the library apache-arrow; install it with: npm install apache-arrow',
  );
}

function resolved(base: string): string | undefined {
  try {
    return createRequire(base).resolve('apache-arrow');
  } catch {
    return undefined;
  }
}
