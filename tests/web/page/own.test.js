// SPDX-License-Identifier: MIT
// Chapter 7: every recorded model, its answers with and without its masks, and the explanations of
// input that does not fit.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import * as mf from '../../../dist/index.js';
import { at } from '../../../scripts/lib/files.mjs';
import { chapterOf, pageModule } from '../../support/page.js';

const { runProgram, loadProgram, padsOf, parseInput, generatedInput, isSequence, reader, compile } =
  await pageModule(`
  export * from './chapters/own/program.ts';
  export * from './chapters/own/input.ts';
  export { own as reader } from './chapters/own/read.ts';
  export { compile } from './engine/compile.ts';`);

/**
 * Runs a program and returns what the figure reads from it. The page passes `given` to the program.
 */
async function read(text, given) {
  const scope = { __import: async () => mf, given };
  const values = await (await compile(text, reader.names, Object.keys(scope)))(scope);
  return structuredClone(await reader.read({ ...values }, mf));
}

const folder = (...parts) => at('tests', 'fixtures', ...parts);
const fileOf = (path) => new File([readFileSync(path)], path.split('/').at(-1));

async function ask(path, { open = true, recorded: recording } = {}) {
  const given = { model: fileOf(path), ...(recording && { recorded: recording }) };
  const { facts } = await read(loadProgram('given.model'), given);
  const expected = { source: 'given.model', facts, open, recorded: recording !== undefined };
  const text = runProgram({ ...expected, values: generatedInput(facts.inputs) });
  return { facts, text, ...(await read(text, given)) };
}

const largestMove = (answers, which) => Math.max(...answers.map((pair) => pair[which].moved));
const models = readdirSync(folder('models')).filter((name) => /\.keras$/.test(name));
assert.ok(models.length > 30);

for (const name of models) {
  test(`${name} is read, results and traced`, async () => {
    const { facts, results } = await ask(folder('models', name)).catch(async (error) => {
      // With `open: false` the box that makes the length variable stays unchecked.
      const result = await ask(folder('models', name), { open: false });
      assert.match(String(error), /Error: /);
      return result;
    });
    assert.ok(results.trace.length > 0 && results.profile.rows.length > 0);
    assert.ok(results.answers.length >= 1);
    if (!facts.inputs.some(isSequence)) assert.equal(padsOf({ facts, open: true }), 0);
  });
}

test('sensor has an answer for each step, compared at the original steps', async () => {
  const { results } = await ask(folder('trained', 'sensor.keras'));
  assert.equal(results.answers.length, 201);
  assert.ok(largestMove(results.answers, 0) < 2e-6, String(largestMove(results.answers, 0)));
});

test('differences in the sentence show the two numbers that are farthest apart', async () => {
  const { chapter } = await chapterOf('own');
  const data = await ask(folder('trained', 'sensor.keras'));
  for (const pair of data.results.answers)
    for (const { moved, pair: numbers } of pair)
      assert.equal(Math.abs(numbers[0] - numbers[1]), moved);
  const sums = chapter.sums(data);
  assert.equal(sums.length, 1);
  const [[number, sum]] = sums;
  assert.equal(number, largestMove(data.results.answers, 1).toFixed(4));
  const [, ...written] = /^\|(.+) − \(?(.+?)\)?\|, without and with \d+ empty places?$/.exec(sum);
  const [before, after] = written.map((text) => Number(text.replace('−', '-')));
  assert.ok(Math.abs(Math.abs(before - after) - number) < 0.0002, sum);
});

test('a lost mask: where, and the repair in Python first', async () => {
  const { lossOf } = await pageModule("export * from './chapters/own/verdict.ts'");
  const build = (middle) =>
    new mf.Sequential([
      mf.layers.embedding({ inputDim: 10, outputDim: 4, maskZero: true, name: 'embedding' }),
      middle,
      mf.layers.lstm({ units: 3, name: 'lstm' }),
    ]);
  const ask = (model) => lossOf(model.traceMasks(mf.tensor([[1, 2, 3, 0]], { dtype: 'int32' })));
  const lost = mf.layers.conv1D({ filters: 4, kernelSize: 3, padding: 'same', name: 'conv1d' });
  const { layer, python, javaScript } = ask(build(lost));
  assert.equal(layer, 'conv1d');
  // Keras 3.15.1 ran these lines between Input and Model: the answer no longer depends on padding.
  assert.equal(
    python,
    `mask = embedding.compute_mask(inputs)
x = x * keras.ops.cast(mask, x.dtype)[..., None]  # empties the padding
x = conv1d(x)
x = lstm(x, mask=mask)`,
  );
  assert.match(javaScript, /withMask\(x\.mask\)/);
  // Fewer steps than the mask has: only the remedy of the trace.
  const shorter = mf.layers.conv1D({ filters: 4, kernelSize: 3, name: 'conv1d' });
  assert.equal(ask(build(shorter)).python, undefined);
  assert.equal(ask(build(mf.layers.dense({ units: 4 }))), undefined);
});

test('brackets, closed: without the mask the answer falls as in the first chapter', async () => {
  const given = { model: fileOf(folder('trained', 'brackets.keras')) };
  const { facts } = await read(loadProgram('given.model'), given);
  const text = runProgram({
    source: 'given.model',
    facts,
    open: true,
    recorded: false,
    values: [[[1, 3, 4, 5, 6, 2]]],
  });
  const { results } = await read(text, given);
  assert.equal(largestMove(results.answers, 0), 0);
  assert.ok(largestMove(results.answers, 1) > 0.9);
});

test('a recording beside the model is compared', async () => {
  const model = await mf.loadModel(folder('trained', 'brackets.keras'));
  const inputs = [[[1, 2, 0]]];
  const outputs = [model.predict(mf.tensor(inputs[0], { dtype: 'int32' })).array()];
  for (const shift of [0, 0.5]) {
    outputs[0][0][0] += shift;
    const recording = new File([JSON.stringify({ inputs, outputs })], 'r.json');
    const { results } = await ask(folder('trained', 'brackets.keras'), { recorded: recording });
    assert.equal(results.check.passed, shift === 0);
    assert.match(
      results.check.lines[0],
      shift === 0 ? /1 elements agree/ : /1 of 1 elements differ/,
    );
  }
});

const ids = { name: 'input 1', shape: [null, null], dtype: 'int32', ids: 7 };
const features = { name: 'input 2', shape: [null, null, 2], dtype: 'float32' };
for (const [text, inputs, pattern] of [
  ['abc', [ids], /not JSON/],
  ['5', [ids], /list of rows/],
  ['{}', [ids], /list of rows/],
  ['[]', [ids], /is empty/],
  ['[[]]', [ids], /is empty/],
  ['[[1, 2], [3]]', [ids], /unequal lengths/],
  ['[[1, "a"]]', [ids], /not a number/],
  ['[1, 2]', [ids], /has the shape \(2\); the model expects \(any, any\)/],
  ['[[1, 9]]', [ids], /id 9; the model only has ids 0 to 6/],
  ['[[1, 1.5]]', [ids], /integers from 0; 1\.5 is not an id/],
  ['[[1, -1]]', [ids], /integers from 0; -1 is not an id/],
  ['[[[1, 2, 3]]]', [features], /has the shape \(1, 1, 3\); the model expects \(any, any, 2\)/],
  ['[[[1, 1e999]]]', [features], /not a number/],
  ['[[[1, null]]]', [features], /not a number/],
  ['[[1]]', [ids, features], /2 inputs.*the JSON has 1/],
  [JSON.stringify([Array(30000).fill(1)]), [ids], /30000 numbers; this figure accepts 20000/],
])
  test(`explains input that does not fit: ${text.slice(0, 20)}`, () => {
    assert.throws(() => parseInput(text, inputs), pattern);
  });

test('accepts input as people type it', () => {
  assert.deepEqual(parseInput('[[1, 2, 3,],]', [ids]), [[[1, 2, 3]]]);
  assert.deepEqual(parseInput('[[[−1, 2]]]', [features]), [[[[-1, 2]]]]);
});
