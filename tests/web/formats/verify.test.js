// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as mf from '../../../dist/index.js';
import { internals } from '../../support/internals.js';
import { collectGarbage } from '../../support/garbage.js';
import { live } from '../../support/watch.js';

const { writeNpz } = await internals('formats/numpy/npz.ts');
const fixtures = (file) => fileURLToPath(new URL(`../../fixtures/models/${file}`, import.meta.url));
const recording = (name) => JSON.parse(readFileSync(fixtures(`${name}.io.json`), 'utf8'));
const load = (name) => mf.loadModel(fixtures(`${name}.keras`));

before(() => {
  console.warn = () => {};
  return mf.ready();
});

/** The bytes of a recorded tensor as numbers that may be changed. */
const floats = ({ data }) => new Float32Array(new Uint8Array(Buffer.from(data, 'base64')).buffer);
const withChange = (recording, change) => {
  const values = floats(recording);
  change(values);
  return { ...recording, data: Array.from(values) };
};

suite('verify', () => {
  for (const name of ['seq_embed_lstm', 'multi_input_dict', 'multi_output', 'stateful_lstm']) {
    test(`${name} has the results that Keras recorded, masks included`, async () => {
      const result = await verify(name, recording(name));
      assert.equal(result.passed, true, String(result));
      assert.ok(result.outputs.every(({ worst }) => worst.absolute < 1e-6));
    });
  }

  async function verify(name, recording, options) {
    return mf.verify(await load(name), recording, options);
  }

  test('reports which element of which output differs', async () => {
    const recorded = recording('multi_output');
    const [out0, out1, out2] = recorded.outputs;
    const at = floats(out1).length - 1;
    recorded.outputs = [out0, withChange(out1, (values) => (values[at] += 0.25)), out2];
    const result = await verify('multi_output', recorded);
    assert.equal(result.passed, false);
    assert.deepEqual(
      result.outputs.map(({ problem }) => problem === null),
      [true, false, true],
    );
    const { outside, worst, problem } = result.outputs[1];
    assert.equal(outside, 1);
    assert.ok(Math.abs(worst.absolute - 0.25) < 1e-5);
    assert.deepEqual(
      worst.at,
      out1.shape.map((dim) => dim - 1),
    );
    assert.ok(Math.abs(worst.recorded - worst.got - 0.25) < 1e-5);
    assert.match(problem, /^1 of \d+ elements differ by more than the tolerance, the most at \[/);
    assert.match(String(result), /output 0: \d+ elements agree.*\noutput 1: 1 of/);
    assert.ok((await verify('multi_output', recorded, { absolute: 0.3 })).passed);
  });

  test('NaN equals only NaN, and an infinity only itself', async () => {
    const model = new mf.Sequential([
      mf.Input({ shape: [3] }),
      mf.layers.activation({ activation: 'linear' }),
    ]);
    const check = async (actual, recording, options) => {
      const recordedCase = { inputs: [tensor(actual)], outputs: [tensor(recording)] };
      return (await mf.verify(model, recordedCase, options)).passed;
    };
    const tensor = (values) => ({ shape: [1, 3], dtype: 'float32', data: values });
    const [nan, inf] = [Number.NaN, Number.POSITIVE_INFINITY];
    assert.equal(await check([nan, inf, -inf], [nan, inf, -inf]), true);
    for (const different of [
      [nan, 1, 1],
      [1, inf, 1],
      [1, 1, -inf],
    ]) {
      assert.equal(
        await check([1, 1, 1], different, { absolute: 1e9, relative: 1e9 }),
        false,
        String(different),
      );
      assert.equal(await check(different, [1, 1, 1]), false, String(different));
    }
    assert.equal(await check([inf, 1, 1], [-inf, 1, 1]), false);
    assert.equal(await check([100.0005, 0, 0], [100, 0, 0]), true);
    assert.equal(await check([100.0005, 0, 0], [100, 0, 0], { relative: 0 }), false);
  });

  test('compares masks that were recorded', async () => {
    const recorded = recording('seq_masking_lstm_td');
    assert.ok((await verify('seq_masking_lstm_td', recorded)).passed);
    const { masks, ...withoutMasks } = recorded;
    assert.ok(masks[0], 'the recording has a mask');
    assert.ok((await verify('seq_masking_lstm_td', withoutMasks)).passed);
    const [mask] = masks;
    const flipped = Array.from(Buffer.from(mask.data, 'base64'));
    flipped[1] = 1 - flipped[1];
    const withWrongMask = { ...recorded, masks: [{ ...mask, data: flipped }] };
    const result = await verify('seq_masking_lstm_td', withWrongMask);
    assert.match(result.outputs[0].problem, /its mask differs at 1 of \d+ positions/);
    const withoutMask = await verify('seq_masking_lstm_td', { ...recorded, masks: [null] });
    assert.match(withoutMask.outputs[0].problem, /it has a mask, but none was recorded/);
  });

  test('ignores masked steps on request', async () => {
    const recorded = recording('seq_masking_lstm_td');
    const mask = Buffer.from(recorded.masks[0].data, 'base64');
    const step = mask.indexOf(0);
    assert.ok(step >= 0);
    const [output] = recorded.outputs;
    const width = output.shape.at(-1);
    const masked = {
      ...recorded,
      outputs: [withChange(output, (values) => (values[step * width] = 99))],
    };
    assert.equal((await verify('seq_masking_lstm_td', masked)).passed, false);
    const [check] = (await verify('seq_masking_lstm_td', masked, { ignoreMasked: true })).outputs;
    assert.equal(check.problem, null);
    assert.equal(check.leftOut, width * mask.filter((keep) => !keep).length);
    const { masks: _, ...without } = masked;
    assert.ok((await verify('seq_masking_lstm_td', without, { ignoreMasked: true })).passed);
  });

  test('reads JSON, its bytes, and npz', async () => {
    const model = new mf.Sequential([
      mf.Input({ shape: [2] }),
      mf.layers.activation({ activation: 'relu' }),
    ]);
    const json = '{"inputs": [[[1, -2], [NaN, -Infinity]]], "outputs": [[[1, 0], [NaN, 0]]]}';
    const npz = writeNpz(
      new Map([
        ['input_0', { shape: [1, 2], dtype: 'float32', data: Float32Array.of(1, -2) }],
        ['output_0', { shape: [1, 2], dtype: 'float32', data: Float32Array.of(1, 0) }],
      ]),
    );
    for (const recording of [json, new TextEncoder().encode(json), npz, npz.buffer]) {
      assert.ok((await mf.verify(model, recording)).passed);
    }
  });

  const invalidRecordings = {
    'invalid JSON': ['{', /is not valid JSON/],
    'missing outputs': ['{"inputs": []}', /needs "inputs" and "outputs"/],
    'another shape': [
      { inputs: [{ shape: [1, 2], data: [1, 2, 3] }], outputs: [[[1]]] },
      /input 0 of shape \[1,2\] needs 2 elements, but has 3/,
    ],
    'damaged base64': [
      { inputs: [{ shape: [1], dtype: 'float32', data: '???' }], outputs: [] },
      /input 0 is not base64/,
    ],
    'an .npz of other arrays': [
      writeNpz(new Map([['x', { shape: [], dtype: 'int32', data: Int32Array.of(1) }]])),
      /contains 'x', but the names of its arrays must be input_/,
    ],
  };
  for (const [title, [recording, message]] of Object.entries(invalidRecordings)) {
    test(`refuses a recording with ${title}`, async () => {
      await assert.rejects(mf.verify(await load('mlp'), recording), {
        name: 'FormatError',
        message,
      });
    });
  }

  test('refuses a wrong number of outputs, and tolerances below 0', async () => {
    const recorded = recording('multi_output');
    recorded.outputs.pop();
    await assert.rejects(verify('multi_output', recorded), {
      name: 'ShapeError',
      message: /3 outputs, but the recording has 2/,
    });
    await assert.rejects(verify('multi_output', recorded, { absolute: -1 }), {
      name: 'ValueError',
    });
  });

  test('another shape of an output is a difference', async () => {
    const recorded = recording('multi_output');
    recorded.outputs[0] = { shape: [1, 1], dtype: 'float32', data: [0] };
    const [check] = (await verify('multi_output', recorded)).outputs;
    assert.match(check.problem, /it has shape \[.*\], not \[1, 1\]/);
  });

  test('frees all memory', async () => {
    const model = await load('seq_embed_lstm');
    const recorded = recording('seq_embed_lstm');
    await mf.verify(model, recorded);
    await collectGarbage();
    const start = live();
    await mf.verify(model, recorded);
    await mf.verify(model, { ...recorded, outputs: [] }).catch(() => {});
    assert.deepEqual(live(), start);
  });
});
