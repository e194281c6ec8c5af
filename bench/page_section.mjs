// SPDX-License-Identifier: MIT

/** The page with this section in place of the one of that title, or at its end. */
export function withSection(page, title, section) {
  const start = page.indexOf(`${title}\n`);
  if (start < 0) return `${page.trimEnd()}\n\n${section}`;
  const next = page.indexOf('\n## ', start + 1);
  const rest = next < 0 ? '' : page.slice(next);
  return page.slice(0, start) + section + rest;
}
