// SPDX-License-Identifier: MIT
// The page in three engines, in one form: Chromium, Firefox (WebDriver BiDi) and WebKit, the engine of Safari, as WebKitGTK builds it.
import { Absent } from '../../matrix/lib/absent.js';
import { chromium, firefox, webkit } from '../../matrix/lib/pages.js';
import { drawn, set } from './page.js';

export { closeBrowsers } from '../../matrix/lib/pages.js';

const starts = { Chromium: chromium, Firefox: firefox, WebKit: webkit };

export const engines = Object.keys(starts);

/** A tab of an engine for the page at `url`. Where the engine is not on this machine, an Absent says so. */
export async function openDriver(engine, url, { width = 1280, height = 800 } = {}) {
  const browser = await starts[engine]();
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.setViewport({ width, height });
  return new Driver(page, url, faults);
}

class Driver {
  #url;
  #late;
  constructor(page, url, faults) {
    this.page = page;
    this.#url = url;
    /** What the page did not catch; WebKit tells of none. */
    this.faults = faults;
  }

  /** The page anew, at an address; waits for the chapter that this names. */
  async open(hash = '', { path = '' } = {}) {
    await this.page.goto('about:blank');
    await this.page.goto(`${this.#url}${path}${hash}`);
    if (this.#late) await this.page.evaluate(this.#late);
    const chapter = /^#(?:v\d+\/)?(\w+)/.exec(hash)?.[1] ?? 'proof';
    await drawn(this.page, chapter);
  }

  /** Runs before the scripts of each page that is opened. In WebKit after them, for WebDriver knows no earlier. */
  async before(f) {
    if (this.page.evaluateOnNewDocument) await this.page.evaluateOnNewDocument(f);
    else this.#late = f;
  }

  set = (chapter, values) => set(this.page, chapter, values);
  evaluate = (f, ...args) => this.page.evaluate(f, ...args);
  waitFor = (f, ...args) => this.page.waitForFunction(f, { timeout: 20_000 }, ...args);
  press = (key) => this.page.keyboard.press(key);
  screenshot = (path) => this.page.screenshot({ path });
  close = () => this.page.close();
}

/** Why an engine's tests are skipped, or false. */
export async function absence(engine) {
  try {
    await starts[engine]();
    return false;
  } catch (error) {
    if (error instanceof Absent) return error.message;
    throw error;
  }
}
