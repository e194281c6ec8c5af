// SPDX-License-Identifier: MIT
// Visits pages in Chromium on a slow line, in turns, and counts what they fetch.
import { launch } from '../../scripts/lib/chromium.mjs';
import { serve } from '../../scripts/lib/serve.mjs';

/** Slow 4G, as Lighthouse emulates it: 150 ms for each request, 1.6 Mbit/s. */
const line = { offline: false, latency: 150, downloadThroughput: 2e5, uploadThroughput: 9.6e4 };

/**
 * Returns the longest chain of requests: one request is a link of another's chain if it began after
 * that had ended. The browser fetches what a script imports at once.
 */
function depthOf(requests) {
  const depths = new Map();
  for (const request of [...requests].sort((a, b) => a.begin - b.begin)) {
    const before = requests.filter(({ end }) => end <= request.begin);
    depths.set(request, 1 + Math.max(0, ...before.map((each) => depths.get(each) ?? 0)));
  }
  return Math.max(0, ...depths.values());
}

/** Records the requests of a tab: begin and end in ms, and bytes on the line. */
function recordRequests(session) {
  const requests = new Map();
  session.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) => {
    if (/^http/.test(request.url))
      requests.set(requestId, { url: request.url, begin: timestamp * 1000, bytes: 0 });
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    Object.assign(requests.get(requestId) ?? {}, {
      end: timestamp * 1000,
      bytes: encodedDataLength,
    });
  });
  return () => [...requests.values()].filter(({ end }) => end !== undefined);
}

/** Opens a page in a context; returns what its prediction took. */
async function visit(context, { url, title }) {
  const tab = await context.newPage();
  try {
    const session = await tab.createCDPSession();
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', line);
    const requests = recordRequests(session);
    const failure = new Promise((_, reject) => {
      tab.on('pageerror', reject);
    });
    await tab.goto(url);
    await Promise.race([tab.waitForFunction('globalThis.visit'), failure]);
    const { values, time } = await tab.evaluate(() => globalThis.visit);
    if (values.length === 0 || !values.every(Number.isFinite))
      throw new Error(`${title}: no numbers but ${values}`);
    const fetched = requests();
    const bytes = fetched.reduce((sum, each) => sum + each.bytes, 0);
    return { values, time, requests: fetched.length, depth: depthOf(fetched), bytes, fetched };
  } finally {
    await tab.close();
  }
}

/** Visits all pages `count` times, in turns: each in a new context, and once more in the same. */
export async function visitAll(executablePath, pages, count, onVisit = () => {}) {
  const browser = await launch(executablePath);
  const servers = [];
  try {
    for (const page of pages) {
      const headers = { 'cache-control': 'max-age=3600' };
      const server = await serve(page.folder, { compress: true, headers });
      servers.push(server);
      Object.assign(page, { url: server.url, first: [], second: [] });
    }
    for (let round = 0; round < count; round++) {
      for (const page of pages) {
        const context = await browser.createBrowserContext();
        page.first.push(await visit(context, page));
        page.second.push(await visit(context, page));
        await context.close();
        onVisit(page, round);
      }
    }
    return (await browser.version()).replace('/', ' ');
  } finally {
    await browser.close();
    for (const server of servers) await server.close();
  }
}
