// SPDX-License-Identifier: MIT
// Files that are replaced as a whole. The new content is written to a file beside the old one,
// flushed and renamed. Whenever a process or a machine stops, the old file or the new one is
// there. Only Node, Deno and Bun fetch this chunk.
import { nodeModule } from './node_module.js';

interface Handle {
  write(
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesWritten: number }>;
  chmod(mode: number): Promise<void>;
  chown(user: number, group: number): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}
interface Facts {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeMs: number;
  isFile(): boolean;
}
interface Files {
  access(path: string, mode: number): Promise<void>;
  open(path: string, flags: string): Promise<Handle>;
  readdir(path: string): Promise<string[]>;
  readlink(path: string): Promise<string>;
  realpath(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: true }): Promise<void>;
  stat(path: string): Promise<Facts>;
}
interface Paths {
  dirname(path: string): string;
  join(...parts: string[]): string;
  resolve(...parts: string[]): string;
}
interface Process {
  readonly pid: number;
  readonly platform: string;
  kill(pid: number, signal: 0): void;
}

const kWritable = 2;
/** Largest number of bytes of one write; systems write at most 2 GB at a time. */
const kPiece = 2 ** 24;
/** Age in ms after which a temporary file of another machine is a leftover. */
const kLongestLife = 86_400_000;
/** Temporary files have the machine and the number of the process in their names. */
const kTemporary = /^\.maskflow-([0-9a-z]+)-(\d+)-[0-9a-z]+\.part$/;

const here = () => ({
  files: nodeModule<Files>('node:fs/promises') as Files,
  paths: nodeModule<Paths>('node:path') as Paths,
  process: (globalThis as unknown as { process: Process }).process,
});

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** A short text for this machine, or for this container: numbers of processes count inside it. */
async function machine(): Promise<string> {
  const { files } = here();
  const { hostname } = nodeModule('node:os') as { hostname(): string };
  const space = await files.readlink('/proc/self/ns/pid').catch(() => '');
  let hash = 0x811c9dc5;
  for (const character of `${hostname()} ${space}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) as number), 0x01000193) >>> 0;
  }
  return hash.toString(36);
}

function isRunning(pid: number): boolean {
  try {
    here().process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

const cleaned = new Set<string>();

/** True for a temporary file whose writer has ended too early. */
async function isLeftover(folder: string, name: string, host: string): Promise<boolean> {
  const { files, paths } = here();
  const [, writer, pid] = kTemporary.exec(name) ?? [];
  if (writer === host) return !isRunning(Number(pid));
  const { mtimeMs } = await files.stat(paths.join(folder, name));
  return Date.now() - mtimeMs > kLongestLife;
}

/** Removes the temporary files in a folder that nothing will complete. */
async function removeLeftovers(folder: string, host: string): Promise<void> {
  if (cleaned.has(folder)) return;
  cleaned.add(folder);
  const { files, paths } = here();
  const names = await files.readdir(folder).catch(() => []);
  for (const name of names.filter((each) => kTemporary.test(each))) {
    const isLeft = await isLeftover(folder, name, host).catch(() => false);
    if (isLeft) await files.rm(paths.join(folder, name), { force: true }).catch(() => {});
  }
}

/** The file behind symbolic links, which need not exist. */
async function behindLinks(path: string): Promise<string> {
  const { files, paths } = here();
  try {
    return await files.realpath(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  }
  const link = await files.readlink(path).catch(() => undefined);
  return link === undefined ? path : behindLinks(paths.resolve(paths.dirname(path), link));
}

async function factsOf(path: string): Promise<Facts | undefined> {
  try {
    return await here().files.stat(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Gives the new file the owner, which only an administrator may set, and the mode of the old one.
 */
async function likeOld(handle: Handle, { uid, gid, mode }: Facts): Promise<void> {
  await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode & 0o7777).catch(() => {});
}

/** Creates the temporary file. The error of the system does not name it. */
async function create(temporary: string, folder: string): Promise<Handle> {
  try {
    return await here().files.open(temporary, 'wx+');
  } catch (error) {
    const [reason] = (error as Error).message.split(', open ');
    const isClosed = ['EACCES', 'EPERM'].includes(String(codeOf(error)));
    const detail = isClosed
      ? ` to create a file in '${folder}', which would replace the old one`
      : '';
    throw Object.assign(new Error(`${reason}${detail}`), { code: codeOf(error) });
  }
}

/**
 * A file in the making. Nothing shows under its path before `commit`. Devices and pipes have no
 * content to keep, so they are written directly.
 */
export class Replacement {
  readonly #handle: Handle;
  readonly #path: string;
  #isClosed = false;
  /** Path of the temporary file; null for a device or a pipe. */
  readonly temporary: string | null;

  private constructor(handle: Handle, path: string, temporary: string | null) {
    this.#handle = handle;
    this.#path = path;
    this.temporary = temporary;
  }

  /** Throws an error of the system if the file, or one beside it, cannot be written. */
  static async begin(path: string): Promise<Replacement> {
    const { files, paths, process } = here();
    const target = await behindLinks(path);
    const old = await factsOf(target);
    if (old && !old.isFile()) return new Replacement(await files.open(path, 'w'), target, null);
    if (old) await files.access(target, kWritable);
    const folder = paths.dirname(target);
    const host = await machine();
    await removeLeftovers(folder, host);
    const unique = Math.random().toString(36).slice(2) || '0';
    const temporary = paths.join(folder, `.maskflow-${host}-${process.pid}-${unique}.part`);
    const handle = await create(temporary, folder);
    if (old) await likeOld(handle, old);
    return new Replacement(handle, target, temporary);
  }

  /** Writes bytes, at the end or at a position. */
  async write(bytes: Uint8Array, position: number | null = null): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const length = Math.min(kPiece, bytes.length - from);
      const place = position === null ? null : position + from;
      from += (await this.#handle.write(bytes, from, length, place)).bytesWritten;
    }
  }

  /** Waits until the content is on the disk, and ends the writing. */
  async flush(): Promise<void> {
    if (this.#isClosed) return;
    if (this.temporary !== null) {
      await this.#handle.sync().catch((error: unknown) => {
        // Some file systems cannot flush a single file.
        if (!['EINVAL', 'ENOSYS', 'ENOTSUP'].includes(String(codeOf(error)))) throw error;
      });
    }
    this.#isClosed = true;
    await this.#handle.close();
  }

  /** Completes the file: it replaces the old one. If that fails, the old one stays. */
  async commit(): Promise<void> {
    try {
      await this.flush();
      if (this.temporary !== null) await rename(this.temporary, this.#path);
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  /** Removes what was written; the old file stays. */
  async discard(): Promise<void> {
    if (!this.#isClosed) await this.#handle.close().catch(() => {});
    this.#isClosed = true;
    if (this.temporary === null) return;
    await here()
      .files.rm(this.temporary, { force: true })
      .catch(() => {});
  }
}

const kTries = 10;

/** Renames a file. Windows refuses that for a moment while another program reads the old one. */
async function rename(from: string, to: string): Promise<void> {
  const { files, process } = here();
  for (let tries = process.platform === 'win32' ? kTries : 1; ; tries--) {
    try {
      return await files.rename(from, to);
    } catch (error) {
      if (tries <= 1 || !['EPERM', 'EACCES', 'EBUSY'].includes(String(codeOf(error)))) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Replaces a file, or creates it. Throws an error of the system; the old file then stays. */
export const replaceFile = (path: string, parts: readonly Uint8Array[]): Promise<void> =>
  replaceFiles([[path, parts]]);

/**
 * Replaces files, the last one of which refers to the others. All are written before the first is
 * renamed.
 */
export async function replaceFiles(
  entries: readonly (readonly [string, readonly Uint8Array[]])[],
): Promise<void> {
  const files: Replacement[] = [];
  try {
    for (const [path, parts] of entries) {
      const file = await Replacement.begin(path);
      files.push(file);
      for (const part of parts) await file.write(part);
      await file.flush();
    }
    for (const file of files) await file.commit();
  } catch (error) {
    for (const file of files) await file.discard();
    throw error;
  }
}
