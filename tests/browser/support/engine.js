// SPDX-License-Identifier: MIT
// Tests of an engine: the claims of the chapters hold, the keyboard moves a slider, the playground
// runs. Each engine has a file of its own, because files run side by side.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, suite, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { buildPageIfChanged } from '../../../scripts/build-page.mjs';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { DriverFailure } from '../../matrix/lib/webkit.js';
import { absence, closeBrowsers, openDriver } from './drivers.js';

const files = readdirSync(new URL('../page/claims/', import.meta.url)).filter((name) =>
  /\.js$/.test(name),
);
const chapters = await Promise.all(
  files.map(async (file) => ({
    id: file.replace('.js', ''),
    claims: (await import(`../page/claims/${file}`)).claims,
  })),
);
/**
 * WebKitGTK 2.50 sometimes loses an exception inside WebAssembly (docs/errors.md); then the page
 * reports it, and the test opens a new page.
 */
const isLost = (engine, text) =>
  engine === 'WebKit' && /The engine of this browser failed; try again\.$/.test(text);
const maxOpened = 6;
/** Closes a browser whatever its state, and opens the page in a new one. */
async function reopen(engine, url) {
  await closeBrowsers();
  return openDriver(engine, url);
}

async function holds(driver, engine, id, claim) {
  // Later claims of a chapter follow a link in the page that is open, as readers do.
  let isOpen = claim !== chapters.find((chapter) => chapter.id === id).claims[0];
  for (let opened = 1; ; opened++) {
    const sentence = await shows(driver, id, claim, isOpen);
    isOpen = false;
    if (!isLost(engine, sentence) || opened >= maxOpened) break;
    driver.faults.splice(0);
  }
  await checks(driver, id, claim);
}

/** Sets up a claim of a chapter, and returns the chapter's sentence. */
async function shows(driver, id, { hash, set, click }, isOpen) {
  await (isOpen ? driver.follow(hash) : driver.open(hash));
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
    const [sentence, problem] = ['.says', '.problem'].map(
      (each) => document.querySelector(`#${chapter} ${each}`).textContent,
    );
    return sentence || `refused: ${problem}`;
  }, id);

async function checks(driver, id, { says, count = {} }) {
  assert.match(await toldBy(driver, id), says);
  const counts = await driver.evaluate(
    (selectors) => selectors.map((each) => [each, document.querySelectorAll(each).length]),
    Object.keys(count),
  );
  assert.deepEqual(Object.fromEntries(counts), count);
  assert.deepEqual(driver.faults.splice(0), []);
}

/** Chromium reports warnings and requests most completely. */
const isStrict = (engine) => engine === 'Chromium';

/** Each claim is `{ name, hash, set?, click?, says, count? }`; see `shows` and `checks`. */
export async function testEngine(engine) {
  const reason = await absence(engine);
  suite(engine, { skip: reason }, () => {
    let driver;
    let server;
    let ended;
    /** A test that runs once more in a new browser if its window ends. */
    const trial = (name, run) =>
      test(name, async (t) => {
        try {
          await run();
        } catch (error) {
          // WebKitGTK ends a window that does not answer for a while on a busy machine.
          if (!(error instanceof DriverFailure)) throw error;
          t.diagnostic(`once more in a new browser: ${error.message}`);
          driver = await reopen(engine, server.url);
          await run();
        }
      });
    before(async () => {
      await buildPageIfChanged();
      server = await serve(at('dist', 'page'));
      driver = await openDriver(engine, server.url, { strict: isStrict(engine) });
    });
    after(async () => {
      await closeBrowsers();
      await server?.close();
    });

    for (const [index, { id, claims }] of chapters.entries()) {
      if (engine === 'WebKit' && index % 4 === 3) {
        // Its process keeps the memories of pages that it has left, and ends after 40 of them; a
        // chapter opens several.
        test(`${id}: begins in a new browser`, async () => {
          driver = await reopen(engine, server.url);
        });
      }
      for (const claim of claims) {
        trial(`${id}: ${claim.name}`, () => holds(driver, engine, id, claim));
      }
    }

    if (engine === 'WebKit') {
      trial('a test whose window has ended runs again in a new browser', async () => {
        const [{ id, claims }] = chapters;
        if (!ended) {
          ended = driver;
          await driver.close();
        }
        await holds(driver, engine, id, claims[0]);
        assert.notEqual(driver, ended);
      });
    }

    trial('the keyboard moves the slider, and the address follows', async () => {
      // With a setting in the address, no zero comes by itself before the keys.
      await driver.open('#v1/proof?proof.pads=1');
      await driver.evaluate(() => document.querySelector('#proof-edge').focus());
      await driver.press('ArrowRight');
      await driver.press('ArrowRight');
      await driver.waitFor(() => location.hash.includes('proof.pads=3'));
      await driver.waitFor(() => document.querySelector('#proof').dataset.drawn === 'yes');
      const pads = await driver.evaluate(
        () => document.querySelectorAll('#proof .tokens .masked').length,
      );
      assert.equal(pads, 3);
    });

    trial('the playground reports an error with its line', async () => {
      // An error of JavaScript: WebKitGTK loses exceptions of the core's first calls.
      const text = "import { padSequences } from 'maskflow';\n\npadSequences(8);";
      const hash = `#v1/code=${deflateRawSync(text).toString('base64url')}`;
      const shown = async () => {
        await driver.page.goto('about:blank');
        await driver.page.goto(`${server.url}playground/${hash}`);
        await driver.waitFor(() => 'ready' in document.documentElement.dataset);
        await driver.evaluate(() => document.querySelector('[data-run]').click());
        await driver.waitFor(() => !document.querySelector('[data-slot="problem"]').hidden);
        return driver.evaluate(() => document.querySelector('[data-slot="problem"]').textContent);
      };
      let problem = await shown();
      for (let opened = 1; isLost(engine, problem) && opened < maxOpened; opened++) {
        problem = await shown();
      }
      assert.match(
        problem,
        /^The program stopped at line 3\. ValueError: padSequences needs a list/,
      );
    });

    trial('the playground runs a program', async () => {
      await driver.page.goto(`${server.url}playground/`);
      await driver.waitFor(() => 'ready' in document.documentElement.dataset);
      await driver.evaluate(() => document.querySelector('[data-run]').click());
      await driver.waitFor(() => /The program finished/.test(document.body.textContent));
      const output = await driver.evaluate(() => document.querySelector('.prints').textContent);
      assert.match(output, /^3 steps: (0\.\d+)\n10 steps: \1\n100 steps: \1\n$/);
    });
  });
}
