// SPDX-License-Identifier: MIT
// The browser half of `npm run bench:load`; processes.mjs is the half in Node.
import { writeFileSync } from 'node:fs';
import { launch } from '../../scripts/lib/chromium.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { formats } from './model.mjs';

/** Headers without which a page cannot read its memory use. */
const isolationHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

const html =
  '<!doctype html><title>Load</title><link rel="icon" href="data:,"><script type="module" src="/bench/load/page.mjs"></script>';

/**
 * Measures the figures of node.mjs in the browser at that path, each on a page of its own. `loads`
 * is the number of consecutive loads of each kind.
 */
export async function measureInBrowser(executablePath, loads) {
  writeFileSync(at('build', 'load', 'index.html'), html);
  const server = await serve(at('.'), { headers: isolationHeaders });
  const browser = await launch(executablePath, {
    protocolTimeout: 1_800_000,
    args: ['--js-flags=--expose-gc', '--enable-blink-features=ForceEagerMeasureMemory'],
  });
  const measureOnPage = async (kind, { path, architecture, parts }) => {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error));
    try {
      await page.goto(new URL('build/load/', server.url).href);
      await page.waitForFunction('globalThis.measureLoads !== undefined');
      const format = { path, architecture, parts: parts() };
      return await page.evaluate(
        (name, ...args) => globalThis.measureLoads[name](...args),
        kind,
        format,
        loads,
      );
    } finally {
      await page.close();
    }
  };
  try {
    const engine = (await browser.version()).replace('/', ' ');
    const rows = [];
    for (const format of formats) {
      const addresses = await measureOnPage('addresses', format);
      const memory = await measureOnPage('memory', format);
      rows.push({ title: `${format.title}, by address`, times: [addresses], memory });
      rows.push({
        title: `${format.title}, as File`,
        times: [await measureOnPage('files', format)],
      });
    }
    return { engine, rows, course: await measureOnPage('predict', formats[0]) };
  } finally {
    await browser.close();
    await server.close();
  }
}
