// SPDX-License-Identifier: MIT
// The order of search results: pages of layers and functions, then guides, then the rest of the
// API, then texts for those who work on the package.

/**
 * Returns the factor for the score that a section gets for a word of the query or one like it. The
 * site sends this function to the browser as text, so it cannot use names from outside.
 */
export function boostDocument(id: string, term: string): number {
  // Addresses begin with the place of the docs at their host.
  const place =
    /(?:^|\/)((?:api\/maskflow|guides|internals|contributing)\/[^#]*|[^/#]*)(?:#(.*))?$/;
  const [, file = '', anchor = ''] = place.exec(id) ?? [];
  const path = file.replace(/\.html$/, '');
  const page = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const isTop = anchor === page;
  if (/^(internals|architecture|contributing|changelog|releasing|conduct|security)/.test(path)) {
    return 0.2;
  }
  if (/^(performance|compatibility|keras-names)/.test(path)) return 0.4;
  // Programs use everything; their pages explain little of it.
  if (path === 'programs' && !isTop) return 1;
  if (!path.startsWith('api/')) return isTop ? 2 : 1.4;
  if (
    /^(example|examples|parameters|returns|throws|inherited|call-signature)(-\d+)?$/.test(anchor)
  ) {
    return 0.3;
  }
  if (/^api\/maskflow\/(classes|functions)\//.test(path)) {
    if (isTop) return 3;
    // The option or method of this name comes before texts about it.
    const own = anchor === term ? 1.5 : 1;
    if (page === 'model') return 2.2 * own;
    if (page === 'tensor') return 1.3;
    // Many layers have the same options: the usual layers come first.
    if (/^(lstm|embedding|dense|dropout)$/.test(page)) return 1.2 * own;
    return page === 'gru' ? 1.1 * own : own;
  }
  if (/\/(functions|classes|variables)\//.test(path)) return isTop ? 1.3 : 0.8;
  return 0.3;
}
