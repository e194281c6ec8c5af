// SPDX-License-Identifier: MIT
// What the chapters claim, in Chromium, Firefox and WebKit.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { buildPage } from '../../../scripts/build-page.mjs';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/serve.mjs';
import { absence, closeBrowsers, engines, openDriver } from '../support/drivers.js';

const files = readdirSync(new URL('claims/', import.meta.url)).filter((name) => /\.js$/.test(name));
const chapters = await Promise.all(
  files.map(async (file) => ({
    id: file.replace('.js', ''),
    claims: (await import(`./claims/${file}`)).claims,
  })),
);
const absent = await Promise.all(engines.map(absence));

let server;
before(async () => {
  await buildPage();
  server = await serve(at('dist', 'page'));
});
after(async () => {
  await closeBrowsers();
  await server?.close();
});

/** WebKitGTK 2.50 now and then loses an exception inside of WebAssembly (docs/errors.md); the page says so, and a fresh page is asked. */
const lost = /^refused: .*The engine of this browser failed; try again\.$/;
const mostOpened = 6;

async function holds(driver, engine, id, claim) {
  for (let opened = 1; ; opened++) {
    const told = await shows(driver, id, claim);
    if (!(engine === 'WebKit' && lost.test(told) && opened < mostOpened)) break;
    driver.faults.splice(0);
  }
  await checks(driver, id, claim);
}

/** What the chapter says when its claim has been set up. */
async function shows(driver, id, { hash, set, click }) {
  await driver.open(hash);
  if (set) await driver.set(id, set);
  if (click) {
    await driver.evaluate((selector) => document.querySelector(selector).click(), click);
    await driver.waitFor(
      (chapter) => document.querySelector(`#${chapter}`).dataset.drawn === 'yes',
      id,
    );
  }
  return toldBy(driver, id);
}

const toldBy = (driver, id) =>
  driver.evaluate((chapter) => {
    const [told, problem] = ['.says', '.problem'].map(
      (each) => document.querySelector(`#${chapter} ${each}`).textContent,
    );
    return told || `refused: ${problem}`;
  }, id);

async function checks(driver, id, { says, count = {} }) {
  assert.match(await toldBy(driver, id), says);
  const counted = await driver.evaluate(
    (selectors) => selectors.map((each) => [each, document.querySelectorAll(each).length]),
    Object.keys(count),
  );
  assert.deepEqual(Object.fromEntries(counted), count);
  assert.deepEqual(driver.faults.splice(0), []);
}

for (const [index, engine] of engines.entries()) {
  suite(engine, { skip: absent[index] }, () => {
    let driver;
    before(async () => {
      driver = await openDriver(engine, server.url);
    });
    after(() => driver?.close());

    for (const { id, claims } of chapters)
      for (const claim of claims)
        test(`${id}: ${claim.name}`, () => holds(driver, engine, id, claim));

    test('the keyboard moves the slider, and the address follows', async () => {
      await driver.open('#proof');
      await driver.evaluate(() => document.querySelector('#proof-pads').focus());
      await driver.press('ArrowRight');
      await driver.press('ArrowRight');
      await driver.waitFor(() => location.hash.includes('proof.pads=2'));
      await driver.waitFor(() => document.querySelector('#proof').dataset.drawn === 'yes');
      const pads = await driver.evaluate(
        () => document.querySelectorAll('#proof .tokens .masked').length,
      );
      assert.equal(pads, 2);
    });

    test('the playground runs a program', async () => {
      await driver.page.goto(`${server.url}playground/`);
      await driver.waitFor(() => 'ready' in document.documentElement.dataset);
      await driver.evaluate(() => document.querySelector('[data-run]').click());
      await driver.waitFor(() => /ran to its end/.test(document.body.textContent));
      const printed = await driver.evaluate(() => document.querySelector('.prints').textContent);
      assert.match(printed, /^3 steps: (0\.\d+)\n10 steps: \1\n100 steps: \1\n$/);
    });
  });
}
