// SPDX-License-Identifier: MIT
// Pages of a cell: serves them, opens them in browsers, and reads what they computed and fetched.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Failure, which } from '../../../scripts/lib/process.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { launchChrome, skip } from '../../browser/support/browser.js';
import { launchFirefox } from '../../browser/support/firefox.js';
import { Absent } from './absent.js';
import { startWebkit } from './webkit.js';

const running = new Map();

/** Returns the result of `start`, which is called only once per name. */
function once(name, start) {
  if (!running.has(name)) running.set(name, start());
  return running.get(name);
}

export const chromium = () =>
  once('Chromium', async () => {
    if (skip) throw new Absent(skip);
    return launchChrome();
  });

/** Starts Firefox, which is driven by WebDriver BiDi. */
export const firefox = () =>
  once('Firefox', async () => {
    const executablePath = process.env.FIREFOX_PATH ?? which('firefox-esr') ?? which('firefox');
    if (!executablePath) throw new Absent('no Firefox here (FIREFOX_PATH names one elsewhere)');
    return launchFirefox(executablePath);
  });

export const webkit = () => once('WebKit', () => startWebkit());

/**
 * Starts WebKit with shared memory, which Safari gives to isolated pages, and MiniBrowser to all or
 * to none.
 */
export const sharingWebkit = () =>
  once('sharing WebKit', () => startWebkit({ JSC_useSharedArrayBuffer: '1' }));

export async function closeBrowsers() {
  const open = [...running.values()];
  running.clear();
  for (const one of await Promise.allSettled(open)) await one.value?.close();
}

/** Waits for `window.result` of the page. */
async function readResult(tab) {
  await tab.waitForFunction(() => 'result' in window);
  const result = await tab.evaluate(() => window.result);
  if (result.error) throw new Failure(result.error);
  return result;
}

/**
 * Reads the result again after a reload: at the first load, a development server may rebuild and
 * reload the page itself.
 */
export async function readTwice(tab) {
  const first = await readResult(tab);
  await tab.reload();
  const again = await readResult(tab);
  const failed = Object.entries(first.answers).filter(([, answer]) => answer !== 'ok');
  return { ...again, answers: { ...again.answers, ...Object.fromEntries(failed) } };
}

/** Lists the errors and warnings of a page. */
function listen(tab, levels) {
  const faults = [];
  tab.on('pageerror', (error) => faults.push(`uncaught ${error?.message ?? error}`));
  tab.on('console', (message) => {
    if (levels.includes(message.type())) faults.push(message.text());
  });
  tab.on('response', (response) => {
    if (response.status() >= 400 && !response.url().endsWith('/favicon.ico')) {
      faults.push(`${response.status()} ${new URL(response.url()).pathname}`);
    }
  });
  return faults;
}

/**
 * Returns the engine and its version from a browser's text, such as Chrome/1.2, HeadlessChrome/1.2,
 * firefox/1.2 or WebKitGTK/1.2.
 */
function engineOf(text) {
  const [name, version] = text.split('/');
  const engine = { firefox: 'Firefox', WebKitGTK: 'WebKitGTK' }[name] ?? 'Chromium';
  return `${engine} ${version}`;
}

/**
 * Opens a page and calls `use`, which returns answers. The answer 'page' is the first error or
 * warning of the page; `levels` selects which console messages count.
 */
export async function visit(url, { browser: other, use = readResult, levels = ['error'] } = {}) {
  const browser = await (other ?? chromium());
  const tab = await browser.newPage();
  const faults = listen(tab, levels);
  try {
    await tab.goto(url);
    const result = await use(tab);
    // A missing icon is ignored if it is the only fault.
    const told = faults.filter((fault) => !/status of 404/.test(fault) || faults.length > 1);
    const page = tab.silent ? {} : { page: told[0] ?? 'ok' };
    const engine = engineOf(await browser.version());
    return { ...result, engine, answers: { ...result.answers, ...page } };
  } catch (error) {
    throw new Failure([...new Set([...faults, error.message])].join('\n'));
  } finally {
    await tab.close();
  }
}

/**
 * Serves a folder and opens a page of it. `bytes` is the gzip size of all fetched files except the
 * model. `judgeFiles` turns the names of these files into answers.
 */
export async function visitFolder(
  folder,
  { path = '', headers, judgeFiles = () => ({}), ...options } = {},
) {
  const files = new Set();
  const server = await serve(folder, { headers, onFile: (file) => files.add(file) });
  try {
    const result = await visit(server.url + path, options);
    const own = [...files].filter((file) => !file.endsWith('.keras'));
    const bytes = own.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
    return { ...result, bytes, answers: { ...result.answers, ...judgeFiles(own) } };
  } finally {
    await server.close();
  }
}

/** Headers with which a page has shared memory. */
export const isolation = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};

/**
 * Opens a page three times: the second time with maskflow/train (at the path `training`) in place
 * of the other entries, the third time isolated and with threads (at the path `threads`). Returns
 * all answers.
 */
export async function visitThrice(
  folder,
  { training = '?train', threads = '?threads', ...options } = {},
) {
  const result = await visitFolder(folder, options);
  const headers = { ...options.headers, ...isolation };
  const others = [
    await visitFolder(folder, { ...options, path: training }),
    await visitFolder(folder, { ...options, path: threads, headers }),
  ];
  const answers = others.map((other) => other.answers);
  const faults = [result, ...others].map(({ answers: { page } }) => page);
  const page = faults.every((fault) => fault === undefined)
    ? {}
    : { page: faults.find((fault) => fault !== 'ok') ?? 'ok' };
  return { ...result, answers: { ...Object.assign({}, ...answers), ...result.answers, ...page } };
}
