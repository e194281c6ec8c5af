// SPDX-License-Identifier: MIT
// An empty project into which the packed package is installed, as its users get it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { at } from '../../../scripts/lib/files.mjs';
import { settings } from '../../support/programs.js';

// What the npm that runs these tests tells its scripts would lead the inner npm astray.
const env = Object.fromEntries(
  Object.entries(settings.env).filter(([name]) => !/^npm_/i.test(name)),
);

/** Runs a program; its output, or an error that shows it. */
export function run(command, args, options = {}) {
  try {
    return execFileSync(command, args, {
      ...settings,
      encoding: 'utf8',
      env,
      stdio: 'pipe',
      ...options,
    });
  } catch (error) {
    error.message += `\n${error.stdout ?? ''}`;
    throw error;
  }
}

export const node = (folder, ...args) => run(process.execPath, args, { cwd: folder });

/** `npm pack`: the path of the tarball and the paths inside it. */
export function pack(folder) {
  const said = run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: at() });
  const [{ filename, files }] = JSON.parse(said);
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}

/** A temporary project with the package and these files (path → text). */
export function makeConsumer(texts = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-consumer-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const write = (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    write('package.json', '{ "name": "consumer", "private": true, "type": "module" }\n');
    for (const [path, text] of Object.entries(texts)) write(path, text);
    const { tarball, files } = pack(folder);
    // Nothing but the tarball: no network, and a cache that is empty.
    const quiet = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, '.cache')];
    run('npm', ['install', ...quiet, tarball], { cwd: folder });
    return { folder, files, write, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
