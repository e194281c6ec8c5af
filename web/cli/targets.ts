// SPDX-License-Identifier: MIT
// The files of a model that a command writes: .keras, weights or TensorFlow.js.
import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { FormatError } from '../src/base/errors.js';
import type { Model } from '../src/index.js';
import { sizeText, writeFiles } from './files.js';
import { UsageError } from './usage.js';

/** The file and format of a model to write. */
export interface Target {
  kind: 'keras' | 'weights' | 'tfjs';
  /** Path of the file; for TensorFlow.js, of model.json. */
  path: string;
  /** Whether existing files are replaced. */
  force: boolean;
}

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Returns the target with this name. */
function targetOf(path: string, force: boolean): Target {
  if (path.endsWith('.weights.h5')) return { kind: 'weights', path, force };
  const ending = extname(path);
  if (ending === '.keras') return { kind: 'keras', path, force };
  if (ending === '.json') return { kind: 'tfjs', path, force };
  const folder =
    !['', '-'].includes(path) && (ending === '' || /[/\\]$/.test(path) || isFolder(path));
  if (folder) return { kind: 'tfjs', path: join(path, 'model.json'), force };
  throw new UsageError(
    `a model cannot be written as '${path}': the name must end in .keras or .weights.h5, or be that of a folder or model.json for TensorFlow.js`,
  );
}

function checkFree(path: string, force: boolean): void {
  if (isFolder(path)) throw new FormatError(`${path} is a folder, not a file`);
  if (force || !existsSync(path)) return;
  throw new FormatError(`${path} already exists; use --force to replace it`);
}

/** Returns the target with this name. It is checked before a long run rather than after it. */
export function checkTarget(path: string, force: boolean): Target {
  const target = targetOf(path, force);
  const folder = dirname(target.path);
  // Requires the parent of the folder of a TensorFlow.js model; only the folder itself is created.
  const needed = target.kind === 'tfjs' && target.path !== path ? dirname(folder) : folder;
  if (!isFolder(needed)) throw new FormatError(`${path}: the folder '${needed}' does not exist`);
  if (!isFolder(folder) && existsSync(folder)) {
    throw new FormatError(`${folder} is a file, not a folder`);
  }
  checkFree(target.path, force);
  return target;
}

/** Creates a folder for what `write` writes. Leaves no empty one if that fails. */
async function inFolder<T>(folder: string, write: () => Promise<T>): Promise<T> {
  const created = mkdirSync(folder, { recursive: true });
  try {
    return await write();
  } catch (error) {
    if (created !== undefined) rmdirSync(folder);
    throw error;
  }
}

async function filesOf(model: Model, { kind, path }: Target): Promise<[string, Uint8Array][]> {
  if (kind === 'keras') return [[path, await model.save()]];
  if (kind === 'weights') return [[path, await model.saveWeights()]];
  const files = await inFolder(dirname(path), () => model.saveTfjs(path));
  return [...files].map(([name, bytes]) => [
    join(dirname(path), name === 'model.json' ? basename(path) : name),
    bytes,
  ]);
}

/** Writes a model. Returns a line about each file. */
export async function writeModel(model: Model, target: Target): Promise<string[]> {
  checkFree(target.path, target.force);
  const files = await filesOf(model, target);
  // saveTfjs() writes its files itself.
  if (target.kind !== 'tfjs') await writeFiles(files);
  return files.map(([path, bytes]) => `${path}, ${sizeText(bytes.length)}`);
}
