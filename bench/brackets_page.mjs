// SPDX-License-Identifier: MIT
// Runs examples/train_brackets.html in a new browser: seconds from the navigation to the end of
// both trainings, and the accuracies that the page shows.
//
//   node bench/brackets_page.mjs [screenshot.png]
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { at } from '../scripts/lib/files.mjs';
import { serve } from '../scripts/lib/serve.mjs';
import { launchChrome } from '../tests/browser/support/browser.js';

const longest = 120_000;

/** Copies the examples beside a node_modules with the package as it is built here. */
function project() {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-brackets-'));
  cpSync(at('examples'), folder, { recursive: true });
  mkdirSync(join(folder, 'node_modules', 'maskflow'), { recursive: true });
  symlinkSync(at('dist'), join(folder, 'node_modules', 'maskflow', 'dist'), 'dir');
  return folder;
}

/** Returns caption and cells of each table; runs on the page. */
const readTables = (tables) =>
  tables.map(({ caption, tBodies: [body] }) => [
    caption.textContent,
    [...body.rows].map(({ cells }) => [...cells].map(({ textContent }) => textContent)),
  ]);

/** Returns the seconds of one visit, and the tables. */
async function visit(browser, url) {
  const tab = await browser.newPage();
  await tab.goto(`${url}train_brackets.html`);
  await tab.click('#start');
  const hasEnded = () => !document.querySelector('#start').disabled;
  await tab.waitForFunction(hasEnded, { timeout: longest });
  const seconds = (await tab.evaluate(() => performance.now())) / 1000;
  const status = await tab.$eval('#status', ({ textContent }) => textContent);
  if (status !== 'Done.') throw new Error(status);
  const tables = await tab.$$eval('table', readTables);
  return { tab, seconds, tables };
}

const folder = project();
const server = await serve(folder);
const browser = await launchChrome();
try {
  const { tab, seconds, tables } = await visit(browser, server.url);
  console.log(`${(await browser.version()).replace('/', ' ')}: ${seconds.toFixed(1)} s`);
  for (const [title, rows] of tables) {
    console.log(title);
    for (const row of rows) console.log(`  ${row.join('  ')}`);
  }
  const [, , screenshot] = process.argv;
  if (screenshot) await tab.screenshot({ path: screenshot, fullPage: true });
} finally {
  await browser.close();
  await server.close();
  rmSync(folder, { recursive: true });
}
