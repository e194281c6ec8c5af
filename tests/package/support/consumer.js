// SPDX-License-Identifier: MIT
// An empty project into which the packed package is installed, as for its users.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { at } from '../../../scripts/lib/files.mjs';
import { settings } from '../../support/programs.js';

// Removes the settings that npm passes to the scripts of this test, because they would misconfigure
// the inner npm.
const env = Object.fromEntries(
  Object.entries(settings.env).filter(([name]) => !/^npm_/i.test(name)),
);

/** Runs a program and returns its output; an error shows the output. */
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

/**
 * Lines in which a bundler complains. It also lists its files, which may be called `start_errors`.
 */
export const complaintsOf = (buildOutput) =>
  buildOutput
    .split('\n')
    .filter((line) => !/^dist\/\S+ +[\d.,]+ kB/.test(line))
    .filter((line) => /warn|externali[sz]ed|\(!\)|error/i.test(line));

/** Runs `npm pack`; returns the path of the tarball and the paths inside it. */
export function pack(folder) {
  const output = run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: at() });
  // Some versions of npm print the names of scripts before the JSON.
  const [{ filename, files }] = JSON.parse(output.slice(output.indexOf('[')));
  return { tarball: join(folder, filename), files: files.map(({ path }) => path) };
}

/** Creates a temporary project with the package and these files (path → text). */
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
    // Options that forbid the network and use an empty cache, so that npm can install only the
    // tarball.
    const quiet = ['--offline', '--no-audit', '--no-fund', '--cache', join(folder, '.cache')];
    run('npm', ['install', ...quiet, tarball], { cwd: folder });
    return { folder, files, write, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
