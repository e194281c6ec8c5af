// SPDX-License-Identifier: MIT
// The destination of every saved file: a disk, a download, or storage of the browser.
import { FormatError, StateError } from '../../base/errors.js';
import { isPlace } from '../open/open_file.js';
import { nodeModule } from '../../engine/node_module.js';

/** Starts the download of a file. */
function download(document: Document, name: string, bytes: Uint8Array): void {
  const address = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  const link = document.createElement('a');
  link.href = address;
  link.download = name.slice(name.lastIndexOf('/') + 1);
  link.click();
  // The browser reads the data after click() has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Writes a file: in Node to this path, on a page as a download, or to a place in the browser. In
 * Node and in places, an old file stays until the new one is complete. Throws FormatError if the
 * path cannot be written, and StateError where there is no disk and no document.
 */
export async function writeFile(name: string, bytes: Uint8Array): Promise<void> {
  if (isPlace(name)) {
    const { writePlaced } = await import('../open/storage/storage.js');
    return writePlaced(name, bytes);
  }
  return writeFiles([[name, bytes]]);
}

/** Writes files that belong together. In Node, none of them changes before all are on the disk. */
export async function writeFiles(files: readonly (readonly [string, Uint8Array])[]): Promise<void> {
  if (nodeModule('node:fs/promises')) return replace(files);
  const { document } = globalThis as { document?: Document };
  for (const [name, bytes] of files) {
    if (document) download(document, name, bytes);
    else {
      throw new StateError(
        `'${name}' cannot be written: there is no disk and no document for a download; save without a name and use the bytes`,
      );
    }
  }
}

async function replace(files: readonly (readonly [string, Uint8Array])[]): Promise<void> {
  const { replaceFiles } = await import('../../engine/replace_file.js');
  try {
    await replaceFiles(files.map(([name, bytes]) => [name, [bytes]] as const));
  } catch (error) {
    const [[name] = ['']] = files;
    throw new FormatError(`${name} cannot be written: ${(error as Error).message}`);
  }
}
