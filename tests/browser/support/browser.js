// SPDX-License-Identifier: MIT
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import puppeteer from 'puppeteer-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/** `npm test` says by CHROME_PATH which browser it found; alone, a test looks for itself. */
export function chromePath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return [process.env.CHROME_PATH, ...found].find((path) => path && existsSync(path));
}

export const launch = (executablePath) =>
  puppeteer.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
