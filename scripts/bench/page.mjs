// SPDX-License-Identifier: MIT
// Measures the page as a phone loads it: Chromium slowed down four times, 1.6 Mbit/s, 150 ms of
// latency, an empty cache. Prints the time until the first answer of chapter 0, layout shifts, and
// the delay of inputs.
//   --count=5   visits
//   --trace     lists each request and its time
import { parseArgs } from 'node:util';
import { median } from '../../bench/loop.mjs';
import { buildPage } from '../build-page.mjs';
import { launch } from '../lib/chromium.mjs';
import { at } from '../lib/files.mjs';
import { Failure, main } from '../lib/process.mjs';
import { slowLine } from '../lib/slow_line.mjs';
import { serve } from '../lib/serve.mjs';
import { findBrowser } from '../setup/browser.mjs';

const line = { latency: 150, rate: 1.6e6 / 8 };
const goals = { answer: 2500, input: 100, shift: 0.02 };

/** Runs in the page before the page's own scripts. */
function watch() {
  window.watched = { shift: 0, inputs: [], answer: 0 };
  const answered = new MutationObserver(() => {
    if (!document.querySelector('#proof:has(.dial strong:not(:empty)) .says:not(:empty)')) return;
    answered.disconnect();
    // A task after the frame that shows the answer begins when it has been drawn.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        window.watched.answer = performance.now();
      };
      port2.postMessage(0);
    });
  });
  answered.observe(document, { childList: true, subtree: true, characterData: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) window.watched.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const {
      name,
      duration,
      startTime,
      processingStart,
      processingEnd,
      target,
    } of list.getEntries()) {
      const chapter = target?.closest?.('main > section')?.id ?? 'page';
      const waits = processingStart - startTime;
      const runs = processingEnd - processingStart;
      window.watched.inputs.push({ chapter, name, duration, waits, runs });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
}

async function visit(browser, url) {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  try {
    await page.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    await page.evaluateOnNewDocument(watch);
    await page.emulateCPUThrottling(4);
    await page.goto(url, { waitUntil: 'domcontentloaded' });
    await page.waitForSelector('html[data-complete]', { timeout: 120_000 });
    await use(page);
    return await page.evaluate(() => window.watched);
  } finally {
    await context.close();
  }
}

/** Types into each chapter, and scrolls from one to the next. */
async function use(page) {
  for (const chapter of await page.$$('main > section')) {
    await chapter.evaluate((section) => section.scrollIntoView());
    const field = await chapter.$(
      'form input:is([type="text"], [type="number"], [type="range"]), form textarea',
    );
    if (!field || !(await field.isVisible())) continue;
    await field.focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
    await new Promise((done) => setTimeout(done, 300));
  }
}

/** Returns the slowest event of each chapter, the slowest first. */
function slowestByChapter(inputs) {
  const slowest = new Map();
  for (const input of inputs) {
    if (input.duration > (slowest.get(input.chapter)?.duration ?? 0))
      slowest.set(input.chapter, input);
  }
  return [...slowest.values()].toSorted((a, b) => b.duration - a.duration);
}

await main(async () => {
  const options = { count: { type: 'string', default: '5' }, trace: { type: 'boolean' } };
  const { values } = parseArgs({ options });
  const executable = await findBrowser({});
  if (executable === 'none') throw new Failure('no browser to measure in');
  await buildPage();
  const server = await serve(at('dist', 'page'), {
    compress: true,
    ...(values.trace && { onFile: (file) => console.log(Math.round(performance.now()), file) }),
  });
  const slow = await slowLine(server.url, line);
  const browser = await launch(executable);
  const visits = [];
  for (let i = 0; i < Number(values.count); i++) visits.push(await visit(browser, slow.url));
  await browser.close();
  await slow.close();
  await server.close();
  const answer = median(visits.map((each) => each.answer));
  const inputs = slowestByChapter(visits.flatMap((each) => each.inputs));
  const shift = Math.max(...visits.map((each) => each.shift));
  console.log(
    `first answer: ${Math.round(answer)} ms (median of ${visits.length}; goal ${goals.answer})`,
  );
  console.log(`slowest answer to an input, by chapter (goal ${goals.input}):`);
  for (const { chapter, name, duration, waits, runs } of inputs) {
    const parts = `waits ${Math.round(waits)}, runs ${Math.round(runs)}`;
    console.log(
      `  ${chapter}: ${Math.round(duration)} ms (${name}: ${parts}, then layout and paint)`,
    );
  }
  console.log(`layout shift: ${shift.toFixed(4)} (goal ${goals.shift})`);
});
