// SPDX-License-Identifier: MIT
// Pages that are measured in Chromium, and projects as users of the package have them.
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { launch } from '../scripts/lib/chromium.mjs';
import { at, readIfThere } from '../scripts/lib/files.mjs';
import { serve } from '../scripts/lib/serve.mjs';

/** Returns a page that runs a module; `head` comes before it. */
export const html = (
  script,
  head = '',
) => `<!doctype html><meta charset="utf-8"><title>bench</title>
<link rel="icon" href="data:,">${head}
<script type="module" src="${script}"></script>\n`;

/** Writes files, by name, into an empty folder, and returns it. */
export function writeFolder(folder, files) {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

/** Writes a project whose node_modules has this package and the peers that are installed. */
export function writeProject(folder, files) {
  writeFolder(folder, { 'package.json': '{ "private": true, "type": "module" }\n', ...files });
  mkdirSync(join(folder, 'node_modules'));
  const peers = at('bench', 'peers', 'node_modules');
  const hasPeers = readIfThere(join(peers, '.installed')) !== undefined;
  const names = hasPeers ? readdirSync(peers).filter((name) => !name.startsWith('.')) : [];
  const packages = [...names.map((name) => [name, join(peers, name)]), ['maskflow', at()]];
  for (const [name, path] of packages) symlinkSync(path, join(folder, 'node_modules', name), 'dir');
  return folder;
}

/** Serves folders, calls `body` with their addresses and a browser, and closes everything. */
export async function withPages({ executable, folders, serving, launching }, body) {
  const servers = await Promise.all(folders.map((folder) => serve(folder, serving)));
  const open = () => launch(executable, launching);
  const browser = await open();
  const urls = servers.map(({ url }) => url);
  try {
    const engine = (await browser.version()).replace('/', ' ');
    return { engine, result: await body({ urls, browser, open, engine }) };
  } finally {
    await browser.close();
    await Promise.all(servers.map((server) => server.close()));
  }
}

/** Opens a page in a tab and returns what the page leaves in `globalThis.measured`. */
export async function measuredOn(tab, url) {
  const failure = new Promise((_, reject) => {
    tab.on('pageerror', reject);
  });
  await tab.goto(url);
  const result = await Promise.race([tab.waitForFunction('globalThis.measured'), failure]);
  return result.jsonValue();
}

/** Opens a page in a new tab and returns the result of the page's `globalThis.measure(...args)`. */
export async function calledOn(browser, url, ...args) {
  const tab = await browser.newPage();
  tab.on('console', (message) => console.log(message.text()));
  tab.on('pageerror', (error) => console.error(error));
  try {
    await tab.goto(url);
    await tab.waitForFunction('globalThis.measure !== undefined');
    return await tab.evaluate((...values) => globalThis.measure(...values), ...args);
  } finally {
    await tab.close();
  }
}

/** Settings of a browser whose pages measure for minutes and collect their garbage. */
export const measuring = (...flags) => ({
  protocolTimeout: 1_800_000,
  args: ['--js-flags=--expose-gc', ...flags],
});
