// SPDX-License-Identifier: MIT
// Firefox for browser tests, which Puppeteer drives by WebDriver BiDi.
import puppeteer from 'puppeteer-core';
import { withEachPage, withWaitLimit } from './browser.js';

/** Firefox's error for a navigation that something else ended. */
const isAborted = (error) => error.message.includes('NS_BINDING_ABORTED');

/**
 * Makes each tab of `browser` navigate once more when Firefox aborts a navigation: on a busy
 * machine, the page before it can still be ending.
 */
export const withRepeatedNavigation = (browser) =>
  withEachPage(browser, (page) => {
    const goto = page.goto.bind(page);
    page.goto = (...args) =>
      goto(...args).catch((error) => {
        if (!isAborted(error)) throw error;
        return goto(...args);
      });
  });

export const launchFirefox = async (executablePath) =>
  withRepeatedNavigation(
    withWaitLimit(await puppeteer.launch({ browser: 'firefox', executablePath })),
  );
