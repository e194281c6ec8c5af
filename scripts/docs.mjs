// SPDX-License-Identifier: MIT
// Builds the site for any static host at any path: the page in dist/site, the docs in
// dist/site/docs.
//
//   npm run docs              builds it and checks its links
//   npm run docs -- --serve   also serves it
import { appendFileSync, cpSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { bundledLicenses, packageFolders } from './build/bundled_licenses.mjs';
import { sharing, sourceOf } from './build/entries.mjs';
import { buildPageIfChanged } from './build-page.mjs';
import { checkLinks } from './docs/links.mjs';
import { projectFacts } from './docs/repository.mjs';
import { at, builtFiles, filesUnder, unlessFresh } from './lib/files.mjs';
import { Failure, isProgram, main, runQuietly } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { serveCompressed } from './serve.mjs';
import { setup } from './setup.mjs';

/**
 * Runs a tool of the site. Room for its many short-lived objects saves a tenth of its time.
 */
const runTool = (name, file, ...args) =>
  runQuietly('node', ['--max-semi-space-size=128', at('node_modules', name, 'bin', file), ...args]);

/** Returns TypeDoc's options for links to the lines at `source`, a template of their addresses. */
export const sourceOptions = ({ source }) =>
  source ? ['--disableSources', 'false', '--disableGit', '--sourceLinkTemplate', source] : [];

/** Builds the reference from the doc comments into docs/api. `npm run check` checks the types. */
async function buildReference() {
  const sources = [...sharing].sort().map((name) => ['--entryPoints', `web/src/${sourceOf(name)}`]);
  const links = sourceOptions(projectFacts());
  await runTool('typedoc', 'typedoc', '--skipErrorChecking', ...links, ...sources.flat());
  return `${filesUnder('docs/api', /\.md$/).length} pages`;
}

async function buildPages() {
  await runTool('vitepress', 'vitepress.js', 'build', at('docs'));
  return `${filesUnder('dist/site/docs', /\.html$/).length} pages`;
}

async function copyPage() {
  await buildPageIfChanged();
  cpSync(at('dist', 'page'), at('dist', 'site'), { recursive: true });
}

/** Adds the licences of the packages that the docs contain to those of the page. */
function addLicenses() {
  const modules = JSON.parse(readFileSync(at('build', 'docs-modules.json'), 'utf8'));
  const text = bundledLicenses('The docs also contain the following.', modules);
  appendFileSync(at('dist', 'site', 'THIRD_PARTY_LICENSES.txt'), `\n${text}`);
  return `${packageFolders(modules).length} packages`;
}

function check() {
  const complaints = checkLinks(at('dist', 'site'));
  if (complaints.length > 0) throw new Failure(complaints.join('\n'));
  return 'ok';
}

/** Builds dist/site; the package must be built already. */
async function buildSite() {
  rmSync(at('dist', 'site'), { recursive: true, force: true });
  await step('reference', buildReference);
  await step('docs', buildPages);
  await step('page', copyPage);
  await step('licences', addLicenses);
  await step('links', check);
}

const inputs = () => [
  ...filesUnder('docs').filter((path) => !path.startsWith(at('docs', 'api'))),
  ...['page', 'web/src', 'scripts/docs', 'scripts/build'].flatMap((folder) => filesUnder(folder)),
  ...builtFiles(),
  ...['CHANGELOG', 'CODE_OF_CONDUCT', 'CONTRIBUTING', 'SECURITY'].map((name) => at(`${name}.md`)),
  ...filesUnder('dist/site', /site.(docs.)?index\.html$/),
  at('scripts', 'docs.mjs'),
  at('package.json'),
];

/** Builds dist/site unless nothing has changed since. */
export const buildSiteIfChanged = () =>
  unlessFresh(at('build', '.site'), inputs, async () => buildSite());

if (isProgram(import.meta.url)) {
  await main(async () => {
    const { values } = parseArgs({
      options: { serve: { type: 'boolean' }, port: { type: 'string', default: '8080' } },
    });
    await build(await setup());
    await buildSiteIfChanged();
    if (!values.serve) return;
    const { url } = await serveCompressed(at('dist', 'site'), values.port);
    console.log(`${url}docs/`);
  });
}
