// SPDX-License-Identifier: MIT
// Loads the page once and edits it at random. Checks that no edit causes an uncaught error, a raw
// JavaScript error in a message, an outdated figure, a freeze, or growing memory in a worker.
import { buildPage } from '../../scripts/build-page.mjs';
import { at } from '../../scripts/lib/files.mjs';
import { serve } from '../../scripts/lib/serve.mjs';
import { closeBrowsers, openDriver } from '../browser/support/drivers.js';
import { install, watch } from './page/hand.js';

const chunk = 20;

/**
 * Firefox reports the rejection of a program's promise (`Promise.reject(1)`), although its worker
 * has handled it.
 */
const ofPrograms = /^uncaught exception: 1$/;

export async function fuzzPage(first, last, { engine = 'Chromium', width = 375, onEdits } = {}) {
  await buildPage();
  const server = await serve(at('dist', 'page'));
  const driver = await openDriver(engine, server.url, { width, height: 800 });
  const report = { failures: [], edits: 0, runs: 0, tensors: 0, heapBytes: 0, freezes: [] };
  try {
    await driver.before(watch);
    await driver.open('');
    await driver.waitFor(() => 'complete' in document.documentElement.dataset);
    await driver.evaluate((text) => {
      const script = document.createElement('script');
      script.src = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
      document.head.append(script);
    }, `(${install})();`);
    await driver.waitFor(() => '__fuzz' in window);
    for (let n = first; n < last; n += chunk) {
      const count = Math.min(chunk, last - n);
      const part = await driver.evaluate((from, edits) => window.__fuzz(from, edits), n, count);
      report.failures.push(
        ...part.failures,
        ...driver.faults.splice(0).filter((fault) => !ofPrograms.test(fault)),
      );
      report.edits += count;
      const { runs, tensors, heapBytes, freezes } = part;
      Object.assign(report, { runs, tensors, heapBytes, freezes });
      onEdits?.(report);
      if (report.failures.length > 100) break;
    }
  } finally {
    await driver.close();
    await closeBrowsers();
    await server.close();
  }
  return report;
}
