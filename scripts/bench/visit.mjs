// SPDX-License-Identifier: MIT
// Measures the first visit of an app on a slow line: how long until its first prediction, how many
// requests, how many bytes, beside TensorFlow.js. Writes bench/visit/figures.json and its section
// of docs/performance.md.
//   --count=7            visits of each page
//   --bundlers=esbuild   leaves out the other bundlers
//   --chains             prints the requests of each page's first visit
//   --dry                writes nothing
import { parseArgs } from 'node:util';
import { readFileSync } from 'node:fs';
import { machine } from '../../bench/machine.mjs';
import { bundlers, makePage, programs } from '../../bench/visit/pages.mjs';
import { figures, title, visitSection } from '../../bench/visit/report.mjs';
import { visitAll } from '../../bench/visit/visits.mjs';
import { at } from '../lib/files.mjs';
import { writeSection } from '../lib/measured.mjs';
import { installPeers } from '../lib/peers.mjs';
import { Failure, main } from '../lib/process.mjs';
import { findBrowser } from '../setup/browser.mjs';

const options = {
  count: { type: 'string', default: '7' },
  bundlers: { type: 'string', default: bundlers.join() },
  chains: { type: 'boolean' },
  dry: { type: 'boolean' },
};

function printChain({ title, bundler, first: [{ fetched }] }) {
  console.log(`${title} (${bundler})`);
  const start = Math.min(...fetched.map(({ begin }) => begin));
  for (const { url, begin, end, bytes } of fetched) {
    const times = [begin, end].map((time) => String(Math.round(time - start)).padStart(6));
    console.log(`${times.join('')}  ${String(bytes).padStart(7)}  ${new URL(url).pathname}`);
  }
}

await main(async () => {
  const { values } = parseArgs({ options });
  const browser = await findBrowser({});
  if (browser === 'none') throw new Failure('no browser to measure in');
  await installPeers({ native: false });
  const pages = [];
  for (const bundler of values.bundlers.split(','))
    for (const name of Object.keys(programs)) pages.push(await makePage(name, bundler));
  const engine = await visitAll(browser, pages, Number(values.count));
  if (values.chains) pages.forEach(printChain);
  const { version } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const kept = figures(pages, { engine, machine, version, count: Number(values.count) });
  const section = visitSection(kept);
  console.log(section);
  if (!values.dry) writeSection('visit', { title, section, figures: kept });
});
