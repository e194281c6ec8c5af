// SPDX-License-Identifier: MIT
// Finds or installs the browsers of tests and measurements.
import { existsSync } from 'node:fs';
import { which } from '../lib/process.mjs';
import { warnLoudly } from '../lib/steps.mjs';
import { aptInstall, canInstall } from './apt.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/**
 * Chromium without the parts that draw windows, of the same version: a page takes a quarter less
 * time in it. Tests use it where it is; measurements use what people have.
 */
const shell = 'chromium-headless-shell';

const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
];

function installedBrowser() {
  const asked = process.env.CHROME_PATH;
  if (asked && existsSync(asked)) return asked;
  for (const name of names) {
    const path = which(name);
    if (path) return path;
  }
  return places.find((path) => existsSync(path));
}

/** The other engines in which the page is tested, with their packages in Debian. */
const others = [
  { programs: ['firefox-esr', 'firefox'], asked: 'FIREFOX_PATH', packages: ['firefox-esr'] },
  {
    programs: ['WebKitWebDriver'],
    asked: 'WEBKIT_DRIVER_PATH',
    packages: ['webkit2gtk-driver', 'xvfb', 'xauth'],
  },
];

/** Installs Firefox and WebKit if possible. Otherwise their tests are skipped and say why. */
export async function installOthers() {
  const there = () =>
    others.filter(({ programs, asked }) => process.env[asked] || programs.some(which)).length;
  if (!canInstall()) return `${there()} of ${others.length}`;
  for (const { programs, asked, packages } of others) {
    if (process.env[asked] || programs.some(which)) continue;
    try {
      await aptInstall(...packages);
    } catch (error) {
      warnLoudly(error.message);
    }
  }
  return `${there()} of ${others.length}`;
}

/** Finds (or, as root on Debian, installs) a Chromium. */
export async function findBrowser(found) {
  found.browser = installedBrowser();
  if (!found.browser && canInstall()) {
    try {
      await aptInstall('chromium');
    } catch (error) {
      warnLoudly(error.message);
    }
    found.browser = installedBrowser();
  }
  if (found.browser) return found.browser;
  warnLoudly('No Chromium or Chrome here (CHROME_PATH names one elsewhere): no browser tests.');
  return 'none';
}

/**
 * Finds the Chromium of tests, and returns its path: the one that CHROME_PATH names, else the shell
 * (installed beside Debian's Chromium), else what `findBrowser` finds.
 */
export async function findTestBrowser(found) {
  const browser = await findBrowser(found);
  if (!found.browser || process.env.CHROME_PATH) return browser;
  if (!which(shell) && which('chromium') && canInstall()) {
    // Both at once, because they are of one version.
    await aptInstall('chromium', shell).catch(() => {});
  }
  found.browser = which(shell) ?? found.browser;
  return found.browser;
}
