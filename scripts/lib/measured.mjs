// SPDX-License-Identifier: MIT
// Runs measurements for docs/performance.md, and writes their sections.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { at, readIfThere } from './files.mjs';
import { Failure, run, runQuietly } from './process.mjs';
import { relaxedFlag } from './relaxed-flag.mjs';

/**
 * Runs measure(args) of bench/NAME.mjs in a process of its own under `node` (bench/apart.mjs), and
 * returns the figures.
 */
export async function measuredApart(name, args, node = process.execPath) {
  mkdirSync(at('build'), { recursive: true });
  const out = at('build', `${name.replace('/', '-')}.json`);
  const program = [at('bench', 'apart.mjs'), name, out, JSON.stringify(args)];
  const code = await run(node, ['--expose-gc', ...relaxedFlag(node), ...program]);
  if (code !== 0) throw new Failure(`the measurement under ${node} failed`);
  return JSON.parse(readFileSync(out, 'utf8'));
}

/** Returns the page with this section in place of the one with that title, or at the end. */
function withSection(page, title, section) {
  const text = `${title}\n\n${section}`;
  const start = page.indexOf(`${title}\n`);
  if (start < 0) return `${page.trimEnd()}\n\n${text}`;
  const next = page.indexOf('\n## ', start + 1);
  return page.slice(0, start) + text + (next < 0 ? '' : page.slice(next));
}

/** Writes bench/figures/NAME.json, and the section about the figures in docs/performance.md. */
export async function writeSection(name, { title, section }, figures) {
  const path = at('bench', 'figures', `${name}.json`);
  writeFileSync(path, JSON.stringify(figures));
  // Formats the file as `npm run check` demands it.
  const biome = at('node_modules', '@biomejs', 'biome', 'bin', 'biome');
  await runQuietly('node', [biome, 'format', '--write', path]);
  const page = at('docs', 'performance.md');
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), title, section(figures)));
}

/** Returns the page with the sections of these benchmarks, from their last figures. */
export const withLastSections = (page, benchmarks) =>
  Object.entries(benchmarks).reduce((text, [name, { title, section }]) => {
    const figures = readIfThere(at('bench', 'figures', `${name}.json`));
    return figures ? withSection(text, title, section(JSON.parse(figures))) : text;
  }, page);
