// SPDX-License-Identifier: MIT
// Models as files of the origin's private file system.
import { UnsupportedError } from '../../../base/errors.js';
import type { Place, PlacedModel } from './place.js';
import { navigatorHere } from './quota.js';

const kFolder = 'maskflow';

/** A handle that workers may open for synchronous access. */
interface SyncAccess {
  truncate(size: number): void;
  write(bytes: Uint8Array): number;
  flush(): void;
  close(): void;
}
type Handle = FileSystemFileHandle & { createSyncAccessHandle?(): Promise<SyncAccess> };
type Folder = FileSystemDirectoryHandle & { values(): AsyncIterable<Handle> };

const isMissing = (error: unknown): boolean =>
  (error as { name?: unknown } | null)?.name === 'NotFoundError';

/** Returns undefined if a file or the folder is missing. */
async function ifFound<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function folder(create: boolean): Promise<Folder> {
  const root = await navigatorHere().storage?.getDirectory?.();
  return (root as FileSystemDirectoryHandle).getDirectoryHandle(kFolder, {
    create,
  }) as Promise<Folder>;
}

/** Writes through a temporary copy where the browser has one, else in place, in a worker. */
async function writeTo(handle: Handle, bytes: Uint8Array): Promise<void> {
  if (typeof handle.createWritable === 'function') {
    const stream = await handle.createWritable();
    try {
      await stream.write(bytes as Uint8Array<ArrayBuffer>);
    } catch (error) {
      await stream.abort().catch(() => {});
      throw error;
    }
    return stream.close();
  }
  if (typeof handle.createSyncAccessHandle !== 'function') {
    throw new UnsupportedError(
      "this browser writes files of opfs:// only in workers; save in a worker, or to 'indexeddb://'",
    );
  }
  const access = await handle.createSyncAccessHandle();
  try {
    access.truncate(0);
    access.write(bytes);
    access.flush();
  } finally {
    access.close();
  }
}

export const opfs: Place = {
  scheme: 'opfs://',
  isPresent: () => typeof navigatorHere().storage?.getDirectory === 'function',
  read: (name) => ifFound(async () => (await (await folder(false)).getFileHandle(name)).getFile()),
  async write(name, bytes) {
    const inside = await folder(true);
    const isNew = (await opfs.read(name)) === undefined;
    try {
      await writeTo(await inside.getFileHandle(name, { create: true }), bytes);
    } catch (error) {
      if (isNew) await inside.removeEntry(name).catch(() => {});
      throw error;
    }
  },
  async list() {
    const models: PlacedModel[] = [];
    await ifFound(async () => {
      for await (const handle of (await folder(false)).values()) {
        if (handle.kind !== 'file') continue;
        const { name, size, lastModified } = await handle.getFile();
        models.push({ name, bytes: size, saved: new Date(lastModified) });
      }
    });
    return models;
  },
  async remove(name) {
    const removed = await ifFound(async () => {
      await (await folder(false)).removeEntry(name);
      return true;
    });
    return removed ?? false;
  },
};
