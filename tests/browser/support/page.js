// SPDX-License-Identifier: MIT
// Helpers to read the page in tests: controls by name, tables as arrays, programs as text.

/**
 * Opens the page; `faults` collects what must not occur: errors, warnings, requests to other
 * origins.
 */
export async function openPage(
  browser,
  url,
  {
    chapter = 'proof',
    width = 1280,
    height = 800,
    theme = 'light',
    motion = 'reduce',
    prepare = () => {},
  } = {},
) {
  const page = await browser.newPage();
  await prepare(page);
  const faults = faultsOf(page, url);
  await page.setViewport({ width, height });
  await setTheme(page, theme, motion);
  await page.goto(url);
  await waitUntilDrawn(page, chapter);
  return { page, faults };
}

/**
 * Returns a list to which everything will be added that the page says on its console, and each
 * request that fails: for messages of `waitFor`.
 */
export function recordOf(page) {
  const record = [];
  page.on('console', (message) => record.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => record.push(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) =>
    record.push(`${request.failure()?.errorText ?? 'failed'} ${request.url()}`),
  );
  page.on('response', (response) => {
    if (response.status() >= 400) record.push(`${response.status()} ${response.url()}`);
  });
  return record;
}

/** Returns a list to which uncaught errors will be added. */
export function errorsOf(page) {
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  return errors;
}

/** Returns a list to which errors, warnings and requests to other origins will be added. */
export function faultsOf(page, url) {
  const faults = errorsOf(page);
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) faults.push(message.text());
  });
  page.on('request', (request) => {
    if (/^(?:about|blob|data):/.test(request.url())) return;
    const elsewhere = new URL(request.url()).origin !== new URL(url).origin;
    if (elsewhere) faults.push(`fetched ${request.url()}`);
  });
  return faults;
}

export const themes = ['light', 'dark'];

export const setTheme = (page, theme, motion = 'reduce') =>
  page.emulateMediaFeatures([
    { name: 'prefers-color-scheme', value: theme },
    { name: 'prefers-reduced-motion', value: motion },
  ]);

/**
 * Waits until a function of the page returns true. If it does not in time, the error says what the
 * page shows instead, and what `record` contains. Polls by a timer, because a browser may stop
 * drawing frames for a tab that it thinks is hidden.
 */
export async function waitFor(page, isTrue, { args = [], chapter = 'proof', record = [] } = {}) {
  try {
    await page.waitForFunction(isTrue, { polling: 50 }, ...args);
  } catch (error) {
    const state = await page.evaluate(stateOf, chapter).catch(String);
    error.message += ` ${JSON.stringify({ ...Object(state), record })}`;
    throw error;
  }
}

/**
 * Scrolls to a chapter, and waits until its figure, or its refusal, corresponds to its controls.
 */
export async function waitUntilDrawn(page, chapter) {
  await page.evaluate((id) => document.getElementById(id).scrollIntoView(), chapter);
  await waitFor(page, (id) => document.getElementById(id).dataset.drawn === 'yes', {
    args: [chapter],
    chapter,
  });
}

/** Returns the state of a page and of one of its chapters. */
const stateOf = (id) =>
  Promise.race([
    new Promise((resolve) => requestAnimationFrame(() => resolve('frames'))),
    new Promise((resolve) => setTimeout(() => resolve('no frames'), 1000)),
  ]).then((frames) => ({
    frames,
    // Addresses with programs are long.
    address: location.href.slice(0, 120),
    prints: [...document.querySelectorAll('.prints')].map((each) => each.textContent.slice(-200)),
    ready: document.readyState,
    visible: document.visibilityState,
    drawn: document.getElementById(id)?.dataset.drawn,
    status: document.querySelector('[data-slot="status"]')?.textContent,
    problems: [...document.querySelectorAll('.problem:not([hidden])')].map((p) => p.textContent),
    scripts: performance.getEntriesByType('resource').map(({ name }) => name.split('/').at(-1)),
  }));

/**
 * Sets controls of a panel as a user would, by name: text, a radio's value, or a checkbox's state.
 */
export async function set(page, panel, values) {
  await page.evaluate(
    (panel, values) => {
      for (const [name, value] of Object.entries(values)) {
        const candidates = [...document.querySelectorAll(`#${panel} form [name="${name}"]`)];
        const control = candidates.find(
          (candidate) => candidate.type !== 'radio' || candidate.value === value,
        );
        if (!control) throw new Error(`${panel} has no control ${name} for ${value}`);
        if (control.type === 'radio' || control.type === 'checkbox') {
          if (control.checked !== (control.type === 'radio' || value)) control.click();
        } else {
          control.value = value;
          control.dispatchEvent(new Event('input', { bubbles: true }));
        }
      }
    },
    panel,
    values,
  );
  await waitUntilDrawn(page, panel);
}

/**
 * Returns the tables of a slot: caption and rows of cell texts; a masked cell's text ends with '*'.
 */
export const tables = (page, panel, slot) =>
  page.$$eval(`#${panel} [data-slot="${slot}"] table`, (elements) =>
    elements.map((table) => ({
      caption: table.caption?.innerText ?? table.caption?.textContent,
      rows: [...table.tBodies].flatMap((body) =>
        [...body.rows].map((row) =>
          [...row.querySelectorAll('td')].map((cell) => {
            const text = [...cell.childNodes].map((part) => part.textContent).join(' ');
            const masked = cell.matches('.masked') || row.matches('.masked');
            return text.trim() + (masked ? '*' : '');
          }),
        ),
      ),
    })),
  );

/** Returns a grid of masks as strings of T and F; the hatching must agree with the letters. */
export async function masks(page, panel, slot) {
  const maskTables = await tables(page, panel, slot);
  return maskTables.map(({ rows }) =>
    rows.map((row) =>
      row
        .map((cell) => {
          const letter = /\b([TF])\b/.exec(cell)?.[1] ?? '?';
          if ((letter === 'F') !== cell.endsWith('*'))
            throw new Error(`the cell ${cell} is hatched wrongly`);
          return letter;
        })
        .join(''),
    ),
  );
}

export const text = (page, selector) => page.$eval(selector, (element) => element.innerText.trim());
export const sentenceOf = (page, panel) => text(page, `#${panel} .says`);
/** Returns the package's error message in a panel, or null. */
export const problem = (page, panel) =>
  page.$eval(`#${panel} .problem`, (element) => (element.hidden ? null : element.textContent));

/** Returns the program that a panel shows, and its expected output. */
export const shownCode = async (page, panel) => {
  await page.$eval(`#${panel} .ending .code`, (details) => {
    details.open = true;
  });
  return page.$eval(`#${panel} .ending .code`, (details) => {
    const code = details.querySelector('pre code').textContent;
    return { code, prints: details.querySelector('.prints').textContent };
  });
};
