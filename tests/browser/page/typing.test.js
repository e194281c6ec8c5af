// SPDX-License-Identifier: MIT
// The work of one key. Times differ from machine to machine, so these tests count layouts:
// docs/internals/page.md says what they cost.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { pageInChrome, skip } from '../support/chapter.js';
import { openPage } from '../support/page.js';

/**
 * Returns the number of layouts that scripts caused while the events of a key were handled, which
 * contain those of its input. The event `selectionchange` is a task of its own: the browser lays
 * out in it what a fast worker has let the page draw since.
 */
function layoutsInEvents(trace) {
  const { traceEvents } = JSON.parse(Buffer.from(trace).toString());
  const events = traceEvents.filter(
    ({ name, dur, args }) =>
      name === 'EventDispatch' && dur > 0 && args.data.type.startsWith('key'),
  );
  return traceEvents.filter(
    ({ name, ts, tid }) =>
      name === 'Layout' &&
      events.some((event) => event.tid === tid && event.ts <= ts && ts <= event.ts + event.dur),
  ).length;
}

suite('typing', { skip }, () => {
  const site = pageInChrome();

  const open = async (chapter) => {
    const hash = `#v1/${chapter}`;
    const { page } = await openPage(site.browser, `${site.server.url}${hash}`, { chapter });
    await page.waitForSelector('html[data-complete]');
    return page;
  };

  /** Types a character into a field, and returns the number of layouts within the events. */
  async function layoutsOf(page, field, key) {
    await page.focus(field);
    await page.tracing.start({ categories: ['devtools.timeline'] });
    await page.keyboard.press(key);
    // Every chapter that follows has been drawn by then.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    return layoutsInEvents(await page.tracing.stop());
  }

  for (const { chapter, field, key = '(', max } of [
    { chapter: 'proof', field: '#proof-text', max: 0 },
    { chapter: 'own', field: '#own-pads', key: 'ArrowRight', max: 0 },
    // Chapters that use the batch are drawn after the frame that shows the key.
    { chapter: 'padding', field: '#padding-text', max: 0 },
  ]) {
    test(`${chapter}: scripts lay out the page at most ${max} times in the events of a key`, async () => {
      const page = await open(chapter);
      await page.evaluate(() => {
        const plain = document.createElement('textarea');
        plain.id = 'plain';
        document.querySelector('main').append(plain);
      });
      // The browser itself lays out a field when its text changes.
      const own = await layoutsOf(page, '#plain', key);
      for (let i = 0; i < 2; i++) {
        const count = (await layoutsOf(page, field, key)) - own;
        assert.ok(count <= max, `${count} layouts, and ${own} of the browser`);
      }
      await page.close();
    });
  }

  test('a key in a chapter below the drawing changes nothing in the drawing', async () => {
    const page = await open('own');
    await page.waitForSelector('#own .says:not(:empty)');
    await page.focus('#own-pads');
    // The view beside the drawing waits 300 ms, and follows the scrolling.
    const settle = () => new Promise((resolve) => setTimeout(resolve, 1500));
    await settle();
    await page.evaluate(() => {
      window.changed = [];
      const watch = new MutationObserver((all) =>
        window.changed.push(...all.map(({ target }) => target.outerHTML.slice(0, 80))),
      );
      for (const each of document.querySelectorAll('.part, .birds-eye, #own [data-slot="summary"]'))
        watch.observe(each, { subtree: true, childList: true, attributes: true });
    });
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      () => document.querySelector('#own [data-slot="pads"]').textContent === '21',
    );
    await settle();
    assert.deepEqual(await page.evaluate(() => window.changed), []);
    await page.close();
  });

  test('the address is written after the event of a key', async () => {
    const page = await open('proof');
    const [before, within] = await page.$eval('#proof-pads', (slider) => {
      const address = location.hash;
      slider.value = '3';
      slider.dispatchEvent(new Event('input', { bubbles: true }));
      return [address, location.hash];
    });
    assert.equal(within, before);
    await page.waitForFunction(() => location.hash.includes('proof.pads=3'));
    await page.close();
  });
});
