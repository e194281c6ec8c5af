// SPDX-License-Identifier: MIT
// Package managers whose folders are not npm's: Yarn's Plug'n'Play, where a package stays a zip
// archive, and pnpm's links.
import { Failure } from '../../../scripts/lib/process.mjs';
import { cjs, esm, html, pageScript } from '../lib/entries.js';
import { visitFolder } from '../lib/pages.js';
import { warningIn } from '../lib/warnings.js';

const yarn = '@yarnpkg/cli-dist@4.18.1';
const pnpm = 'pnpm@12.21.0';

/**
 * Creates a project in `app`, separate from the one that contains the package manager. The path of
 * the package must contain `found`.
 */
async function make(project, manager, files) {
  await project.install([manager]);
  project.bring('app');
  for (const [path, text] of Object.entries(files)) project.write(`app/${path}`, text);
  return (command, ...args) => project.run(command, args, { cwd: project.at('app') });
}

const manifest = (tarball, more = {}) =>
  JSON.stringify({
    name: 'app',
    type: 'module',
    dependencies: { maskflow: `file:${tarball}`, ...more },
  });

const resolved = ['-p', "require.resolve('maskflow')"];

function checkPath(path, part) {
  if (!path.includes(part)) throw new Failure(`the package came from ${path}`);
}

const plugAndPlay = (way, file, text) => ({
  name: `Yarn PnP, ${way}`,
  versions: yarn.replace(/(.)@/, '$1 '),
  async run(project) {
    const run = await make(project, yarn, {
      'package.json': manifest(project.shared.tarball),
      'yarn.lock': '',
      '.yarnrc.yml':
        'enableTelemetry: false\nenableGlobalCache: false\nenableImmutableInstalls: false\n',
      [file]: text,
    });
    await run('yarn', 'install');
    checkPath(await run('yarn', 'node', ...resolved), '.zip/');
    await run('yarn', 'node', file);
    return JSON.parse(project.read('app/result.json'));
  },
});

/** Installs the package with pnpm, and `more` packages. */
async function makeWithPnpm(project, files, more) {
  const run = await make(project, pnpm, {
    'package.json': manifest(project.shared.tarball, more),
    ...files,
  });
  await run('pnpm', 'install', '--store-dir', project.at('store'));
  checkPath(await run('node', ...resolved), '/.pnpm/');
  return run;
}

const linked = {
  name: 'pnpm, Node',
  versions: pnpm.replace('@', ' '),
  async run(project) {
    const run = await makeWithPnpm(project, { 'main.mjs': esm() });
    await run('node', 'main.mjs');
    return JSON.parse(project.read('app/result.json'));
  },
};

const linkedBuild = {
  name: 'pnpm, Vite build',
  versions: `${pnpm.replace('@', ' ')}, vite 8.3.8`,
  async run(project) {
    const files = { 'index.html': html(), 'main.js': pageScript };
    const run = await makeWithPnpm(project, files, { vite: '8.3.8' });
    const build = warningIn(await run('pnpm', 'exec', 'vite', 'build'));
    project.bring('app/dist');
    const result = await visitFolder(project.at('app', 'dist'));
    return { ...result, answers: { ...result.answers, build } };
  },
};

export const how =
  'In each cell, the package manager installs the packed package into an empty project.';
export const cells = [
  plugAndPlay('ESM', 'main.mjs', esm()),
  plugAndPlay('CommonJS', 'main.cjs', cjs()),
  linked,
  linkedBuild,
];
