// SPDX-License-Identifier: MIT
// The folder of one cell: a project with the package installed as its users get it.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { at } from '../../../scripts/lib/files.mjs';
import { Failure } from '../../../scripts/lib/process.mjs';
import { settings } from '../../support/programs.js';
import { Children } from './children.js';
import { nodeFolder, toolNode } from './runtimes.js';

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--save-exact', '--loglevel=error'];
const telemetry = {
  ASTRO_TELEMETRY_DISABLED: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
};

/** Files with the programs in each module format. The script defines the global `checks`. */
export const checkFiles = { 'check.mjs': 'esm', 'check.cjs': 'cjs', 'check.js': 'iife' };

export class Project {
  #children = new Children();

  /** `shared` has the tarball, the programs as modules, and the folder of this run. */
  constructor(folder, shared) {
    this.folder = folder;
    this.shared = shared;
    this.path = [join(folder, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  }

  at = (...parts) => join(this.folder, ...parts);
  read = (path) => readFileSync(this.at(path), 'utf8');

  write(path, text) {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
  }

  /** Copies the trained model and the programs, as a module, into the folder. */
  bring(folder = '.', programs = folder) {
    for (const name of [folder, programs]) mkdirSync(this.at(name), { recursive: true });
    copyFileSync(at('tests/fixtures/trained/brackets.keras'), this.at(folder, 'brackets.keras'));
    for (const file of Object.keys(checkFiles)) {
      copyFileSync(join(this.shared.folder, file), this.at(programs, file));
    }
  }

  /**
   * Installs the package and `packages` ('name@version'). `node` is the version that runs all
   * commands of this project.
   */
  async install(packages = [], { node = toolNode, manifest = { type: 'module' } } = {}) {
    if (node !== 'own') {
      this.path = [await nodeFolder(node, this.shared), this.path].join(delimiter);
    }
    this.write('package.json', JSON.stringify({ name: 'cell', private: true, ...manifest }));
    const offline = packages.length === 0 ? ['--offline'] : [];
    await this.run('npm', ['install', ...quiet, ...offline, this.shared.tarball, ...packages]);
  }

  #options({ cwd = this.folder, env = {} } = {}) {
    // Removes variables that the outer npm sets for its scripts, because they would misconfigure
    // the inner npm. Variables in capitals, which a person set, stay.
    const kept = Object.entries(settings.env).filter(
      ([name]) => !/^npm_(?!config_(registry|cafile))|^NODE_(OPTIONS|ENV|TEST_CONTEXT)$/.test(name),
    );
    return { cwd, env: { ...Object.fromEntries(kept), ...telemetry, PATH: this.path, ...env } };
  }

  /** Runs a program until it ends, and returns its output. */
  run = (command, args = [], options) => this.#children.run(command, args, this.#options(options));

  /** Starts a server and returns the address that it prints. */
  async listen(
    command,
    args = [],
    options,
    pattern = /https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::\]):\d+/,
  ) {
    const [url] = await this.#children.listen(command, args, this.#options(options), pattern);
    return url.replace(/0\.0\.0\.0|\[::\]/, 'localhost');
  }

  /** Returns the content of result.json, which a program wrote. */
  result() {
    if (!existsSync(this.at('result.json'))) throw new Failure('no result was written');
    return JSON.parse(this.read('result.json'));
  }

  lastOutput = () => this.#children.lastOutput();

  stop = () => this.#children.stop();

  close() {
    this.stop();
    // Retries, because processes that were just ended may still be writing.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
