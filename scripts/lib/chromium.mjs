// SPDX-License-Identifier: MIT
import puppeteer from 'puppeteer-core';

/** Chromium or Chrome without a window, which asks nothing of the network by itself. */
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
