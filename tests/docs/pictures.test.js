// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { build } from 'esbuild';
import { createMarkdownRenderer } from 'vitepress';
import { at } from '../../scripts/lib/files.mjs';

test('pictures of the docs have their sizes, so that nothing moves when they arrive', async () => {
  const { outputFiles } = await build({
    entryPoints: [at('docs', '.vitepress', 'markdown', 'pictures.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const { pictures } = await import(
    `data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`
  );
  const md = await createMarkdownRenderer(at('docs'), { config: (each) => each.use(pictures) });
  const env = { path: at('docs', 'performance.md'), relativePath: 'performance.md' };
  const render = (text) => md.renderAsync?.(text, env) ?? md.render(text, env);
  assert.match(await render('![chart](images/performance.svg)'), /width="\d+" height="\d+"/);
  for (const other of ['images/none.svg', 'https://example.org/a.svg', '../package.json'])
    assert.doesNotMatch(await render(`![other](${other})`), /width=/, other);
});
