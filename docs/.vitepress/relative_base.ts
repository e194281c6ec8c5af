// SPDX-License-Identifier: MIT
// The site works at any path of any host: pages and scripts are built with a stand-in for the base,
// which pages replace by the way from them to the top of the docs, and scripts by where the page
// says that it lies.
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vitepress';

export const standIn = '/-docs-/';
const atRunTime = 'window.__VP_SITE_DATA__.base';

/** Takes the stand-in out of what the browser runs; the pages themselves are `relativePage`'s. */
export function relativeBase(): Plugin {
  return {
    name: 'relative-base',
    enforce: 'post',
    config: () => ({
      experimental: { renderBuiltUrl: () => ({ relative: true }) },
      build: { modulePreload: false },
    }),
    transform(code, id, options) {
      if (options?.ssr) return undefined;
      if (id.endsWith('vitepress/dist/client/app/utils.js')) {
        const placed = code.replaceAll(/import\.meta\.env\.BASE_URL|"\/-docs-\/"/g, atRunTime);
        if (placed === code) throw new Error("VitePress's client finds pages in another way");
        return placed;
      }
      // The addresses of what is found: the text of an index.
      const index =
        id.startsWith('/@localSearchIndex') && /^export default (".*")$/s.exec(code.trim());
      if (index) return `export default ${index[1]}.replaceAll('${standIn}', ${atRunTime})`;
      return undefined;
    },
  };
}

/** Rewrites the addresses of a page as relative to the page. */
export function relativePage(html: string, page: string): string {
  const up = '../'.repeat(page.split('/').length - 1) || './';
  // The navigation has the place of its sidebar from the start; the script would move it later.
  const placed = html.includes('class="VPSidebar"')
    ? html.replace('<div class="VPNavBar"', '<div class="VPNavBar has-sidebar top"')
    : html;
  return placed.replaceAll(`="${standIn}`, `="${up}`);
}

/** Makes the chunk that every page loads first define the root of the docs: two folders above. */
export function placeChunk(outDir: string): void {
  const folder = join(outDir, 'assets', 'chunks');
  const name = readdirSync(folder).find((each) => /^metadata\.\w+\.js$/.test(each));
  if (!name) throw new Error('VitePress wrote no assets/chunks/metadata.*.js');
  appendFileSync(join(folder, name), `${atRunTime}=new URL('../../',import.meta.url).pathname;`);
}
