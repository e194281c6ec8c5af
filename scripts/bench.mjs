// SPDX-License-Identifier: MIT
// Runs a benchmark of bench/, each of which lists its options:
//   node scripts/bench.mjs NAME [options]    NAME is cold, data, load, peers, threads, train or visit
// Benchmarks with a section in docs/performance.md print it. A run of all workloads also writes it,
// and the figures, to bench/figures.
//   --dry   prints the section and writes nothing
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { machine, version } from './lib/facts.mjs';
import { installPeers } from './lib/peers.mjs';
import { measuredApart, writeSection } from './lib/measured.mjs';
import { Failure, main } from './lib/process.mjs';
import { step } from './lib/steps.mjs';
import { findBrowser } from './setup/browser.mjs';

const names = ['cold', 'data', 'load', 'peers', 'threads', 'train', 'visit'];

/** The parts of the project's scripts that benchmarks need. */
const tools = {
  measuredApart,
  facts: { machine, version },
  busy: loadavg()[0],
  installPeers: (options) => step('peers', () => installPeers(options)),
  async browser() {
    const path = await findBrowser({});
    if (path === 'none') throw new Failure('no browser to measure in');
    return path;
  },
};

/** Returns the values of the options. Those in `numbers` are integers from this least value up. */
function parse(args, { options, numbers = { count: 1 } }) {
  const { values } = parseArgs({ args, options: { ...options, dry: { type: 'boolean' } } });
  for (const [name, least] of Object.entries(numbers)) {
    const isNumber = (text) => Number.isInteger(Number(text)) && Number(text) >= least;
    if (values[name] !== undefined && !values[name].split(',').every(isNumber))
      throw new Failure(`--${name}=${values[name]} has to be an integer from ${least} up`);
  }
  return values;
}

await main(async () => {
  const [name, ...args] = process.argv.slice(2);
  if (!names.includes(name)) throw new Failure(`name a benchmark first: ${names.join(', ')}`);
  const benchmark = await import(`../bench/${name}.mjs`);
  const values = parse(args, benchmark);
  const figures = await benchmark.measure(values, tools);
  const { title, section } = benchmark;
  // Benchmarks without figures have printed what they measured.
  if (!section || !figures) return;
  console.log(`${title}\n\n${section(figures)}`);
  if (!values.dry && !values.only) await writeSection(name, benchmark, figures);
});
