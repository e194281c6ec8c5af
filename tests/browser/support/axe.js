// SPDX-License-Identifier: MIT
// Accessibility of the page, by axe.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTheme, themes } from './page.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of axe whose result depends on colours. All others hold in one theme as in another. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

/** Rules whose result depends on sizes where the same elements are shown. */
export const sizeRules = [...colourRules, 'target-size', 'scrollable-region-focusable'];

/**
 * Returns the violations that axe finds in the page, or in one part of it, of all rules or of those
 * in `rules`, once no figure of the page is dimmed while its numbers are computed.
 */
export async function violations(page, within = 'html', rules = undefined) {
  await page.waitForFunction(() => !document.querySelector('.chapter.waiting'), { polling: 50 });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  return page.evaluate(
    async (selector, options) => {
      const report = await globalThis.axe.run(selector, options);
      return report.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
      );
    },
    within,
    options,
  );
}

/**
 * Returns the first violations of all rules or of those in `first`, in both themes, as a text; it
 * ends in the first theme.
 */
export async function violationsInThemes(page, within, first = undefined) {
  const found = [];
  for (const theme of themes.toReversed()) {
    await setTheme(page, theme);
    const rules = theme === themes[0] ? first : colourRules;
    for (const each of await violations(page, within, rules)) found.push(`${theme}: ${each}`);
  }
  return found.slice(0, 3).join('\n');
}

/** Returns by how many pixels the page is wider than the screen. */
export const sideways = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
