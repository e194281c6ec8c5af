// SPDX-License-Identifier: MIT
// Replays programs and trainings that tests/fuzz/keras_programs.py and keras_training.py recorded,
// so that the replay is tested without Keras; and tests how the command finds Keras.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import * as mf from '../../dist/train.js';
import { checkProgram } from '../fuzz/replay_programs.js';
import { checkStale } from '../fuzz/replay_stale.js';
import { checkTraining } from '../fuzz/replay_training.js';

before(() => mf.ready({ maskPropagation: 'keras-3.15', onMaskDropped: 'warn' }));

const readRecordings = (name) =>
  gunzipSync(readFileSync(new URL(`../fixtures/programs/${name}`, import.meta.url)))
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const programs = readRecordings('programs.jsonl.gz');
const trainings = readRecordings('trainings.jsonl.gz');

for (const program of programs) {
  test(`computes as Keras: ${program.name}`, async () => {
    assert.equal(await checkProgram(program), null);
  });
}

for (const training of trainings) {
  test(`trains as Keras: ${training.name}`, async () => {
    assert.equal(await checkTraining(training), null);
    assert.equal(await checkStale(training), null);
  });
}

test('a replayed program that differs in a number, a mask, a shape or a structure is reported', async () => {
  const programWithCalls = programs.find(({ calls }) => calls && !calls[0].expect.error);
  const withExpect = (change) => {
    const copy = structuredClone(programWithCalls);
    change(copy.calls[0].expect);
    return checkProgram(copy);
  };
  const numbers = (expect) => expect.outputs.find(({ dtype }) => dtype === 'float32');
  const problem = await withExpect((expect) => {
    const output = numbers(expect);
    const bytes = Buffer.from(output.data, 'base64');
    bytes.writeFloatLE(bytes.readFloatLE(0) + 0.01, 0);
    output.data = bytes.toString('base64');
  });
  assert.match(problem, /call 0: output \d+ \(.+\): \[0\] is .*, not/);
  assert.match(await withExpect((expect) => numbers(expect).shape.push(1)), /has shape/);
  // No mask enters the second program, and none of its layers has warned before.
  for (const [title, warning] of [
    ['11/72 ops op+op+op', /^call 0: warned of a dropped mask$/],
    ['11/20 mixed convolution+lambdas', /^call 0: did not warn of the dropped mask$/],
  ]) {
    const copy = structuredClone(programs.find(({ name }) => name === title));
    const { expect } = copy.calls[0];
    expect.warns_mask_destroyed = !expect.warns_mask_destroyed;
    assert.match(await checkProgram(copy), warning);
  }
  const grouped = await withExpect((expect) => {
    expect.structure = { dict: { a: expect.structure } };
  });
  assert.match(grouped, /the result is .*, not a dictionary of a/);
  const failing = await withExpect((expect) => {
    expect.error = 'ValueError';
  });
  assert.match(failing, /accepted; Keras: ValueError/);
});

test('a replayed training that differs in a weight or in the history is reported', async () => {
  const [training] = trainings;
  // The steps in double precision are removed; with them, the changed weight would count as
  // rounding of Keras.
  const weights = structuredClone({ ...training, double: undefined });
  const [weight] = weights.steps.at(-1);
  const bytes = Buffer.from(weight.data, 'base64');
  bytes.writeFloatLE(bytes.readFloatLE(0) + 0.01, 0);
  weight.data = bytes.toString('base64');
  assert.match(await checkTraining(weights), /differs by 1\.0e-2 after fit/);
  const history = structuredClone(training);
  history.history.loss[0] += 0.01;
  assert.match(await checkTraining(history), /loss of epoch 0 is .*, not/);
  history.history = { ...training.history, extra: [1] };
  assert.match(await checkTraining(history), /the history has .*, not .*extra/);
});

const command = fileURLToPath(new URL('../../scripts/fuzz.mjs', import.meta.url));
function fuzz(words, env = {}) {
  const { MASKFLOW_KERAS, ...otherVariables } = process.env;
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words], {
    env: { ...otherVariables, ...env },
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
}

test('without Keras the command names the variable to set', () => {
  for (const kind of ['keras', 'keras-graphs', 'keras-stale']) {
    const { status, text } = fuzz([kind, '1']);
    assert.equal(status, 1);
    assert.match(text, /needs real Keras: set MASKFLOW_KERAS to the command/);
  }
  assert.match(
    fuzz(['keras-nothing']).text,
    /no kind 'keras-nothing'; choose from files, torch, pickles, api,/,
  );
});

test('with MASKFLOW_KERAS the command records, replays, and fails if a case differs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keras-'));
  const cases = programs.slice(0, 2);
  // Replaces Python: writes the cases to the place of keras_programs.py's output.
  const python = join(folder, 'python.mjs');
  writeFileSync(
    python,
    `import { mkdirSync, writeFileSync } from 'node:fs';
     const [script, out, ...options] = process.argv.slice(2);
     if (!script.endsWith('keras_programs.py')) throw new Error(script);
     if (options.join(' ') !== '--seed 5 --count 2 --first 3') throw new Error(options.join(' '));
     writeFileSync(out + '/5_3_0.json', process.env.CASES);`,
  );
  const runCommand = (recordedCases) =>
    fuzz(['keras-programs', '2', '5', '3'], {
      MASKFLOW_KERAS: `${process.execPath} ${python}`,
      MASKFLOW_KERAS_FOLDER: folder,
      CASES: JSON.stringify({ cases: recordedCases }),
    });
  const equalRun = runCommand(cases);
  assert.match(equalRun.text, /keras-programs, seed 5: 2 cases in \d+ s, 0 differ/);
  assert.equal(equalRun.status, 0);
  const [firstCase, secondCase] = cases;
  const differentRun = runCommand([
    firstCase,
    { ...secondCase, file: firstCase.file, name: 'of another file' },
  ]);
  assert.equal(differentRun.status, 1);
  assert.match(differentRun.text, /1 differ[\s\S]*of another file: /);
  const emptyRun = runCommand([]);
  assert.equal(emptyRun.status, 1);
  assert.match(emptyRun.text, /Keras recorded nothing/);
  rmSync(folder, { recursive: true });
});
