#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// node tests/fuzz/replay_layers.mjs RECORDED.json ... [--class NAME] [--full]: runs what keras_tests.py and keras_layers.py recorded
// through dist/ and lists what differs from Keras.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import * as mf from '../../dist/index.js';
import { checkRecorded } from '../support/replay.js';

// What differs and why: [in Keras's error or in what differs, the reason].
const explained = [
  [
    /must be (true or false|a number|a whole number|a list|text|the name of)/,
    'types are checked when the layer is made',
  ],
  [/is float32, not (int32|bool)/, 'whole numbers are computed as floats'],
  [
    /different `go_backwards`/,
    'Keras 2 turns the copy of a backward layer round, which its files need',
  ],
  [/of an empty tensor/, 'the largest of nothing is -infinity or nothing'],
  [/initial_state has \d+ tensors/, 'Keras ignores states that are too many'],
  [
    /state \d has shape|rank 2 or more, but got shape \(\d*,?\) of rank 1|expected \(batch, features\)/,
    'cells broadcast by accident',
  ],
  [/number of heads and their dimensions must be/, 'no heads at all give a bias alone'],
  [
    /'(dropout|recurrent_dropout|momentum|epsilon)' is .* but must/,
    'values out of range fail in training there',
  ],
  [/adaptive_.* expected an input of rank 3/, 'Keras does not check symbols here, and then fails'],
  [/axis values None/, 'an unknown size may be the known one'],
  [/must be equal. Received: value_shape=.*None/, 'an unknown size may be the known one'],
  [/is not a recurrent cell/, 'a recurrent layer is no cell, even if it has a state'],
  [
    /axis -?\d is out of range for rank 0|rank 1 or more, but got shape \(\)|\[\], not \[1\]/,
    'single numbers without a batch',
  ],
  [/'output_shape' has \d+ sizes/, 'Keras looks at some of the sizes alone'],
  [
    /one of them must be 1/,
    'only PyTorch has strides and dilation together; the other back ends fail',
  ],
  [/'attention_axes' of an input/, 'attention over the batch or the features is refused'],
  [
    /mask_value has \d+ numbers/,
    'a mask_value that broadcasts makes more features than there were',
  ],
  [/but the sequence is/, 'the layer inside gets a mask of a step that is none of a sequence'],
];

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
    if (explained.some(([what]) => what.test(problem) || what.test(expect.message ?? ''))) {
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
