// SPDX-License-Identifier: MIT
// VitePress's search as a dialogue with a list of links. It calls itself a button, and its links
// options of a list box, in which assistive technology finds no links. What it no longer says in
// these words makes the build fail.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitepress';

const excerpt = fileURLToPath(new URL('./theme/excerpt.ts', import.meta.url));

const changes: [found: RegExp, put: string][] = [
  [
    /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    'role="dialog" aria-modal="true"',
  ],
  [/:aria-activedescendant="[^"]*"\s+aria-autocomplete="both"/, ''],
  [/:role="results\?\.length \? 'listbox' : undefined"/, ''],
  [/:aria-selected="[^"]*"\s+role="option"/, ''],
  [/<kbd(?= :aria-label=)/g, '<kbd role="img"'],
  [/:aria-label="\[\.\.\.p\.titles, p\.title\]\.join\(' > '\)"/, ''],
  // A result has a few lines of text, not the section as it looks on its page.
  [/<div class="vp-doc" v-html="p\.text" \/>/, '{{ p.text }}'],
  [
    /const text = map\?\.get\(anchor\) \?\? ''/,
    "const text = excerptOf(map?.get(anchor) ?? '', Object.keys(r.match))",
  ],
  // Terms begin words, so a mark does, too.
  [/(?<=map\(\(term\) => `)(?=\(\$\{escape)/, '(?<![\\\\p{L}\\\\d])'],
  [/(?<=\.join\('\|'\),\s+)'gi'/, "'giu'"],
  [/<script lang="ts" setup>/, `$&\nimport { excerptOf } from ${JSON.stringify(excerpt)}`],
  [
    /(?=<ul\s+ref="resultsEl")/,
    '<p class="visually-hidden" role="status"><template v-if="results.length">{{ results.length }} results</template></p>',
  ],
];

export function searchBox(): Plugin {
  return {
    name: 'search-box',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/VPLocalSearchBox.vue')) return undefined;
      return changes.reduce((text, [found, put]) => {
        if (text.search(found) < 0)
          throw new Error(`VitePress's search box has no ${found} any more`);
        return text.replace(found, put);
      }, code);
    },
  };
}
