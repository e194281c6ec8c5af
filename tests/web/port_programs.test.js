// SPDX-License-Identifier: MIT
// Ports Keras programs that tests/fuzz/keras_port.py recorded, runs the JavaScript, and compares
// its numbers with Keras's. Texts of a program never become code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { port } from '../../dist/port.js';
import * as mf from '../../dist/train.js';
import { damagedSource, parseModule, portProblem } from '../fuzz/port_damage.js';
import { compare, portedDifference, runPorted } from '../support/ported.js';

before(() => mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'silent' }));

const fixture = new URL('../fixtures/port/programs.jsonl.gz', import.meta.url);
const programs = gunzipSync(readFileSync(fixture))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

for (const program of programs) {
  test(`computes what Keras computes: ${program.name}`, async () => {
    const { problem, notes } = await portedDifference(program);
    assert.equal(problem, null);
    assert.deepEqual(notes, []);
  });
}

test('a result that differs in a number, a shape, a mask, a key or a line is reported', async () => {
  const array = { shape: [2], values: [1, 2] };
  compare(mf.tensor([1, 2]), array, 'result0');
  assert.throws(() => compare([1, 2.1], array, 'result0'), /result0: .*number 1 is 2.1, not 2/);
  assert.throws(() => compare([[1, 2]], array, 'result0'), /result0: shape \[1,2\], not \[2\]/);
  const masked = { ...array, mask: [true, false] };
  assert.throws(() => compare(mf.tensor([1, 2]), masked, 'result0'), /result0: no mask/);
  assert.throws(() => compare({ b: 1 }, { items: [['a', 1]] }, 'result0'), /result0 a: /);
  assert.throws(() => compare(undefined, 1, 'result0'), /result0: undefined, not 1/);
  const lost = { source: 'result0 = 1\n', results: { result0: 2 }, printed: '' };
  assert.match((await portedDifference(lost)).problem, /result0/);
  const silent = { source: 'result0 = 1\n', results: { result0: 1 }, printed: 'one 1\n' };
  assert.match((await portedDifference(silent)).problem, /prints "", not "one 1"/);
});

test('variables that the JavaScript lacks are undefined, and imports are those of the package', async () => {
  const { found } = await runPorted("import { tensor } from 'maskflow';\nconst a = tensor([1]);", [
    'a',
    'b',
  ]);
  assert.deepEqual([found.a.shape, found.b], [[1], undefined]);
  await assert.rejects(
    runPorted("import { x } from 'maskflow/nothing';", []),
    /imports maskflow\/nothing/,
  );
});

test('texts that look like JavaScript stay texts', () => {
  const failures = [];
  for (let seed = 3; seed < 600; seed += 4) {
    const { source, isCanary } = damagedSource(seed);
    const { problem } = portProblem(source, { isCanary });
    if (problem) failures.push(`${seed}: ${problem}`);
  }
  assert.deepEqual(failures, []);
});

test('the parser of the check refuses what is not JavaScript', () => {
  parseModule("import { a as b } from 'maskflow';\nawait b();\n");
  assert.throws(() => parseModule('const a = ;'), SyntaxError);
  assert.throws(() => parseModule("import { a } from 'maskflow';\nconst a = 1;"), SyntaxError);
});

/** Programs whose meaning differs in JavaScript if it is copied word by word. */
const traps = {
  'a remainder has the sign of the divisor': ['result0 = -7 % 3 + 5 % -3', 1],
  'signs repeat': ['result0 = - - -2', -2],
  'divmod rounds down': ['result0 = divmod(-7, 2)', [-4, 1]],
  'lists are ordered item by item': [
    'result0 = sorted([[10, 1], [9, 2], [9]])',
    [[9], [9, 2], [10, 1]],
  ],
  'keys may be numbers': [
    'd = {}\nfor v in [10, 9, 10]:\n    d[v] = d.get(v, 0) + 1\nresult0 = sorted(d.items())',
    [
      [9, 1],
      [10, 2],
    ],
  ],
  'arguments after * have names': [
    'def f(a, b=2, *, c=0):\n    return a + b + c\nresult0 = f(1, c=5)',
    8,
  ],
  'a slice may be empty': [
    'import numpy as np\nx = np.ones((2, 2))\nx[0, :0] = 7\nx[-1] = 0\nresult0 = x',
    { shape: [2, 2], values: [1, 1, 0, 0] },
  ],
};

for (const [name, [source, wanted]] of Object.entries(traps)) {
  test(`keeps the meaning of Python: ${name}`, async () => {
    const program = { source: `${source}\n`, results: { result0: wanted }, printed: '' };
    const { problem, notes } = await portedDifference(program);
    assert.equal(problem, null);
    assert.deepEqual(notes, []);
  });
}

test('names of Keras 2 are those of Keras 3', () => {
  const { code, notes } = port(`from keras.optimizers import Adam
from keras.layers import CuDNNLSTM
layer = CuDNNLSTM(3)
adam = Adam(lr=0.1)
`);
  assert.match(code, /layers\.lstm\(\{ units: 3 \}\)/);
  assert.match(code, /optimizers\.adam\(\{ learningRate: 0\.1 \}\)/);
  assert.deepEqual(notes, []);
});
