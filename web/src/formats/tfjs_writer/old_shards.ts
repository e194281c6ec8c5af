// SPDX-License-Identifier: MIT
// Removes the shards of a TensorFlow.js model that was replaced. Only Node, Deno and Bun fetch this
// chunk.
import { nodeModule } from '../../engine/node_module.js';
import { isRecord, listOf, textOf } from '../json.js';
import { markOfName } from './shard_names.js';

interface Files {
  readdir(path: string): Promise<string[]>;
  readFile(path: string, encoding: 'utf8'): Promise<string>;
  rm(path: string, options: { force: true }): Promise<void>;
  stat(path: string): Promise<{ readonly mtimeMs: number; isFile(): boolean }>;
}
interface Paths {
  basename(path: string): string;
  dirname(path: string): string;
  join(...parts: string[]): string;
}

/** Names of shards that `saveTfjs` writes, or wrote before version 0.2. */
const kShard = /^group1-shard\d+of\d+(-[0-9a-f]{16})?\.bin$/;
/** Age in ms after which a shard that model.json does not name is that of a killed process. */
const kLongestLife = 86_400_000;

const files = () => nodeModule('node:fs/promises') as Files;

/**
 * Returns the shards that a model.json of `saveTfjs` names; undefined without such a file. Names
 * that `saveTfjs` never writes are left out.
 */
async function shardsOf(path: string): Promise<Set<string> | undefined> {
  try {
    // Reading a pipe would wait.
    if (!(await files().stat(path)).isFile()) return undefined;
    const json: unknown = JSON.parse(await files().readFile(path, 'utf8'));
    if (!isRecord(json) || json['generatedBy'] !== 'maskflow') return undefined;
    const groups = listOf(json['weightsManifest']).filter(isRecord);
    const names = groups.flatMap((group) => listOf(group['paths']).map(textOf));
    return new Set(names.filter((name) => kShard.test(name)));
  } catch {
    return undefined;
  }
}

/** Returns the shards of this model.json that processes left behind which were killed. */
async function leftoversOf(path: string): Promise<string[]> {
  const { basename, dirname, join } = nodeModule('node:path') as Paths;
  const mark = `-${markOfName(basename(path))}`;
  const folder = dirname(path);
  const names = (await files().readdir(folder)).filter(
    (name) => kShard.test(name) && name.includes(mark),
  );
  const times = await Promise.all(
    names.map(async (name) => (await files().stat(join(folder, name))).mtimeMs),
  );
  return names.filter((_, i) => Date.now() - (times[i] as number) > kLongestLife);
}

/**
 * Runs `write`, which replaces the model.json at `path`, and then removes the shards that only the
 * old one named. They stay if that fails.
 */
export async function replacingShards(path: string, write: () => Promise<void>): Promise<void> {
  const old = await shardsOf(path);
  await write();
  const leftovers = await leftoversOf(path).catch(() => []);
  // Another process may have replaced the file meanwhile.
  const current = await shardsOf(path);
  if (!current) return;
  const { dirname, join } = nodeModule('node:path') as Paths;
  for (const name of new Set([...(old ?? []), ...leftovers])) {
    if (current.has(name)) continue;
    await files()
      .rm(join(dirname(path), name), { force: true })
      .catch(() => {});
  }
}
