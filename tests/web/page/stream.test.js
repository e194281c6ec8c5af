// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pageModule, programOf, runChapter } from '../../support/page.js';

const recording = (name) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/trained/${name}.json`, import.meta.url), 'utf8'))
    .examples;
const probes = [...'()[]{}'];
const near = (actual, expected, title) =>
  assert.ok(Math.abs(actual - expected) < 3e-6, `${title}: ${actual}, ${expected}`);

test("the answer after each bracket equals Keras's recording for that step", async () => {
  const { call } = await runChapter('stream');
  for (const { text, output } of recording('prefixes')) {
    const { answers } = await call('follow', [...text], -1, probes);
    assert.equal(answers.length, output.length);
    for (const [i, answer] of answers.entries()) near(answer, output[i], `${text}, step ${i}`);
  }
});

test("the forecast after the last reading equals Keras's recording, without the missing readings", async () => {
  for (const { input, kept_steps, output } of recording('sensor').slice(0, 5)) {
    const lastKept = input.findLastIndex(([, timeLeft]) => timeLeft !== -1);
    // The share of the time that remains shows whether the output is the forecast.
    const end = lastKept + Math.round(input[lastKept][1] * 48);
    const edit = (text) => text.replace('(48 - t)', `(${end} - t)`);
    const { call } = await runChapter('stream', { set: { model: 'sensor' }, edit });
    const readings = input
      .slice(0, lastKept + 1)
      .map(([value, timeLeft]) => (timeLeft === -1 ? null : value));
    assert.equal(readings.filter((each) => each !== null).length, kept_steps);
    const { answers } = await call('follow', readings, -1, []);
    near(answers.at(-1), output, 'forecast');
    for (const [i, reading] of readings.entries())
      if (reading === null && i > 0) assert.equal(answers[i], answers[i - 1], 'a masked step');
  }
});

test('the second stream continues from the saved state to the bit, wherever it was saved', async () => {
  const { call } = await runChapter('stream');
  const inputs = [...'([]{})(['];
  for (let at = 0; at <= inputs.length; at++) {
    const { answers, saved } = await call('follow', inputs, at, probes);
    assert.equal(saved.at, at);
    assert.equal(saved.gap, 0);
    assert.deepEqual(saved.answers, answers.slice(at));
    const state = JSON.parse(saved.json);
    assert.deepEqual(
      state.map(({ layer }) => layer),
      ['lstm'],
    );
    assert.ok(state[0].tensors.every(({ data }) => data.length === 48));
  }
});

test('typing more runs one step; deleting starts again, with the same answers', async () => {
  const { call } = await runChapter('stream');
  const answers = async (text, at = -1) => (await call('follow', [...text], at, probes)).answers;
  const expected = await answers('([]{})');
  assert.deepEqual(await answers('([]'), expected.slice(0, 3));
  assert.deepEqual(await answers('([]{'), expected.slice(0, 4));
  assert.deepEqual(await answers('([]{', 2), expected.slice(0, 4));
  assert.deepEqual(await answers('([]{}', 2), expected.slice(0, 5));
  assert.deepEqual(await answers('([]{})', 5), expected);
  assert.deepEqual(await answers(''), []);
  assert.notDeepEqual(await answers('((]{})'), expected);
});

test('each step is timed, and only the times that the figure draws are kept', async () => {
  const { call } = await runChapter('stream');
  const { times } = await call('follow', [...'()'], -1, probes);
  assert.equal(times.length, 2);
  assert.ok(times.every((time) => time > 0 && time < 10_000));
  assert.equal((await call('follow', [...'()['], -1, probes)).times.length, 3);
});

test('a second stream that differs is reported', async () => {
  const edit = (text) => text.replace('{ state: JSON.parse(json) }', '{}');
  const { call } = await runChapter('stream', { edit });
  const { saved } = await call('follow', [...'([{'], 2, probes);
  assert.ok(saved.gap > 0.001);
});

test('the model of chapter 0 cannot stream: the reason is the package’s own message', async () => {
  const { data, says } = await runChapter('stream', { set: { model: 'brackets' } });
  assert.match(data.why, /Bidirectional|bidirectional/);
  assert.ok(says.includes(data.why));
});

test('programs are short, and unusual input leads to a sentence or a figure', async () => {
  for (const model of ['prefixes', 'sensor', 'brackets']) {
    const text = await programOf('stream', { model });
    assert.ok(text.trim().split('\n').length <= 15, model);
  }
  await assert.rejects(programOf('stream', { text: 'a' }), /only knows .*; remove “a”/);
  const { inputsOf, savedAt, formatReadings, Settings } = await pageModule(
    "export * from './chapters/stream/inputs.ts'; export * from './shared/settings.ts'",
  );
  const settings = (entries) => new Settings(new Map(Object.entries(entries)));
  const readings = inputsOf(settings({ model: 'sensor', readings: '27,x,-999,1e9,NaN,,50' }));
  assert.deepEqual(readings, [0.27, null, -1.5, 1.5, null, 0.5]);
  assert.equal(formatReadings(readings), '27,x,-150,150,x,50');
  assert.equal(inputsOf(settings({ model: 'sensor', readings: '1,'.repeat(1000) })).length, 47);
  assert.equal(inputsOf(settings({ text: '('.repeat(99) })).length, 24);
  assert.equal(savedAt(settings({ saved: '9' }), 3), 3);
  assert.equal(savedAt(settings({ saved: '' }), 3), -1);
  assert.equal(savedAt(settings({ saved: 'x' }), 3), -1);
});

test('a program without what the figure needs is explained', async () => {
  const edit = (text) => text.replace('const save =', 'const unsaved =');
  await assert.rejects(runChapter('stream', { edit }), { name: 'Advice' });
});
