// SPDX-License-Identifier: MIT
// Links of the sources, as they work in the repository, to what the site has in their place.
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

type Token = ReturnType<MarkdownRenderer['parse']>[number];

/** Files of the project outside docs/ that pages of the site include, by their paths. */
const included: { [path: string]: string } = {
  'CHANGELOG.md': 'changelog.md',
  'CODE_OF_CONDUCT.md': 'conduct.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
};
const elsewhere: { [path: string]: string } = {
  ...included,
  'README.md': 'index.md',
  examples: 'programs.md',
};
const includes = new Set(Object.values(included));

/**
 * The address on the site, from a page, of what its source links to; `beside`: it is no page of the
 * docs.
 */
function addressOf(href: string, page: string): { href: string; beside: boolean } {
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/.exec(href) ?? [];
  const folder = includes.has(page) ? '.' : posix.join('docs', posix.dirname(page));
  const target = posix.join(folder, path);
  // The page lies beside the docs as the repository's top does.
  if (/^(\.\/?|playground\/)$/.test(target)) return { href, beside: true };
  const known = elsewhere[target.replace(/\/$/, '')];
  if (known === undefined && !target.startsWith('docs/')) {
    throw new Error(`docs/${page}: links to ${href}, which is not on the site`);
  }
  const found = known ?? target.slice('docs/'.length);
  return { href: posix.relative(posix.dirname(page), found) + rest, beside: false };
}

function rewriteLink(link: Token, page: string): void {
  const href = link.attrGet('href') ?? '';
  if (/^([a-z]+:|\/|#|$)/i.test(href)) return;
  const { href: found, beside } = addressOf(href, page);
  link.attrSet('href', found);
  // The docs' own navigation keeps its hands off these.
  if (beside) link.attrSet('target', '_self');
}

/** The table of layers: each name leads to the page of its layer, where the reference has one. */
function linkLayers(
  tokens: Token[],
  State: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token,
): void {
  tokens.forEach((token, index) => {
    if (token.type !== 'tr_open' || tokens[index + 1]?.type !== 'td_open') return;
    const cell = tokens[index + 2];
    const name = /^\w+/.exec(cell?.content ?? '')?.[0];
    const path = `api/maskflow/classes/${name}`;
    if (!cell?.children || !existsSync(new URL(`../../${path}.md`, import.meta.url))) return;
    const open = new State('link_open', 'a', 1);
    open.attrSet('href', `${path}.md`);
    cell.children = [open, ...cell.children, new State('link_close', 'a', -1)];
  });
}

export function links(md: MarkdownRenderer): void {
  md.core.ruler.push('links_of_the_site', ({ env, tokens, Token }) => {
    const page: string | undefined = env.relativePath;
    if (page === undefined || page.startsWith('api/')) return;
    if (page === 'layers.md') linkLayers(tokens, Token);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') rewriteLink(token, page);
    }
  });
}
