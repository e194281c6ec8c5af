// SPDX-License-Identifier: MIT
// Measures how long a page with an empty cache takes until its first prediction, with the package
// in dist/, in Chromium or Chrome. Writes bench/cold/figures.json and its section of
// docs/performance.md.
//   --count=15   visits of each page, in new contexts and again in new browsers
//   --dry        prints the section and writes nothing
import { machine } from '../../bench/machine.mjs';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makePages } from '../../bench/cold/pages.mjs';
import { coldSection, title } from '../../bench/cold/report.mjs';
import { figures } from '../../bench/cold/summary.mjs';
import { visitAll } from '../../bench/cold/visits.mjs';
import { at } from '../lib/files.mjs';
import { writeSection } from '../lib/measured.mjs';
import { Failure, main } from '../lib/process.mjs';
import { findBrowser } from '../setup/browser.mjs';

function parse() {
  const options = { count: { type: 'string', default: '15' }, dry: { type: 'boolean' } };
  const { values } = parseArgs({ options });
  const count = Number(values.count);
  if (!(count >= 1)) throw new Failure(`--count=${values.count} has to be a number from 1 up`);
  return { count, dry: values.dry };
}

await main(async () => {
  const { count, dry } = parse();
  const browser = await findBrowser({});
  if (browser === 'none') throw new Failure('no browser to measure in');
  const pages = await makePages();
  const measured = await visitAll(browser, pages, count);
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const kept = figures(measured, { machine, version, count });
  const section = coldSection(kept);
  console.log(section);
  if (!dry) writeSection('cold', { title, section, figures: kept });
});
