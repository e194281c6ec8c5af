// SPDX-License-Identifier: MIT
// Firefox for browser tests, which Puppeteer drives by WebDriver BiDi.
import puppeteer from 'puppeteer-core';
import { withWaitLimit } from './browser.js';

/** Firefox's error for a navigation that something else ended. */
const isAborted = (error) => error.message.includes('NS_BINDING_ABORTED');

/**
 * Makes each tab of `browser` navigate once more when Firefox aborts a navigation: on a busy
 * machine, the page before it can still be ending.
 */
export function withRepeatedNavigation(browser) {
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async () => {
    const page = await newPage();
    const goto = page.goto.bind(page);
    page.goto = (...args) =>
      goto(...args).catch((error) => {
        if (!isAborted(error)) throw error;
        return goto(...args);
      });
    return page;
  };
  return browser;
}

export const launchFirefox = async (executablePath) =>
  withRepeatedNavigation(
    withWaitLimit(await puppeteer.launch({ browser: 'firefox', executablePath })),
  );
