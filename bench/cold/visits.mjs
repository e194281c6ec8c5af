// SPDX-License-Identifier: MIT
// Visits the pages of bench/cold in Chromium, each time without anything in a cache.
import { setTimeout as pause } from 'node:timers/promises';
import { launch } from '../../scripts/lib/chromium.mjs';
import { serve } from '../../scripts/lib/serve.mjs';

/**
 * Time in ms in which a new window loads the browser's own parts, which would otherwise be
 * measured.
 */
const settling = 1000;

function check({ values }, { title, units }) {
  const isPlausible = values.every((value) => Math.abs(value) > 0 && Math.abs(value) < 1);
  if (values.length !== units || !isPlausible) {
    throw new Error(`${title}: no ${units} outputs of an LSTM but ${values}`);
  }
}

/** Returns the times of one visit in a new context, in ms since the start of the navigation. */
async function visit(browser, page) {
  const context = await browser.createBrowserContext();
  try {
    const tab = await context.newPage();
    await pause(settling);
    const failure = new Promise((_, reject) => {
      tab.on('pageerror', reject);
    });
    await tab.goto(page.url);
    await Promise.race([tab.waitForFunction('cold.result !== undefined'), failure]);
    const result = await tab.evaluate(() => {
      const ends = performance.getEntriesByType('resource').map(({ responseEnd }) => responseEnd);
      return { ...cold.result, marks: { ...cold.marks, fetched: Math.max(...ends) } };
    });
    check(result, page);
    return result.marks;
  } finally {
    await context.close();
  }
}

async function inNewContexts(executablePath, pages, count) {
  const browser = await launch(executablePath);
  try {
    for (let round = 0; round < count; round++) {
      for (const page of pages) page.contexts.push(await visit(browser, page));
    }
    return (await browser.version()).replace('/', ' ');
  } finally {
    await browser.close();
  }
}

async function inNewBrowsers(executablePath, pages, count) {
  for (let round = 0; round < count; round++) {
    for (const page of pages) {
      const browser = await launch(executablePath);
      try {
        page.browsers.push(await visit(browser, page));
      } finally {
        await browser.close();
      }
    }
  }
}

/**
 * Visits each page `count` times in new contexts of one browser, and `count` times each in a new
 * browser; pages take turns. @returns the engine, and the pages with the marks of each visit.
 */
export async function visitAll(executablePath, pages, count) {
  const servers = await Promise.all(pages.map(({ folder }) => serve(folder)));
  try {
    const visitedPages = pages.map(({ title, units }, i) => ({
      title,
      units,
      url: servers[i].url,
      contexts: [],
      browsers: [],
    }));
    const engine = await inNewContexts(executablePath, visitedPages, count);
    await inNewBrowsers(executablePath, visitedPages, count);
    return { engine, pages: visitedPages };
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}
