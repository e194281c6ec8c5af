// SPDX-License-Identifier: MIT
// The programs of tests/fixtures/guide_programs, which Keras ran, as JavaScript: the translation of
// each runs and returns the recorded numbers.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { port } from '../../dist/port.js';
import * as mf from '../../dist/train.js';
import { compare, recording } from '../support/guide_programs.js';

const folder = new URL('../fixtures/guide_programs/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), 'utf8');
const entry = new URL('../../dist/train.js', import.meta.url).href;
const camel = (name) => name.replace(/_+([a-z0-9])/g, (_, char) => char.toUpperCase());

/** Programs that cannot be the same, with the reason. */
const exceptions = {
  own_train_step:
    'computes gradients with torch.autograd; valueAndGradients is the partner of a tape',
  own_test_step: 'computes gradients with torch.autograd',
  gan: 'computes gradients with torch.autograd',
  training_loop: 'computes gradients with torch.autograd',
};
/** Programs whose data is computed in float32 here and in float64 there. */
const tolerances = { nested_cell: 5e-5 };

// Data, weights and the decorator; `numbers`, which turns results into lists, is not needed.
const common = read('common.py').replace(/def numbers[\s\S]*$/, '');
const modules = ['models', 'sequences', 'own_layers', 'training', 'data', 'rows'];
const stops = ['absent', 'depends', 'name'];

const scratch = mkdtempSync(join(tmpdir(), 'maskflow-port-'));
after(() => rmSync(scratch, { recursive: true }));
await mf.ready({ seed: 1, onMaskDropped: 'silent' });

/** Turns results into plain lists and numbers. */
function plain(value) {
  if (value instanceof mf.Variable) return plain(value.value);
  if (typeof value?.array === 'function') return value.array();
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

async function load(module) {
  const source = common + read(`${module}.py`).replace(/^from common import.*$/m, '');
  const { code, notes } = port(source);
  const path = join(scratch, `${module}.mjs`);
  const local = code.replace(/'maskflow(\/train)?'/g, JSON.stringify(entry));
  writeFileSync(path, `${local}\nexport { programs };\n`);
  const { programs } = await import(pathToFileURL(path).href);
  return { programs, notes };
}

// All are loaded before the first test: the folder goes when the tests known by then have ended.
const loaded = new Map();
for (const module of modules) loaded.set(module, await load(module));

let count = 0;
for (const [module, { programs, notes }] of loaded) {
  const names = [...read(`${module}.py`).matchAll(/@program\ndef (\w+)/g)].map(([, name]) => name);
  test(`${module}: no statement of a program stops`, () => {
    const stopping = notes.filter(({ kind }) => stops.includes(kind));
    assert.deepEqual(stopping, []);
  });
  for (const name of names) {
    count++;
    if (name in exceptions) continue;
    test(name.replaceAll('_', ' '), async () => {
      const result = plain(await programs[camel(name)]());
      compare(result, recording[name], name, tolerances[name] ?? 2e-5);
    });
  }
}

test('56 programs are read, and 52 have the numbers of Keras', () => {
  assert.equal(count, 56);
  assert.equal(count - Object.keys(exceptions).length, 52);
  for (const name of Object.keys(exceptions)) assert.ok(name in recording, name);
});
