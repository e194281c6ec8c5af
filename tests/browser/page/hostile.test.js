// SPDX-License-Identifier: MIT
// Programs that somebody shared run where they reach neither the network nor the storage of the
// page, in all engines.
import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';
import { buildPageIfChanged } from '../../../scripts/build-page.mjs';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { absence, closeBrowsers, engines, openDriver } from '../support/drivers.js';

const source = readFileSync(at('tests/browser/support/hostile_program.js'), 'utf8');
const code = readFileSync(at('tests/browser/support/hostile_code.py'), 'utf8');
const secretName = 'kept-by-the-page';
const secret = 'only the page may read this';
const last = 'All ways are tried.';

/**
 * Ways that reach another server from a plain worker of every engine, by the path that they ask.
 */
const reaching = {
  '/fetch': 'fetch',
  '/request': 'fetch of a request',
  '/xhr': 'XMLHttpRequest',
  '/events': 'EventSource',
  '/import': 'dynamic import',
  '/static': 'dynamic import of a blob that imports',
  '/nested': 'Worker of a blob',
};

/** Records every connection and every packet at one port. */
async function recorder() {
  const arrived = [];
  const server = createServer((request, response) => {
    arrived.push(request.url);
    // 204 keeps an EventSource from connecting again, which would look like a later program's way.
    response.writeHead(request.url === '/events' ? 204 : 200, {
      'access-control-allow-origin': '*',
      'content-type': request.url === '/events' ? 'text/event-stream' : 'text/javascript',
    });
    response.end('');
  });
  server.on('connection', () => arrived.push('connection'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const packets = createSocket('udp4', () => arrived.push('packet'));
  packets.bind(port, '127.0.0.1');
  await once(packets, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    arrived,
    async close() {
      packets.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Stores a secret in every place that a page has; runs in the page. */
async function store(name, value) {
  localStorage.setItem(name, value);
  sessionStorage.setItem(name, value);
  // biome-ignore lint/suspicious/noDocumentCookie: not every engine has a cookieStore.
  document.cookie = `${name}=${value}`;
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(name);
  await new Promise((done, fail) => {
    opening.onsuccess = done;
    opening.onerror = fail;
  });
  const transaction = opening.result.transaction(name, 'readwrite');
  transaction.objectStore(name).put(value, name);
  await new Promise((done) => {
    transaction.oncomplete = done;
  });
  opening.result.close();
  const stored = ['localStorage', 'sessionStorage', 'cookie', 'indexedDB'];
  if (typeof caches !== 'undefined') {
    await (await caches.open(name)).put(name, new Response(value));
    stored.push('caches');
  }
  // WebKitGTK has no private file system.
  if (navigator.storage?.getDirectory) {
    const folder = await navigator.storage.getDirectory();
    const file = await folder.getFileHandle(name, { create: true });
    if (file.createWritable) {
      const writable = await file.createWritable();
      await writable.write(value);
      await writable.close();
    }
    stored.push('opfs');
  }
  window.heard = [];
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }) => window.heard.push(data);
  setInterval(() => channel.postMessage(value), 50);
  return stored;
}

for (const engine of engines) {
  suite(`hostile programs in ${engine}`, { skip: await absence(engine) }, () => {
    let driver;
    let page;
    let other;
    const fetched = [];
    const programFor = (own, { only, from = 0 } = {}) =>
      source
        .replace(/^\/\/ SPDX[\s\S]*?\n(?=const)/, '')
        .replaceAll('OTHER', other.url)
        .replaceAll('OWN', own)
        .replaceAll('= ONLY', `= ${JSON.stringify(only)}`)
        .replaceAll('= FROM', `= ${from}`)
        .replaceAll('SECRET_NAME', secretName);
    const packed = (text) => deflateRawSync(text).toString('base64url');

    before(async () => {
      await buildPageIfChanged();
      other = await recorder();
      page = await serve(at('dist', 'page'), { onFile: (_, url) => fetched.push(url) });
      driver = await openDriver(engine, page.url);
    });
    after(async () => {
      await driver?.close();
      await closeBrowsers();
      await page?.close();
      await other?.close();
    });

    test('in a plain worker, the program reaches the other server', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'maskflow-plain-'));
      writeFileSync(join(folder, 'index.html'), '<!doctype html><title>plain</title>');
      const plain = await serve(folder);
      try {
        await driver.page.goto(plain.url);
        // One worker for each way: in Firefox, an import ends the answers of a worker.
        for (const way of Object.values(reaching))
          await driver.evaluate(
            (text) => {
              const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
              // A worker that nothing refers to may end before its own worker has sent anything.
              window.workers ??= [];
              window.workers.push(new Worker(address, { type: 'module' }));
            },
            programFor(plain.url, { only: [way] }),
          );
        const arrived = () => new Set(other.arrived);
        const missing = () => Object.entries(reaching).filter(([path]) => !arrived().has(path));
        for (let tries = 0; tries < 300 && missing().length > 0; tries++) await pause(100);
        assert.deepEqual(missing(), []);
      } finally {
        await driver.page.goto('about:blank');
        await plain.close();
        rmSync(folder, { recursive: true });
      }
    });

    /** Asserts what the program printed, what arrived, and what the page heard. */
    async function assertHarmless(output) {
      await pause(1000);
      assert.deepEqual(other.arrived, []);
      const leaks = fetched.filter((url) => /leak|\?|\.\./.test(url.replace(/\?chapter.*/, '')));
      assert.deepEqual(leaks, []);
      assert.ok(!output.includes(secret), output);
      assert.match(output, new RegExp(`\n${last}\n`));
      assert.deepEqual(await driver.evaluate(() => window.heard), []);
      const path = await driver.evaluate(() => location.pathname);
      assert.ok(page.url.endsWith(`${new URL(page.url).host}/`) && !/location|open/.test(path));
    }

    /** Returns how many ways the program of this output has tried. */
    const triedIn = (output) =>
      Math.max(0, ...Array.from(output.matchAll(/^tried: (\d+)$/gm), (match) => Number(match[1])));

    /**
     * Runs programs until all ways are tried: on a busy machine, the page ends a program before its
     * last way, and another one goes on. `outputFrom` runs a program without its first ways.
     */
    async function assertAllHarmless(outputFrom) {
      for (let from = 0, output = '', inVain = 0; !output.includes(last); ) {
        output = await outputFrom(from);
        const isEnded = output.includes(last);
        await assertHarmless(isEnded ? output : `${output}\n${last}\n`);
        inVain = triedIn(output) > from ? 0 : inVain + 1;
        assert.ok(inVain < 4, output);
        from = Math.max(from, triedIn(output));
      }
    }

    test('from the playground it reaches neither network nor storage', async () => {
      await assertAllHarmless(async (from) => {
        const program = packed(programFor(page.url, { from }));
        await driver.page.goto(`${page.url}playground/?from=${from}#v1/code=${program}`);
        await driver.waitFor(() => 'ready' in document.documentElement.dataset);
        const stored = await driver.evaluate(store, secretName, secret);
        assert.ok(stored.length >= 5, stored.join());
        other.arrived.length = 0;
        fetched.length = 0;
        await driver.evaluate(() => document.querySelector('[data-run]').click());
        await driver.waitFor(() =>
          /The program (?:finished|was stopped after)/.test(
            document.querySelector('main').textContent,
          ),
        );
        return driver.evaluate(() => document.querySelector('.prints').textContent);
      });
      // The page still has what it stored.
      assert.equal(await driver.evaluate((name) => localStorage.getItem(name), secretName), secret);
    });

    test('from Python code in a link it reaches neither', async () => {
      const python = code.replaceAll('OTHER', other.url).replaceAll('SECRET_NAME', secretName);
      await driver.open(`#v1/own?own.model=python&own.py=${packed(python)}`);
      await driver.waitFor(() => !document.querySelector('#own [data-waits]').hidden);
      await driver.evaluate(store, secretName, secret);
      other.arrived.length = 0;
      fetched.length = 0;
      assert.equal(await driver.evaluate(() => 'escaped' in globalThis), false);
      assert.deepEqual(other.arrived, []);
      await driver.evaluate(() => document.querySelector('[data-run-python]').click());
      // A second run, of a figure that is drawn again, begins with an empty output.
      await driver.waitFor((line) => {
        window.printed = document.querySelector('#own .code .prints').textContent;
        return window.printed.includes(line);
      }, last);
      const output = await driver.evaluate(() => window.printed);
      await assertHarmless(`\n${output}`);
      assert.equal(await driver.evaluate(() => 'escaped' in globalThis), false);
    });

    /** Runs the program of a link to a chapter, without its first ways; returns its output. */
    async function outputIn(chapter, from) {
      const program = packed(programFor(page.url, { from }));
      await driver.open(`#v1/${chapter}?${chapter}.code=${program}`);
      await driver.waitFor(() => 'complete' in document.documentElement.dataset);
      await driver.evaluate(store, secretName, secret);
      other.arrived.length = 0;
      fetched.length = 0;
      await driver.evaluate((id) => {
        const buttons = [...document.querySelectorAll(`#${id} .code button`)];
        buttons.find((each) => each.textContent === 'Run').click();
      }, chapter);
      await driver.waitFor(
        (id, line) => {
          const section = document.getElementById(id);
          window.printed = section.querySelector('.code .prints').textContent;
          return window.printed.includes(line) || / stopped after 10 s/.test(section.textContent);
        },
        chapter,
        last,
      );
      return driver.evaluate(() => window.printed);
    }

    for (const chapter of ['proof', 'padding'])
      test(`from a link to the chapter ${chapter} it reaches neither`, () =>
        assertAllHarmless((from) => outputIn(chapter, from)));
  });
}
