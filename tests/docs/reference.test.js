// SPDX-License-Identifier: MIT
// Parts of the docs that need no built site: defaults in descriptions, addresses of the repository,
// the chart of the figures.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { sourceOptions } from '../../scripts/docs.mjs';
import { drawChart, figuresOf, openingOf, withOpening } from '../../bench/peers/chart.mjs';
import { splitDefault } from '../../scripts/docs/reference/defaults.mjs';
import { projectFacts, repositoryAddress } from '../../scripts/docs/repository.mjs';
import { at, filesUnder } from '../../scripts/lib/files.mjs';

for (const [description, words, preset] of [
  ['Rows of a batch. Default: 32.', 'Rows of a batch.', '`32`'],
  ['Smallest step. Default: 1e-7.', 'Smallest step.', '`1e-7`'],
  [
    'Share of rows. Default: 0.25. Not used in streams.',
    'Share of rows. Not used in streams.',
    '`0.25`',
  ],
  ["Side of the padding. Default: 'pre'.", 'Side of the padding.', "`'pre'`"],
  ['Rows of a validation. Default: `batchSize`.', 'Rows of a validation.', '`batchSize`'],
  ['Length. Default: that of the longest row.', 'Length.', 'that of the longest row'],
  ['Whether to shuffle. Default:\ntrue.', 'Whether to shuffle.', '`true`'],
  [
    'Name. Default: the class name, with a number.',
    'Name. Default: the class name, with a number.',
    'the class name',
  ],
  ["'int32' (default), or 'bool'.", "'int32' (default), or 'bool'.", "`'int32'`"],
  ['Default of each: 1.', 'Default of each: 1.', ''],
  ['', '', ''],
]) {
  test(`the default in ${JSON.stringify(description)}`, () => {
    assert.deepEqual(splitDefault(description), { words, preset });
  });
}

for (const [repository, address] of [
  ['github:one/two', 'https://github.com/one/two'],
  ['one/two', 'https://github.com/one/two'],
  ['gitlab:one/two', 'https://gitlab.com/one/two'],
  [{ type: 'git', url: 'git+https://example.org/one/two.git' }, 'https://example.org/one/two'],
  [{ url: 'git@example.org:one/two.git' }, 'https://example.org/one/two'],
  [{ url: 'git+ssh://git@example.org/one/two.git' }, 'https://example.org/one/two'],
  [{ url: 'git://example.org/one/two' }, 'https://example.org/one/two'],
  [undefined, undefined],
]) {
  test(`the address of the repository ${JSON.stringify(repository)}`, () => {
    assert.equal(repositoryAddress({ repository }), address);
  });
}

test('without a repository there are no links to sources', () => {
  assert.deepEqual(projectFacts({ version: '1.2.3' }), { version: '1.2.3' });
  const { source, edit } = projectFacts({ version: '1.2.3', repository: 'one/two' });
  assert.equal(source, 'https://github.com/one/two/blob/HEAD/{path}#L{line}');
  assert.equal(edit('docs/faq.md'), 'https://github.com/one/two/edit/HEAD/docs/faq.md');
});

test('with a repository the reference links to the lines of its sources', () => {
  const options = sourceOptions(projectFacts({ version: '1.2.3', repository: 'one/two' }));
  const template = options[options.indexOf('--sourceLinkTemplate') + 1];
  assert.equal(template, 'https://github.com/one/two/blob/HEAD/{path}#L{line}');
  assert.deepEqual(sourceOptions(projectFacts({ version: '1.2.3' })), []);
});

/** Returns the settings of the site as they are for a manifest. */
async function settingsFor(manifest) {
  mkdirSync(at('build'), { recursive: true });
  const folder = mkdtempSync(at('build', 'settings-'));
  const file = at('docs', '.vitepress', 'config.ts');
  const repository = at('scripts', 'docs', 'repository.mjs');
  const facts = `import { projectFacts as factsOf } from ${JSON.stringify(`${repository}?own`)};
export const projectFacts = () => factsOf(${JSON.stringify(manifest)});`;
  const plugin = {
    name: 'manifest',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /repository\.mjs$/ }, () => ({ path: 'facts', namespace: 'manifest' }));
      onResolve({ filter: /\?own$/ }, () => ({ path: repository }));
      onLoad({ filter: /.*/, namespace: 'manifest' }, () => ({ contents: facts }));
    },
  };
  try {
    await build({
      entryPoints: [file],
      outfile: join(folder, 'config.mjs'),
      ...{ bundle: true, platform: 'node', format: 'esm', packages: 'external' },
      define: { 'import.meta.url': JSON.stringify(String(pathToFileURL(file))) },
      plugins: [plugin],
    });
    return (await import(pathToFileURL(join(folder, 'config.mjs')))).default;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('with a repository each page has a link to edit it; pages of TypeDoc have none', async () => {
  const { themeConfig, transformPageData } = await settingsFor({
    version: '1.2.3',
    repository: 'one/two',
  });
  assert.equal(themeConfig.editLink.pattern, 'https://github.com/one/two/edit/HEAD/docs/:path');
  assert.equal(themeConfig.socialLinks[0].link, 'https://github.com/one/two');
  assert.equal(themeConfig.nav.at(-1).text, 'v1.2.3');
  const dataOf = (relativePath) => transformPageData({ relativePath, frontmatter: {} });
  assert.deepEqual(dataOf('api/maskflow/index.md'), { frontmatter: { editLink: false } });
  assert.deepEqual(dataOf('faq.md'), {});
  const without = await settingsFor({ version: '1.2.3' });
  assert.equal(without.themeConfig.editLink, undefined);
});

const page = readFileSync(at('docs', 'performance.md'), 'utf8');

test('the chart and the sentences of the performance page are those of its figures', () => {
  assert.equal(withOpening(page), page);
  const picture = readFileSync(at('docs', 'images', 'performance.svg'), 'utf8');
  assert.equal(drawChart(figuresOf(page)), picture);
});

test('other figures make another chart and other sentences', () => {
  const figures = figuresOf(page);
  assert.ok(figures.W2.maskflow > 0);
  assert.equal(figures.W4['TensorFlow.js'], undefined);
  const slower = { ...figures, W2: { ...figures.W2, maskflow: 2 * figures.W2.maskflow } };
  assert.notEqual(openingOf(slower), openingOf(figures));
  assert.notEqual(drawChart(slower), drawChart(figures));
});

/** Characters of a line that a page of the docs shows at 1440 px without scrolling sideways. */
const kColumns = 96;

/** Lines of a program that are too long. What it prints, or `port` writes, is as long as it is. */
const longLines = (path, program) =>
  program
    .split('\n')
    .filter((line) => line.length > kColumns && !/^\/\/ (→|Not translated)/.test(line))
    .map((line) => `${path}: ${line}`);

test('lines of the programs of the reference fit a page of 1440 px', () => {
  const programs = filesUnder('docs/examples', /\.mjs$/);
  const long = programs.flatMap((path) => longLines(path, readFileSync(path, 'utf8')));
  assert.ok(programs.length > 400, String(programs.length));
  assert.deepEqual(long, []);
});

test('lines of the programs of the guides fit a page of 1440 px', () => {
  const blocks = filesUnder('docs', /\.md$/)
    .filter((path) => !/contributing|internals/.test(path))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8');
      const found = text.matchAll(/^```(?:js|ts|tsx|jsx)\b.*\n([\s\S]*?)^```$/gm);
      return [...found].map(([, program]) => ({ path, program }));
    });
  assert.ok(blocks.length > 120, String(blocks.length));
  assert.deepEqual(
    blocks.flatMap(({ path, program }) => longLines(path, program)),
    [],
  );
});
