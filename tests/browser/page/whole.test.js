// SPDX-License-Identifier: MIT
// The page from top to bottom, with all its chapters: on five screen widths in both themes, and by
// keyboard alone.
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { sideways, violationsInThemes } from '../support/axe.js';
import { resize, servePage, skip } from '../support/chapter.js';

const widths = [320, 375, 800, 1280, 1920];

/**
 * Returns the elements that Tab should reach: only the selected one of a group of radio buttons,
 * and none inside closed details.
 */
function stops() {
  const focusable =
    'a[href], button, input:not([type="hidden"]), select, textarea, summary, iframe, [tabindex], [contenteditable="true"]';
  return [...document.querySelectorAll(focusable)].filter((element) => {
    if (element.disabled || element.tabIndex < 0 || element.inert) return false;
    if (element.closest('[inert], fieldset:disabled')) return false;
    if (element.type === 'radio') {
      const group = [...document.getElementsByName(element.name)];
      if (group.some(({ checked }) => checked) ? !element.checked : group[0] !== element)
        return false;
    }
    return element.checkVisibility({ visibilityProperty: true });
  });
}

/** Describes the focused element as a user sees it. */
function focusedElement() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
  // If a control is drawn by its label or by the box around it, the focus ring is there.
  const around = [element, element.parentElement, element.parentElement?.parentElement];
  const ring = [...around, element.nextElementSibling].some((each) => {
    if (!each) return false;
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
    return (
      (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
    );
  });
  return {
    name: `${element.localName}${element.id ? `#${element.id}` : ''} ${(element.ariaLabel ?? element.textContent ?? '').trim().slice(0, 40)}`,
    chapter: element.closest('section[id]')?.id ?? null,
    index: window.wanted.indexOf(element),
    ring,
    onScreen:
      width > 0 && height > 0 && bottom > 0 && top < innerHeight && right > 0 && left < innerWidth,
  };
}

suite('the whole page', { skip }, () => {
  const open = servePage('proof');

  suite('on all screens', () => {
    let tab;
    before(async () => {
      tab = await open();
    });
    after(() => tab?.page.close());
    for (const width of widths) {
      test(`axe finds nothing, and nothing overflows in both themes: ${width} px`, async () => {
        await resize(tab.page, width);
        assert.equal(await violationsInThemes(tab.page), '');
        assert.ok((await sideways(tab.page)) <= 0, 'scrolls sideways');
        assert.deepEqual(tab.faults, []);
      });
    }

    test('a heading reads as its number, a space and a question', async () => {
      const headings = await tab.page.$$eval('.chapter h2', (all) =>
        all.map((heading) => heading.textContent),
      );
      assert.ok(headings.some((text) => text.startsWith('1 ')));
      for (const text of headings) assert.match(text, /^(\d+ )?[A-Z][^\d]+\?$/);
    });
  });

  for (const width of [375, 1280])
    test(`Tab goes from top to bottom: each stop is on the screen and has a ring, none is skipped: ${width} px`, async () => {
      const { page } = await open(undefined, { width });
      const count = await page.evaluate(`window.wanted = (${stops})(); window.wanted.length`);
      assert.ok(count > 100, `${count} stops`);
      await page.evaluate(() => window.wanted[0].focus());
      const reached = [];
      for (;;) {
        const stop = await page.evaluate(focusedElement);
        if (!stop || (reached.length > 0 && stop.index === reached[0].index)) break;
        reached.push(stop);
        await page.keyboard.press('Tab');
        // The limit allows further presses, because leaving an editor takes some.
        assert.ok(reached.length < 2 * count, `${stop.name}: Tab does not get on`);
      }
      const indices = reached.map(({ index }) => index).filter((index) => index >= 0);
      const missed = [...Array(count).keys()].filter((index) => !indices.includes(index));
      const names = await page.evaluate(
        (missed) => missed.map((index) => window.wanted[index].outerHTML.slice(0, 120)),
        missed,
      );
      assert.deepEqual(names, []);
      assert.deepEqual(
        reached.filter(({ ring }) => !ring).map(({ name }) => name),
        [],
        'no ring',
      );
      assert.deepEqual(
        reached.filter(({ onScreen }) => !onScreen).map(({ name }) => name),
        [],
        'not on the screen',
      );
      const chapters = reached.map(({ chapter }) => chapter).filter(Boolean);
      const inTurn = chapters.filter((chapter, at) => chapter !== chapters[at - 1]);
      assert.equal(new Set(inTurn).size, inTurn.length, `chapters in turn: ${inTurn.join(' ')}`);
      await page.close();
    });
});
