// SPDX-License-Identifier: MIT
// Every example of docs/examples prints what stands behind it, and every layer, op and text layer has one.
// `node tests/web/doc_examples.test.js --write` writes down what they print: read it before it is kept.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layers, ops, ready } from '../../dist/index.js';
import * as text from '../../dist/text.js';
import { examplesOf, readExample, runExample, writeExample } from '../support/doc_examples.js';

const write = process.argv.includes('--write');
const rooms = {
  layers: Object.keys(layers),
  ops: Object.keys(ops),
  text: Object.keys(text),
};
// Second names of a function.
const aliases = { var: 'variance' };

for (const [room, needed] of Object.entries(rooms)) {
  const examples = examplesOf(room);
  test(`an example for each of ${room}, and none for anything else`, () => {
    const names = needed.filter((name) => !(name in aliases));
    assert.deepEqual(examples.toSorted(), names.toSorted());
  });
  for (const name of examples) {
    test(`${room}/${name} prints what it says`, async () => {
      const { code, told } = readExample(room, name);
      await ready({ seed: 1, onMaskDropped: 'warn' });
      const printed = await runExample(code);
      if (write) writeExample(room, name, printed);
      else assert.equal(printed, told);
    });
  }
}
