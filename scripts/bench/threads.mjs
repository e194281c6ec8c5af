// SPDX-License-Identifier: MIT
// Measures two threads and two workers, compared with one thread and with onnxruntime. Needs two
// idle cores.
//   --node=PATH     a Node with relaxed SIMD; default: this one
//   --only=W2,T1    some workloads; otherwise all
//   --dry           prints the section and writes nothing
// A run of all workloads writes the figures beside the measurement, and its section of
// docs/performance.md.
import { parseArgs } from 'node:util';
import { threadsSection, title } from '../../bench/threads/report.mjs';
import { measuredApart, writeSection } from '../lib/measured.mjs';
import { installPeers } from '../lib/peers.mjs';
import { main } from '../lib/process.mjs';
import { step } from '../lib/steps.mjs';

await main(async () => {
  const { values } = parseArgs({
    options: {
      node: { type: 'string', default: process.execPath },
      only: { type: 'string' },
      dry: { type: 'boolean' },
    },
  });
  await step('peers', () => installPeers());
  const { node, only } = values;
  const quiet = await measuredApart('threads', { node, args: [only ?? ''] });
  const busy = await measuredApart('threads', { node, args: [only ?? '', 'busy'] });
  const figures = { ...quiet, busy };
  const section = threadsSection(figures);
  console.log(section);
  if (!values.dry && !only) writeSection('threads', { title, section, figures });
});
