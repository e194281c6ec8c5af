#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// node tests/fuzz/replay_layers.mjs RECORDED.json ... [--class NAME] [--full]: runs what
// keras_tests.py and keras_layers.py recorded through dist/ and lists what differs from Keras.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as mf from '../../dist/index.js';
import { checkRecorded } from '../support/replay.js';
import { reasonForLayer } from './known_differences.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { class: { type: 'string' }, full: { type: 'boolean' } },
});
await mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'warn' });
let failed = 0;
let total = 0;
let reasons = 0;
for (const path of positionals) {
  const text = readFileSync(path, 'utf8').replace(/(?<=[[:,])(-?)Infinity(?=[\],}])/g, '$11e999');
  const { cases } = JSON.parse(text);
  for (const recorded of cases) {
    const { layer, kind, expect, name } = recorded;
    if (values.class && layer.class_name !== values.class) continue;
    total++;
    const problem = checkRecorded(recorded);
    if (problem === null) continue;
    if (reasonForLayer(problem, recorded)) {
      reasons++;
      continue;
    }
    failed++;
    const keras = expect.error ? ` (Keras: ${expect.error}: ${expect.message.slice(0, 110)})` : '';
    const { name: _, dtype, ...config } = layer.config;
    const shapes = (recorded.shapes ?? recorded.inputs?.map((x) => x.shape) ?? []).map(
      (s) => `[${s}]`,
    );
    console.log(
      `${name} ${kind} ${layer.class_name}${JSON.stringify(config).slice(0, values.full ? 2000 : 160)} ${shapes.join('')}${JSON.stringify(recorded.call ?? '').slice(0, 80)}\n    ${problem.slice(0, 260)}${keras}`,
    );
  }
}
console.log(
  `${total - failed - reasons} of ${total} agree, ${reasons} differ for a known reason, ${failed} differ`,
);
process.exitCode = failed === 0 ? 0 : 1;
