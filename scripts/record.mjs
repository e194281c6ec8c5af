// SPDX-License-Identifier: MIT
// Records cases of real Keras for tests/fixtures: npm run record -- KIND [options]. Keras runs by
// the command in MASKFLOW_KERAS, as for `npm run fuzz -- keras`; tests/oracle/README.md describes
// the rest.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { at, filesIn, filesUnder } from './lib/files.mjs';
import { Failure, isProgram, main } from './lib/process.mjs';

/**
 * Kinds of recordings: their recorder, the folders of tests/fixtures that it needs, its options.
 */
export const kinds = {
  layers: { folders: ['layers'] },
  models: { folders: ['models'] },
  'models-next': {
    script: 'record_models.py',
    folders: ['next-3.16'],
    options: ['--folder', 'next-3.16/models'],
  },
  losses: { folders: ['losses'] },
  optimizers: { folders: ['training/optimizers'] },
  padding: { folders: ['utils'] },
  next: { folders: ['layers', 'next-3.16'] },
};

const usage = `npm run record -- KIND [--check] [--case TEXT] [--family NAME] [--new FILE] [--numpy]
KIND is one of: ${Object.keys(kinds).join(', ')}
  --check   names differences and writes nothing
  --case    only cases whose name contains the text
  --family  only this file of layers/
  --new     adds the case that FILE describes (tests/oracle/README.md)
  --numpy   runs Keras with NumPy, for the families that are recorded with it`;

/** Returns the words of the command that runs Keras, and the folder that both sides see. */
function keras(isNumpy) {
  const name = isNumpy ? 'MASKFLOW_KERAS_NUMPY' : 'MASKFLOW_KERAS';
  // Without a command of its own, NumPy is chosen by KERAS_BACKEND.
  const command = (process.env[name] ?? process.env.MASKFLOW_KERAS)?.trim();
  if (!command) {
    throw new Failure(
      `recording needs real Keras: set MASKFLOW_KERAS to the command that runs a Python file with\nKeras and PyTorch, as in MASKFLOW_KERAS=python3 npm run record -- layers --check`,
    );
  }
  const folder = process.env.MASKFLOW_KERAS_FOLDER || at('build', 'record');
  return { words: command.split(/\s+/), folder: resolve(folder) };
}

/** Copies the files that changed back into tests/fixtures; returns their paths. */
function copyBack(fixtures) {
  const changed = filesIn(fixtures).filter((path) => {
    const target = at('tests', 'fixtures', relative(fixtures, path));
    return !existsSync(target) || !readFileSync(path).equals(readFileSync(target));
  });
  for (const path of changed) {
    const target = at('tests', 'fixtures', relative(fixtures, path));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(path, target);
  }
  return changed.map((path) => relative(fixtures, path));
}

/** Copies what the recorder reads, runs it with Keras, and copies its files back. */
function record(kind, args) {
  const { script = `record_${kind}.py`, folders, options = [] } = kinds[kind];
  const isNumpy = args.includes('--numpy');
  const { words, folder } = keras(isNumpy);
  const work = join(folder, 'record');
  const fixtures = join(work, 'fixtures');
  rmSync(work, { recursive: true, force: true });
  for (const name of folders) {
    cpSync(at('tests', 'fixtures', name), join(fixtures, name), { recursive: true });
  }
  for (const path of filesUnder('tests/oracle', /\.py$/)) {
    copyFileSync(path, join(work, basename(path)));
  }
  const passed = args.filter((word) => word !== '--numpy');
  const description = passed.indexOf('--new') + 1;
  if (description > 0) {
    const name = join(work, `new_${basename(passed[description] ?? '')}`);
    if (!existsSync(passed[description] ?? '')) throw new Failure(`--new takes a file\n${usage}`);
    copyFileSync(passed[description], name);
    passed[description] = name;
  }
  const [program, ...more] = [...words, join(work, script), fixtures, ...options, ...passed];
  const backend = isNumpy ? 'numpy' : 'torch';
  const env = { ...process.env, KERAS_BACKEND: backend, PYTHONWARNINGS: 'ignore' };
  const { status, error } = spawnSync(program, more, { cwd: work, env, stdio: 'inherit' });
  if (error) throw new Failure(`MASKFLOW_KERAS does not run: ${error.message}`);
  const changed = status === 0 && !passed.includes('--check') ? copyBack(fixtures) : [];
  for (const path of changed) console.log(`wrote tests/fixtures/${path}`);
  return status ?? 1;
}

if (isProgram(import.meta.url)) {
  await main(() => {
    const [kind, ...args] = process.argv.slice(2);
    if (kind === undefined || !Object.hasOwn(kinds, kind)) throw new Failure(usage);
    return record(kind, args);
  });
}
