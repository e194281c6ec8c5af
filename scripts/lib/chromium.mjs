// SPDX-License-Identifier: MIT
// The start of Chromium for tests and measurements.
import puppeteer from 'puppeteer-core';

/** Starts Chromium or Chrome without a window; the browser makes no requests of its own. */
export const launch = (executablePath, { args = [], ...options } = {}) =>
  puppeteer.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--no-first-run',
      ...args,
    ],
    ...options,
  });
