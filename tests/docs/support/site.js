// SPDX-License-Identifier: MIT
// The site of the docs, served and in a browser, for the tests of one file or suite.
import { after, before } from 'node:test';
import { buildSiteIfChanged } from '../../../scripts/docs.mjs';
import { at } from '../../../scripts/lib/files.mjs';
import { serve } from '../../../scripts/lib/serve.mjs';
import { launchChrome, skip } from '../../browser/support/browser.js';

export { skip };

/** Returns an object with `server` and, unless tests are skipped, `browser` when tests begin. */
export function siteInChrome() {
  const site = {};
  before(async () => {
    await buildSiteIfChanged();
    site.server = await serve(at('dist', 'site'));
    if (!skip) site.browser = await launchChrome();
  });
  after(async () => {
    await site.browser?.close();
    await site.server?.close();
  });
  return site;
}
