// SPDX-License-Identifier: MIT
// The recorders of tests/oracle know every recorded case, and their README describes its fields.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { at, filesUnder } from '../../scripts/lib/files.mjs';
import { kinds } from '../../scripts/record.mjs';
import { readFixture } from '../support/recorded_cases.js';
import { runNode } from '../support/programs.js';

const readme = readFileSync(at('tests', 'oracle', 'README.md'), 'utf8');
const families = filesUnder('tests/fixtures/layers', /\.json$/);
const caseLists = families.map((path) => JSON.parse(readFileSync(path, 'utf8')).cases);
/** Returns whether the README names a field in a table or a list. */
const isDescribed = (field) => readme.includes(`\`${field}\``);

test('every kind has a recorder and its fixtures', () => {
  for (const [kind, { script = `record_${kind}.py`, folders }] of Object.entries(kinds)) {
    assert.ok(existsSync(at('tests', 'oracle', script)), script);
    for (const folder of folders) assert.ok(existsSync(at('tests', 'fixtures', folder)), folder);
    assert.match(readme, new RegExp(`^\\| \`${kind}\` \\| \`${script}\` \\|`, 'm'));
  }
});

test('the README describes every field of a case of layers', () => {
  const cases = caseLists.flat();
  const fields = cases.flatMap((each) => [
    ...Object.keys(each),
    ...Object.keys(each.call ?? {}),
    ...Object.keys(each.expect ?? {}).map((field) => `expect.${field}`),
  ]);
  const missing = [...new Set(fields)].filter((field) => field !== 'expect' && !isDescribed(field));
  assert.deepEqual(missing, []);
});

test('the README describes every field of the cases of losses, metrics and optimizers', () => {
  const files = [
    'losses/losses',
    'losses/metrics',
    'training/optimizers/optimizers',
    'utils/pad_sequences',
  ];
  const fields = files.flatMap((file) => readFixture(`${file}.json`).cases.flatMap(Object.keys));
  const missing = [...new Set(fields)].filter((field) => field !== 'expect' && !isDescribed(field));
  assert.deepEqual(missing, []);
});

test('the README counts the cases', () => {
  const { models } = readFixture('models/index.json');
  const count = (file) => readFixture(file).cases.length;
  const optimizers = ['optimizers', 'schedules', 'constraints'];
  const counts = {
    layers: caseLists.flat().length,
    losses: count('losses/losses.json') + count('losses/metrics.json'),
    optimizers: optimizers.reduce(
      (sum, name) => sum + count(`training/optimizers/${name}.json`),
      0,
    ),
    padding: count('utils/pad_sequences.json'),
    models: models.length,
  };
  for (const [kind, cases] of Object.entries(counts)) {
    const row = new RegExp(`^\\| \`${kind}\` .*\\| ([\\d,]+)[^|]*\\|$`, 'm').exec(readme);
    assert.equal(Number(row?.[1].replaceAll(',', '')), cases, kind);
  }
});

test('families are recorded with PyTorch, or with NumPy where the README says so', () => {
  for (const [index, path] of families.entries()) {
    const { backend, family } = JSON.parse(readFileSync(path, 'utf8'));
    assert.ok(['torch', 'numpy'].includes(backend), path);
    assert.ok(caseLists[index].length > 0, path);
    if (backend === 'numpy') assert.ok(isDescribed(family), family);
  }
});

test('without Keras the command says what to set', () => {
  const env = { ...process.env, MASKFLOW_KERAS: '', MASKFLOW_KERAS_NUMPY: '' };
  for (const [args, message] of [
    [['layers', '--check'], /set MASKFLOW_KERAS to the command that runs a Python file/],
    [['layer'], /KIND is one of: layers, models/],
  ]) {
    assert.throws(() => runNode(['scripts/record.mjs', ...args], { env }), message);
  }
});
