// SPDX-License-Identifier: MIT
// The cache of Node, Deno and Bun: a folder for each cache, and a file for each address. A file
// begins with a line of facts as JSON; the bytes follow.
import { nodeModule } from '../../../engine/node_module.js';
import { decodeUtf8, encodeUtf8 } from '../../../engine/utf8.js';
import { type CacheRoot, type CacheStore, type CachedFacts, factsFrom } from './cache_store.js';

interface Handle {
  read(into: Uint8Array, offset: number, length: number): Promise<{ bytesRead: number }>;
  close(): Promise<void>;
}
interface Files {
  open(path: string, flags: string): Promise<Handle>;
  readFile(path: string): Promise<Uint8Array>;
  readdir(path: string): Promise<string[]>;
  mkdir(path: string, options: { recursive: true }): Promise<unknown>;
  rm(path: string, options?: { force: boolean }): Promise<void>;
}
interface Crypto {
  createHash(name: string): { update(text: string): { digest(form: string): string } };
}
interface Process {
  readonly env: { readonly [name: string]: string | undefined };
  readonly platform: string;
}

const kEnding = '.file';
/** Names of files of a cache, and of those whose writer ended too early, now or in version 0.1. */
const kOurs = /^(?:[0-9a-f]{40}\.file(?:\.\d+-\w+\.part)?|\.maskflow-[\w-]+\.part)$/;
/** Largest length of the line of facts. */
const kMaxFacts = 65_536;
const kLineEnd = 10;

const processHere = (): Process => (globalThis as unknown as { process: Process }).process;

/** The folder of all caches: MASKFLOW_CACHE, or one in the user's cache folder. */
function rootFolder(): string {
  const { env, platform } = processHere();
  if (env['MASKFLOW_CACHE']) return env['MASKFLOW_CACHE'];
  const home = (nodeModule<{ homedir(): string }>('node:os') as { homedir(): string }).homedir();
  if (platform === 'win32') return `${env['LOCALAPPDATA'] ?? home}\\maskflow\\cache`;
  if (platform === 'darwin') return `${home}/Library/Caches/maskflow`;
  return `${env['XDG_CACHE_HOME'] || `${home}/.cache`}/maskflow`;
}

/** Name of the file of an address. */
function fileName(address: string): string {
  const { createHash } = nodeModule<Crypto>('node:crypto') as Crypto;
  return createHash('sha256').update(address).digest('hex').slice(0, 40) + kEnding;
}

const isMissing = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'ENOENT';

/** Returns undefined if a file or a folder is missing. */
async function ifFound<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns the facts at the begin of a file, and the position after them. */
function factsIn(bytes: Uint8Array): { facts: CachedFacts; end: number } | undefined {
  const end = bytes.subarray(0, kMaxFacts).indexOf(kLineEnd);
  if (end < 0) return undefined;
  try {
    return { facts: factsFrom(JSON.parse(decodeUtf8(bytes.subarray(0, end)))), end: end + 1 };
  } catch {
    return undefined;
  }
}

async function readHead(files: Files, path: string): Promise<CachedFacts | undefined> {
  const handle = await files.open(path, 'r');
  try {
    const head = new Uint8Array(kMaxFacts);
    const { bytesRead } = await handle.read(head, 0, head.length);
    return factsIn(head.subarray(0, bytesRead))?.facts;
  } finally {
    await handle.close();
  }
}

function openFolder(files: Files, name: string): CacheStore {
  const folder = `${rootFolder()}/${name}`;
  const ours = async (): Promise<string[]> =>
    ((await ifFound(files.readdir(folder))) ?? []).filter((each) => kOurs.test(each));
  const pathOf = (address: string): string => `${folder}/${fileName(address)}`;
  return {
    async read(address) {
      const bytes = await ifFound(files.readFile(pathOf(address)));
      const found = bytes && factsIn(bytes);
      if (!bytes || found?.facts.address !== address) return undefined;
      return { facts: found.facts, bytes: bytes.subarray(found.end) };
    },
    async write({ facts, bytes }) {
      await files.mkdir(folder, { recursive: true });
      const line = encodeUtf8(`${JSON.stringify(facts)}\n`);
      const { replaceFile } = await import('../../../engine/replace_file.js');
      await replaceFile(pathOf(facts.address), [line, bytes]);
    },
    async list() {
      const names = (await ours()).filter((each) => each.endsWith(kEnding));
      const all = await Promise.all(
        names.map((each) => ifFound(readHead(files, `${folder}/${each}`))),
      );
      return all.filter((facts) => facts !== undefined);
    },
    async remove(address) {
      const removed = await ifFound(files.rm(pathOf(address)).then(() => true));
      return removed ?? false;
    },
    async clear() {
      const names = await ours();
      await Promise.all(names.map((each) => files.rm(`${folder}/${each}`, { force: true })));
      return names.filter((each) => each.endsWith(kEnding)).length;
    },
  };
}

/** The folder of Node; undefined in engines without a file system. */
export function nodeCaches(): CacheRoot | undefined {
  const files = nodeModule<Files>('node:fs/promises');
  if (!files) return undefined;
  return {
    open: (name) => openFolder(files, name),
    async names() {
      const names = (await ifFound(files.readdir(rootFolder()))) ?? [];
      return names.filter((name) => !name.startsWith('.'));
    },
  };
}
