// SPDX-License-Identifier: MIT
// Writes the page's fonts. base.css says which characters and weights each file has; a file with
// only those that the page itself needs is less than half as large.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { at } from '../lib/files.mjs';

/** Returns the characters of a `unicode-range`, such as `U+20-7E, U+D7`. */
function charactersOf(range) {
  const codes = range.split(',').flatMap((part) => {
    const [from, to = from] = part
      .trim()
      .replace(/^U\+/i, '')
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
  // Surrogates are not characters.
  return codes
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .join('');
}

/** Returns the file, characters and least and largest weight of each `@font-face` of base.css. */
function fontFaces() {
  const css = readFileSync(at('page', 'styles', 'base.css'), 'utf8');
  return [...css.matchAll(/@font-face \{([^}]*)\}/g)].map(([, rule]) => {
    const [, file] = /url\("fonts\/([\w-]+\.woff2)"\)/.exec(rule);
    const [, min, max] = /font-weight: (\d+) (\d+);/.exec(rule).map(Number);
    const [, range] = /unicode-range:\s*([^;]*);/.exec(rule);
    return { file, min, max, text: charactersOf(range) };
  });
}

/** Writes the fonts and their licences to `folder`. Returns the files that they come from. */
export async function writeFonts(folder) {
  mkdirSync(folder, { recursive: true });
  const sources = [];
  for (const { file, min, max, text } of fontFaces()) {
    const [, family] = /^atkinson-(next|mono)/.exec(file);
    const name = `atkinson-hyperlegible-${family}`;
    const source = at('node_modules', '@fontsource-variable', name);
    const path = join(source, 'files', `${name}-latin-wght-normal.woff2`);
    sources.push(path);
    const whole = readFileSync(path);
    const variationAxes = { wght: { min, max } };
    const subset = await subsetFont(whole, text, { targetFormat: 'woff2', variationAxes });
    writeFileSync(join(folder, file), subset);
    copyFileSync(join(source, 'LICENSE'), join(folder, `atkinson-${family}.LICENSE.txt`));
  }
  return sources;
}
