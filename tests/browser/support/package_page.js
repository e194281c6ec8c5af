// SPDX-License-Identifier: MIT
// A page with the built package, for tests that need a browser but not the project's page.
import {
  copyFileSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { launchChrome } from './browser.js';

/**
 * Opens a page that imports the package from `./dist` in Chromium, under a policy without eval.
 * `files` are copied beside it. Returns its tab, its folder, and a function that closes all.
 */
export async function openPackagePage(html, files = []) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'maskflow-page-')));
  const ends = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const end of ends.reverse()) await end();
  };
  try {
    writeFileSync(join(folder, 'index.html'), html);
    for (const file of files) copyFileSync(file, join(folder, basename(file)));
    symlinkSync(at('dist'), join(folder, 'dist'), 'dir');
    const server = await serve(folder, {
      headers: {
        'content-security-policy': "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
      },
    });
    ends.push(() => server.close());
    const browser = await launchChrome();
    ends.push(() => browser.close());
    const tab = await browser.newPage();
    await tab.goto(server.url);
    return { tab, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}
