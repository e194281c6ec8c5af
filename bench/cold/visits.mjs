// SPDX-License-Identifier: MIT
import { setTimeout as pause } from 'node:timers/promises';
import { launch } from '../../scripts/lib/chromium.mjs';
import { serve } from '../../scripts/serve.mjs';

/** How long a new window loads the browser's own parts, which would be measured otherwise; in ms. */
const settling = 1000;

function check({ values }, { title, units }) {
  const sound = values.every((value) => Math.abs(value) > 0 && Math.abs(value) < 1);
  if (values.length !== units || !sound) {
    throw new Error(`${title}: no ${units} outputs of an LSTM but ${values}`);
  }
}

/** Times of one visit in a context that has seen nothing, in ms since the navigation began. */
async function visit(browser, page) {
  const context = await browser.createBrowserContext();
  try {
    const tab = await context.newPage();
    await pause(settling);
    const failed = new Promise((_, reject) => {
      tab.on('pageerror', reject);
    });
    await tab.goto(page.url);
    await Promise.race([tab.waitForFunction('cold.result !== undefined'), failed]);
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
 * Visits each page so many times in new contexts of one browser, and so many times each in a new browser; pages take
 * turns. @returns the engine, and the pages with the marks of each visit.
 */
export async function visitAll(executablePath, pages, count) {
  const servers = await Promise.all(pages.map(({ folder }) => serve(folder)));
  try {
    const visited = pages.map(({ title, units }, i) => ({
      title,
      units,
      url: servers[i].url,
      contexts: [],
      browsers: [],
    }));
    const engine = await inNewContexts(executablePath, visited, count);
    await inNewBrowsers(executablePath, visited, count);
    return { engine, pages: visited };
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}
