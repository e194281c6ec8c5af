// SPDX-License-Identifier: MIT
// The page in three engines with one interface: Chromium, Firefox (WebDriver BiDi) and WebKit, the
// engine of Safari, as WebKitGTK builds it.
import { Absent } from '../../matrix/lib/absent.js';
import { chromium, firefox, sharingWebkit, webkit } from '../../matrix/lib/pages.js';
import { errorsOf, faultsOf, set, waitFor, waitUntilDrawn } from './page.js';

export { closeBrowsers } from '../../matrix/lib/pages.js';

const starts = { Chromium: chromium, Firefox: firefox, WebKit: webkit };

export const engines = Object.keys(starts);

/**
 * Opens a tab of an engine for the page at `url`. Throws an Absent if the engine is not on this
 * machine. With `strict`, warnings and requests to other origins are faults, too. With `shares`,
 * WebKit has shared memory.
 */
export async function openDriver(
  engine,
  url,
  { width = 1280, height = 800, strict = false, shares = false } = {},
) {
  const browser = await (shares && engine === 'WebKit' ? sharingWebkit : starts[engine])();
  const page = await browser.newPage();
  const faults = strict ? faultsOf(page, url) : errorsOf(page);
  await page.setViewport({ width, height });
  return new Driver(page, url, faults);
}

class Driver {
  #url;
  #late;
  #chapter = 'proof';
  constructor(page, url, faults) {
    this.page = page;
    this.#url = url;
    /** Errors that the page did not catch. The list stays empty in WebKit, which reports none. */
    this.faults = faults;
  }

  /** Reloads the page at an address, and waits for the chapter that the address names. */
  async open(hash = '', { path = '' } = {}) {
    await this.page.goto('about:blank');
    await this.page.goto(`${this.#url}${path}${hash}`);
    if (this.#late) await this.page.evaluate(this.#late);
    this.#chapter = /^#(?:v\d+\/)?(\w+)/.exec(hash)?.[1] ?? 'proof';
    await waitUntilDrawn(this.page, this.#chapter);
  }

  /**
   * Follows a link within the page, and waits for the chapter that the address names: much faster
   * than `open`, which it calls if the page is not open yet, or has this address.
   */
  async follow(hash) {
    const chapter = /^#v\d+\/(\w+)/.exec(hash)?.[1];
    const isFollowed =
      chapter !== undefined &&
      (await this.page.evaluate(
        (id, address) => {
          const section = document.getElementById(id);
          if (!section || location.hash === address) return false;
          delete section.dataset.drawn;
          location.hash = address;
          return true;
        },
        chapter,
        hash,
      ));
    if (!isFollowed) return this.open(hash);
    this.#chapter = chapter;
    return waitUntilDrawn(this.page, chapter);
  }

  /**
   * Runs `f` before the scripts of each page that is opened; in WebKit after them, because
   * WebDriver has no earlier moment.
   */
  async before(f) {
    if (this.page.evaluateOnNewDocument) await this.page.evaluateOnNewDocument(f);
    else this.#late = f;
  }

  set = (chapter, values) => set(this.page, chapter, values);
  evaluate = (f, ...args) => this.page.evaluate(f, ...args);
  waitFor = (f, ...args) => waitFor(this.page, f, { args, chapter: this.#chapter });
  press = (key) => this.page.keyboard.press(key);
  screenshot = (path) => this.page.screenshot({ path });
  close = () => this.page.close();
}

/** Returns why an engine's tests are skipped, or false. */
export async function absence(engine) {
  try {
    await starts[engine]();
    return false;
  } catch (error) {
    if (error instanceof Absent) return error.message;
    throw error;
  }
}
