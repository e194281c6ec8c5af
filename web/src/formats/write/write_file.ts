// SPDX-License-Identifier: MIT
import { FormatError, StateError } from '../../base/errors.js';
import { isPlace } from '../open/open_file.js';
import { nodeModule } from '../../engine/node_module.js';

interface Files {
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
}

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
 * Writes a file: in Node to this path, on a page as a download, or to a place in the browser.
 * Throws FormatError if the path cannot be written, and StateError where there is no disk and no document.
 */
export async function writeFile(name: string, bytes: Uint8Array): Promise<void> {
  if (isPlace(name)) {
    const { writePlaced } = await import('../open/storage/storage.js');
    return writePlaced(name, bytes);
  }
  const { document } = globalThis as { document?: Document };
  const files = nodeModule<Files>('node:fs/promises');
  if (files) {
    try {
      await files.writeFile(name, bytes);
    } catch (error) {
      throw new FormatError(`${name} cannot be written: ${(error as Error).message}`);
    }
    return;
  }
  if (document) download(document, name, bytes);
  else {
    throw new StateError(
      `'${name}' cannot be written: there is no disk and no document for a download; save without a name and use the bytes`,
    );
  }
}
