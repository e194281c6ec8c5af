// SPDX-License-Identifier: MIT
// Every function of maskflow/draw has an example in docs/examples/draw. Its figure is a picture of
// the guide; `--write` writes the pictures, and the output of the examples.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import * as draw from '../../dist/draw.js';
import { ready } from '../../dist/train.js';
import { checkRoom, figureOf } from '../support/doc_examples.js';

const start = () => ready({ seed: 1, onMaskDropped: 'silent' });
const names = Object.keys(draw);
const guide = readFileSync(new URL('../../docs/guides/drawing.md', import.meta.url), 'utf8');

const number = /\d+(?:\.\d+)?/g;

/** Whether two figures are the same; places may differ by a pixel between engines. */
function same(one, other) {
  const [a, b] = [one, other].map((svg) => svg.match(number).map(Number));
  return (
    one.replace(number, '0') === other.replace(number, '0') &&
    a.every((value, index) => Math.abs(value - b[index]) <= 1)
  );
}

checkRoom('draw', names, start);
for (const name of names) {
  test(`docs/images/draw/${name}.svg is current, and the guide shows it`, async () => {
    await start();
    const svg = await figureOf(`draw/${name}`);
    const path = new URL(`../../docs/images/draw/${name}.svg`, import.meta.url);
    if (process.argv.includes('--write')) writeFileSync(path, svg);
    assert.ok(same(readFileSync(path, 'utf8'), svg), 'write it again with --write');
    assert.match(guide, new RegExp(`\\]\\(\\.\\./images/draw/${name}\\.svg\\)`));
  });
}
