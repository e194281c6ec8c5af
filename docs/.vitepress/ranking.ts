// SPDX-License-Identifier: MIT
// The order of search results: pages of layers and functions, then guides, then the rest of the
// API, then texts for those who work on the package.

/**
 * Returns the factor for a section's score. The site sends this function to the browser as text, so
 * it cannot use names from outside.
 */
export function boostDocument(id: string): number {
  // Addresses begin with the place of the docs at their host.
  const place = /(?:^|\/)((?:api\/maskflow|guides|internals)\/[^#]*|[^/#]*)(?:#(.*))?$/;
  const [, file = '', anchor = ''] = place.exec(id) ?? [];
  const path = file.replace(/\.html$/, '');
  const page = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const isTop = anchor === page;
  if (/^(internals|architecture|contributing|changelog|releasing|conduct|security)/.test(path)) {
    return 0.2;
  }
  if (/^(performance|compatibility|keras-names)/.test(path)) return 0.4;
  if (!path.startsWith('api/')) return isTop ? 2 : 1.4;
  if (
    /^(example|examples|parameters|returns|throws|inherited|call-signature)(-\d+)?$/.test(anchor)
  ) {
    return 0.3;
  }
  if (/^api\/maskflow\/(classes|functions)\//.test(path)) {
    if (isTop) return 3;
    if (page === 'model') return 2.2;
    return page === 'tensor' ? 1.3 : 1;
  }
  if (/\/(functions|classes|variables)\//.test(path)) return isTop ? 1.3 : 0.8;
  return 0.3;
}
