// SPDX-License-Identifier: MIT
// WebKitGTK's MiniBrowser by WebDriver, as far as `visit` needs a browser.
import { setTimeout as pause } from 'node:timers/promises';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { json } from 'node:stream/consumers';
import { Failure, which } from '../../../scripts/lib/process.mjs';
import { waitLimit } from '../../browser/support/browser.js';
import { driverFailed } from '../../../scripts/test/again.mjs';
import { Absent } from './absent.js';
import { Children } from './children.js';

/** Returns the path of MiniBrowser. Debian has a folder for each version of the library. */
function miniBrowser() {
  const folders = ['/usr/lib', '/usr/libexec', `/usr/lib/${process.arch}-linux-gnu`];
  folders.push('/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu');
  const versions = folders
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((name) => `${folder}/${name}`))
    .filter((path) => /\/webkit2?gtk-[\d.]+$/.test(path));
  return versions.map((path) => `${path}/MiniBrowser`).find(existsSync);
}

function freePort() {
  const server = createServer();
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** The driver refuses a command, or does not answer: its window has ended or hangs. */
export class DriverFailure extends Failure {
  constructor(text) {
    super(`${driverFailed}${text}`);
  }
}

/** Milliseconds in which the driver must answer. It has limits of its own, which end first. */
const answerLimit = waitLimit + 10_000;
/** Milliseconds in which a window must open. One opens in two seconds, on a busy machine in ten. */
const openLimit = 60_000;
/** How many drivers are started for one window. */
const maxDrivers = 3;

/**
 * Sends a request of WebDriver and returns the value of its answer. Each request has a connection
 * of its own: the driver closes idle ones, and a request that arrives then fails.
 */
async function ask(url, method, body, limit = answerLimit) {
  const { status, value } = await send(url, method, body, limit).catch((error) => {
    throw new DriverFailure(`${method} ${new URL(url).pathname}: ${error.cause ?? error.message}`);
  });
  if (status >= 400) throw new DriverFailure(`${value.error}: ${value.message}`);
  return value;
}

async function send(url, method, body, limit) {
  const text = method === 'POST' ? JSON.stringify(body ?? {}) : '';
  const headers = { 'content-length': Buffer.byteLength(text) };
  const signal = AbortSignal.timeout(limit);
  const sent = request(url, { method, agent: false, headers, signal });
  sent.end(text);
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, ...(await json(answer)) };
}

/** The codes of WebDriver for keys. All other keys are letters. */
const keys = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  Space: ' ',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  Delete: '\uE017',
};

/**
 * Wraps `f` so that its result or its error is returned, because WebDriver has only one kind of
 * answer.
 */
const script = (f) => `const done = arguments[arguments.length - 1];
const args = [...arguments].slice(0, -1);
Promise.resolve().then(() => (${f})(...args)).then((value) => done({ value }), (error) => done({ error: String(error) }));`;

/**
 * A window in its own session, with the methods of a puppeteer page that the tests use. It does not
 * report errors of the page.
 */
class Tab {
  silent = true;
  #url;
  constructor(url) {
    this.#url = url;
  }
  on() {}
  goto = (url) =>
    ask(`${this.#url}/timeouts`, 'POST', { pageLoad: waitLimit, script: waitLimit }).then(() =>
      ask(`${this.#url}/url`, 'POST', { url }),
    );
  close = () => ask(this.#url, 'DELETE');

  async evaluate(f, ...args) {
    const given = { script: script(f), args };
    const { value, error } = await ask(`${this.#url}/execute/async`, 'POST', given);
    if (error) throw new Failure(error);
    return value;
  }

  async waitForFunction(f, _options, ...args) {
    const end = performance.now() + waitLimit;
    while (!(await this.evaluate(f, ...args))) {
      if (performance.now() > end) throw new Failure(`no result in ${waitLimit / 1000} s`);
      await pause(50);
    }
  }

  setViewport({ width, height }) {
    return ask(`${this.#url}/window/rect`, 'POST', { width, height });
  }

  async screenshot({ path }) {
    writeFileSync(path, Buffer.from(await ask(`${this.#url}/screenshot`, 'GET'), 'base64'));
  }

  keyboard = {
    press: (name) => {
      const value = keys[name] ?? name;
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value }));
      return ask(`${this.#url}/actions`, 'POST', {
        actions: [{ type: 'key', id: 'keyboard', actions }],
      });
    },
  };
}

async function untilReady(url) {
  for (let i = 0; i < 100; i++) {
    const status = await ask(`${url}/status`, 'GET').catch(() => undefined);
    if (status?.ready) return;
    await pause(100);
  }
  throw new Failure('WebKitWebDriver does not answer');
}

/** Returns the command of the driver; on a machine without a display, it has a virtual one. */
function driverCommand() {
  const driver = process.env.WEBKIT_DRIVER_PATH ?? which('WebKitWebDriver');
  const binary = process.env.WEBKIT_PATH ?? miniBrowser();
  const display = process.env.DISPLAY ? [] : ['xvfb-run', '--auto-servernum'];
  if (!driver || !binary) throw new Absent('no WebKitWebDriver here (webkit2gtk-driver)');
  if (display.length > 0 && !which('xvfb-run')) throw new Absent('no display and no xvfb-run here');
  return { command: [...display, driver], binary };
}

/** Starts a driver: `open` resolves to a session in a new window, `stop` ends driver and window. */
async function startDriver({ command: [command, ...args], binary, env }) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const children = new Children();
  const ended = children.run(command, [...args, `--port=${port}`], { env });
  await Promise.race([untilReady(url), ended]);
  ended.catch(() => {});
  const options = { binary, args: ['--automation'] };
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
  return {
    url,
    open: () => ask(`${url}/session`, 'POST', { capabilities }, openLimit),
    stop: () => children.stop(),
  };
}

/**
 * Starts WebKit, with further variables of its environment. A window that does not open is opened
 * by a new driver.
 */
export async function startWebkit(variables = {}) {
  const command = { ...driverCommand(), env: { ...process.env, ...variables } };
  let driver = await startDriver(command);
  let version;
  const openWindow = async () => {
    for (let count = 1; ; count++) {
      try {
        return await driver.open();
      } catch (error) {
        if (!(error instanceof DriverFailure) || count === maxDrivers) throw error;
        driver.stop();
        driver = await startDriver(command);
      }
    }
  };
  return {
    async newPage() {
      const session = await openWindow();
      version = session.capabilities.browserVersion;
      return new Tab(`${driver.url}/session/${session.sessionId}`);
    },
    version: async () => `WebKitGTK/${version}`,
    close: async () => driver.stop(),
  };
}
