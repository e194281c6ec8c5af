// SPDX-License-Identifier: MIT
// A browser that ends or does not start on a busy machine: its driver is started again, and its
// test file runs once more. A failure of a test itself stays one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { at } from '../../scripts/lib/files.mjs';
import { driverFailed } from '../../scripts/test/again.mjs';
import { withRepeatedNavigation } from '../browser/support/firefox.js';
import { DriverFailure, startWebkit } from '../matrix/lib/webkit.js';

const runner = pathToFileURL(at('scripts', 'test', 'node-runner.mjs'));

/** Each test throws `errors[i]` of its name at its i-th run. */
const fileThatThrows = (errors, marks) => `import { suite, test } from 'node:test';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
suite('a browser', () => {
  for (const [name, texts] of Object.entries(${JSON.stringify(errors)})) {
    test(name, () => {
      const mark = ${JSON.stringify(marks)} + name;
      const count = existsSync(mark) ? readFileSync(mark).length : 0;
      appendFileSync(mark, '.');
      if (texts[count]) throw new Error(texts[count]);
    });
  }
});`;

/** A driver that refuses the sessions of its first `refusals` processes. */
const driverThatRefuses = (refusals, mark) => `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
appendFileSync(${JSON.stringify(mark)}, '.');
const refuses = readFileSync(${JSON.stringify(mark)}).length <= ${refusals};
require('node:http').createServer((asked, answer) => {
  const isSession = asked.url === '/session';
  answer.statusCode = isSession && refuses ? 500 : 200;
  const session = { sessionId: 's', capabilities: { browserVersion: '9' } };
  const problem = { error: 'session not created', message: 'no window' };
  const value = isSession ? (refuses ? problem : session) : { ready: true };
  answer.end(JSON.stringify({ value }));
}).listen(Number(process.argv[2].replace('--port=', '')));
`;

suite('a lost browser', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'maskflow-lost-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns the counts of a file whose tests throw these errors, as `npm test` counts them. */
  function countsFor(name, errors) {
    const file = join(folder, `${name}.test.mjs`);
    writeFileSync(file, fileThatThrows(errors, join(folder, `${name}-`)));
    const program = join(folder, `${name}.mjs`);
    writeFileSync(
      program,
      `const { runNodeTests } = await import(${JSON.stringify(runner)});
const counts = await runNodeTests([${JSON.stringify(file)}]);
console.log('\\n' + JSON.stringify(counts));`,
    );
    // Node runs no files of a process that is a test itself.
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const printed = execFileSync(process.execPath, [program], { env, encoding: 'utf8' });
    return JSON.parse(printed.trim().split('\n').at(-1));
  }
  const lost = `${driverFailed}POST /session: timeout`;

  test('a file that lost its browser runs once more, and only that run counts', () => {
    const { passed, failed } = countsFor('once', { opens: [lost], draws: [] });
    assert.deepEqual({ passed, failed }, { passed: 2, failed: 0 });
  });

  test('a file that loses its browser twice fails', () => {
    const { passed, failed, failures } = countsFor('twice', { opens: [lost, lost], draws: [] });
    assert.deepEqual({ passed, failed }, { passed: 1, failed: 1 });
    assert.match(failures[0], /opens: WebDriver: POST/);
  });

  test('a file that also fails in itself does not run again', () => {
    const { failed } = countsFor('both', { opens: [lost], draws: ['1 != 2'] });
    assert.equal(failed, 2);
  });

  /** Starts WebKit with a driver whose first `refusals` processes open no window. */
  async function startWith(refusals) {
    const [driver, mark] = [join(folder, `driver-${refusals}.cjs`), join(folder, `${refusals}`)];
    writeFileSync(driver, driverThatRefuses(refusals, mark));
    chmodSync(driver, 0o755);
    const { DISPLAY, WEBKIT_DRIVER_PATH, WEBKIT_PATH } = process.env;
    Object.assign(process.env, { DISPLAY: ':0', WEBKIT_DRIVER_PATH: driver, WEBKIT_PATH: driver });
    try {
      return { browser: await startWebkit(), drivers: () => readFileSync(mark).length };
    } finally {
      for (const [name, value] of Object.entries({ DISPLAY, WEBKIT_DRIVER_PATH, WEBKIT_PATH })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  }

  test('a window that does not open is opened by a new driver', async () => {
    const { browser, drivers } = await startWith(2);
    await browser.newPage();
    assert.equal(await browser.version(), 'WebKitGTK/9');
    assert.equal(drivers(), 3);
    await browser.close();
  });

  test('three drivers without a window are an error', async () => {
    const { browser, drivers } = await startWith(9);
    await assert.rejects(browser.newPage(), (error) => {
      assert.ok(error instanceof DriverFailure);
      assert.equal(error.message, `${driverFailed}session not created: no window`);
      return true;
    });
    assert.equal(drivers(), 3);
    await browser.close();
  });

  /** A tab of Firefox whose n-th navigation throws `errors[n]`. */
  async function tabThatThrows(errors) {
    const visited = [];
    const page = {
      async goto(url) {
        const text = errors[visited.push(url) - 1];
        if (text) throw new Error(text);
        return url;
      },
    };
    const tab = await withRepeatedNavigation({ newPage: async () => page }).newPage();
    return { tab, visited };
  }
  const aborted = 'Protocol error (browsingContext.navigate): unknown error NS_BINDING_ABORTED';

  test('Firefox navigates once more when it aborts a navigation', async () => {
    const { tab, visited } = await tabThatThrows([aborted]);
    assert.equal(await tab.goto('about:blank'), 'about:blank');
    assert.deepEqual(visited, ['about:blank', 'about:blank']);
  });

  test('two aborted navigations and other errors fail', async () => {
    await assert.rejects((await tabThatThrows([aborted, aborted])).tab.goto('a'), /ABORTED/);
    const { tab, visited } = await tabThatThrows(['net::ERR_CONNECTION_REFUSED']);
    await assert.rejects(tab.goto('a'), /REFUSED/);
    assert.deepEqual(visited, ['a']);
  });
});
