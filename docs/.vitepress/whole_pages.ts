// SPDX-License-Identifier: MIT
import type { Plugin } from 'vitepress';

/**
 * Keeps pages out of tree shaking. Everything on a page is used, and finding that out for each of
 * its calls takes a third of the time of a build.
 */
export const wholePages = (): Plugin => ({
  name: 'whole-pages',
  enforce: 'post',
  transform: (_, id) => (id.endsWith('.md') ? { moduleSideEffects: 'no-treeshake' } : undefined),
});
