// SPDX-License-Identifier: MIT
// Installs what the other scripts need: npm packages, host tools, Emscripten, C++ sources and, with
// --browser, a browser; with --engines, Dask and Redis. Returns at once if everything is installed.
import { installNpmPackages } from './setup/npm.mjs';
import { findTestBrowser, installOthers } from './setup/browser.mjs';
import { installEngines } from './setup/engines.mjs';
import { findEmscripten, installSources } from './setup/cpp.mjs';
import { findHostTools } from './setup/host-tools.mjs';
import { isProgram, main } from './lib/process.mjs';
import { step } from './lib/steps.mjs';

/** @returns what was found: { env, native, native32, browser }; `env` is for every cmake call. */
export async function setup({ native = false, browser = false, engines = false } = {}) {
  const found = {
    env: { ...process.env },
    native: undefined,
    native32: undefined,
    browser: undefined,
  };
  await step('host tools', () => findHostTools(found, { native }));
  // Side by side, because each mostly waits for its own server.
  await Promise.all([
    step('npm packages', installNpmPackages),
    step('Emscripten', () => findEmscripten(found)),
    step('C++ sources', () => installSources()),
  ]);
  if (browser) {
    await step('browser', () => findTestBrowser(found));
    await step('other browsers', () => installOthers());
  }
  if (engines) await step('engines', installEngines);
  return found;
}

if (isProgram(import.meta.url)) {
  await main(async () => {
    const [browser, engines] = ['--browser', '--engines'].map((option) =>
      process.argv.includes(option),
    );
    await setup({ native: true, browser, engines });
  });
}
