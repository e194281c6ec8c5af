// SPDX-License-Identifier: MIT
// Runs measurements for docs/performance.md, and writes their sections.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { at } from './files.mjs';
import { Failure, run } from './process.mjs';
import { relaxedFlag } from './relaxed-flag.mjs';

/**
 * Runs bench/NAME/main.mjs in a process of its own under `node`, with a file for its figures as
 * first argument, and returns the figures.
 */
export async function measuredApart(name, { node = process.execPath, args = [] } = {}) {
  mkdirSync(at('build'), { recursive: true });
  const out = at('build', `${name}.json`);
  const program = at('bench', name, 'main.mjs');
  const code = await run(node, ['--expose-gc', ...relaxedFlag(node), program, out, ...args]);
  if (code !== 0) throw new Failure(`the measurement under ${node} failed`);
  return JSON.parse(readFileSync(out, 'utf8'));
}

/** Returns the page with this section in place of the one with that title, or at the end. */
export function withSection(page, title, section) {
  const start = page.indexOf(`${title}\n`);
  if (start < 0) return `${page.trimEnd()}\n\n${section}`;
  const next = page.indexOf('\n## ', start + 1);
  const following = next < 0 ? '' : page.slice(next);
  return page.slice(0, start) + section + following;
}

/** Writes bench/NAME/figures.json, and the section about the figures in docs/performance.md. */
export function writeSection(name, { title, section, figures }) {
  const file = at('bench', name, 'figures.json');
  writeFileSync(file, `${JSON.stringify(figures, null, 2)}\n`);
  const page = at('docs', 'performance.md');
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), title, section));
}
