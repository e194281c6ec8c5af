// SPDX-License-Identifier: MIT
// Models as files of the origin's private file system.
import { UnsupportedError } from '../../../base/errors.js';
import type { Place, PlacedModel } from './place.js';
import { navigatorHere } from './quota.js';

const kFolder = 'maskflow';

/** A handle that workers may open for synchronous access. */
interface SyncAccess {
  truncate(size: number): void;
  write(bytes: Uint8Array, options: { at: number }): number;
  flush(): void;
  close(): void;
}
type Handle = FileSystemFileHandle & {
  createSyncAccessHandle?(): Promise<SyncAccess>;
  move?(name: string): Promise<void>;
};
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

/**
 * Runs while no other tab or worker writes, for `shared`, or does anything, for `exclusive`.
 * Without Web Locks, readers try again.
 */
function locked<T>(name: string, mode: 'shared' | 'exclusive', run: () => Promise<T>): Promise<T> {
  const { locks } = navigatorHere();
  return locks ? locks.request(`maskflow opfs://${name}`, { mode }, run) : run();
}

/** Begin of the names of files that are not complete; models of this name are not listed. */
const kNew = '.maskflow-new ';

/** Writes a file, in place or through a copy of the browser's, in a worker or not. */
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
    for (let from = 0; from < bytes.length; ) {
      from += access.write(bytes.subarray(from), { at: from });
    }
    access.flush();
  } finally {
    access.close();
  }
}

/** Gives the new file its name. Some browsers move only to names that no file has. */
async function moveTo(inside: Folder, handle: Handle, name: string): Promise<void> {
  try {
    await handle.move?.(name);
  } catch (error) {
    const isThere = await ifFound(() => inside.getFileHandle(name));
    if (!isThere) throw error;
    await inside.removeEntry(name);
    await handle.move?.(name);
  }
}

/** Writes a file beside the old one, which it then replaces. */
async function replace(inside: Folder, name: string, bytes: Uint8Array): Promise<void> {
  const temporary = kNew + name;
  const handle = (await inside.getFileHandle(temporary, { create: true })) as Handle;
  try {
    await writeTo(handle, bytes);
    if (typeof handle.move === 'function') return await moveTo(inside, handle, name);
    await writeTo(await inside.getFileHandle(name, { create: true }), bytes);
  } catch (error) {
    await inside.removeEntry(temporary).catch(() => {});
    throw error;
  }
  await inside.removeEntry(temporary);
}

export const opfs: Place = {
  scheme: 'opfs://',
  isPresent: () => typeof navigatorHere().storage?.getDirectory === 'function',
  read: (name, check) =>
    locked(name, 'shared', () =>
      ifFound(async () => {
        const file = await (await (await folder(false)).getFileHandle(name)).getFile();
        check(file.size);
        return new Uint8Array(await file.arrayBuffer());
      }),
    ),
  write: (name, bytes) =>
    locked(name, 'exclusive', async () => replace(await folder(true), name, bytes)),
  async list() {
    const models: PlacedModel[] = [];
    await ifFound(async () => {
      for await (const handle of (await folder(false)).values()) {
        if (handle.kind !== 'file' || handle.name.startsWith(kNew)) continue;
        // Another tab may remove it meanwhile.
        const file = await ifFound(() => handle.getFile());
        if (!file) continue;
        const { name, size, lastModified } = file;
        models.push({ name, bytes: size, saved: new Date(lastModified) });
      }
    });
    return models;
  },
  remove: (name) =>
    locked(name, 'exclusive', async () => {
      const remove = (each: string): Promise<boolean | undefined> =>
        ifFound(async () => {
          await (await folder(false)).removeEntry(each);
          return true;
        });
      await remove(kNew + name);
      return (await remove(name)) ?? false;
    }),
};
