// SPDX-License-Identifier: MIT
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

/** Starts Chromium; `options` are Puppeteer's. */
export const launchChrome = (options) => launch(chromePath(), options);
