// SPDX-License-Identifier: MIT

/** Returns the page with this section in place of the one with that title, or at the end. */
export function withSection(page, title, section) {
  const start = page.indexOf(`${title}\n`);
  if (start < 0) return `${page.trimEnd()}\n\n${section}`;
  const next = page.indexOf('\n## ', start + 1);
  const following = next < 0 ? '' : page.slice(next);
  return page.slice(0, start) + section + following;
}
