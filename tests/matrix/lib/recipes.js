// SPDX-License-Identifier: MIT
// The programs of docs/recipes.md, unchanged.
import { readFileSync } from 'node:fs';
import { at } from '../../../scripts/lib/files.mjs';

/** The text of docs/recipes.md. */
export const page = readFileSync(at('docs', 'recipes.md'), 'utf8');

/** Code of the recipes by heading and path: every block that has a file name. */
export const recipes = Object.fromEntries(
  page
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const blocks = [...section.matchAll(/^```\w+ title="([^"]+)"\n([\s\S]*?)^```$/gm)];
      const files = Object.fromEntries(blocks.map(([, path, text]) => [path, text]));
      return [section.slice(0, section.indexOf('\n')), files];
    })
    .filter(([, files]) => Object.keys(files).length > 0),
);

/** Headings of blocks without a file name; no cell would run these blocks. */
export const unnamed = page
  .split(/^## /m)
  .filter((section) => /^```\w+$/m.test(section))
  .map((section) => section.slice(0, section.indexOf('\n')));

/** Returns the command of a tool that a sentence of the page contains. */
export const commandOf = (tool) => page.match(new RegExp(`\`(${tool} [^\`]+)\``))[1];

/** Writes recipes into a project. `places` maps each heading to the folder for its files. */
export function writeRecipes(project, places) {
  for (const [heading, folder] of Object.entries(places)) {
    for (const [path, text] of Object.entries(recipes[heading])) {
      project.write(`${folder}/${path}`, text);
    }
  }
}
