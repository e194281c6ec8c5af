// SPDX-License-Identifier: MIT
// Chromium for browser tests, and the reason to skip them without it.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { launch } from '../../../scripts/lib/chromium.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** Returns the path of the browser: from CHROME_PATH, which `npm test` sets, or from PATH. */
export function chromePath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.CHROME_PATH, ...candidates].find((path) => path && existsSync(path));
}

/** Why tests of Chromium cannot run on this machine. */
const noChrome = 'no Chromium or Chrome on this machine; set CHROME_PATH to the path of one';

/** The option `skip` of tests that need Chromium: the reason, or false. */
export const skip = chromePath() ? false : noChrome;

/**
 * The milliseconds after which a wait fails. They end the test of a page that hangs, and are longer
 * than a busy machine needs, and than the time that a chapter gives its program (120 s).
 */
export const waitLimit = 150_000;

/** Calls `prepare` with each tab that `browser` opens. */
export function withEachPage(browser, prepare) {
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async () => {
    const page = await newPage();
    prepare(page);
    return page;
  };
  return browser;
}

/** Sets this limit for each tab that `browser` opens. */
export const withWaitLimit = (browser) =>
  withEachPage(browser, (page) => page.setDefaultTimeout(waitLimit));

/**
 * Starts Chromium; `options` are Puppeteer's. All tabs share one process: what one tab has compiled
 * serves the next, which takes a quarter of the time of a test away.
 */
export const launchChrome = async ({ args = [], ...options } = {}) =>
  withWaitLimit(
    await launch(chromePath(), { args: ['--renderer-process-limit=1', ...args], ...options }),
  );
