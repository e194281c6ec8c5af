// SPDX-License-Identifier: MIT
// Recorded functional models: outputs, and the report of traceMasks on every mask, after each step
// and at the end of the run, under both rules.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { decode, readFixture, toTensor } from '../support/recorded_cases.js';
import { leavesNothing } from '../support/watch.js';

after(() => mf.ready({ maskPropagation: 'keras-3.15' }));

const namesIn = (folder) =>
  readdirSync(new URL(`../fixtures/${folder}`, import.meta.url)).map((file) =>
    file.replace(/\.json$/, ''),
  );
const graphs = namesIn('graph');
const changedGraphs = namesIn('next-3.16/graph');
const fixtureOf = (name, rule) =>
  readFixture(
    rule === 'keras-3.16' && changedGraphs.includes(name)
      ? `next-3.16/graph/${name}.json`
      : `graph/${name}.json`,
  );

function inputsOf({ inputs }) {
  if (!Array.isArray(inputs)) {
    return Object.fromEntries(Object.entries(inputs).map(([name, x]) => [name, toTensor(x)]));
  }
  return inputs.length === 1 ? toTensor(inputs[0]) : inputs.map(toTensor);
}

/** Converts a recorded mask to the form of traceMasks: nested booleans, or null. */
function nested(recording) {
  if (!recording) return null;
  const mask = toTensor(recording);
  return mask.array();
}

/** The error relative to max(1, |value|), because the errors of a whole graph add up. */
const error = (actual, expected) =>
  expected.reduce((worst, value, i) => {
    if (Object.is(actual[i], value)) return worst;
    const apart = Math.abs(actual[i] - value) / Math.max(1, Math.abs(value));
    return apart <= worst ? worst : Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart;
  }, 0);
// In transformer_two_blocks, four normalizations with epsilon 1e-6 amplify earlier rounding errors
// 500 times.
const tolerance = (op) => (op === 'layer_normalization_3' ? 5e-5 : 1e-5);

const list = (masks, count) => (count === 1 ? [masks] : masks);
const isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Compares the recorded steps with our trace; ops are found by class, shape and mask. */
function check(model, fixture) {
  const inputs = inputsOf(fixture);
  const trace = model
    .traceMasks(inputs, { maskOperations: true })
    .filter(({ depth }) => depth === 0);
  for (const step of fixture.steps.filter(({ is_layer }) => is_layer)) {
    const expected = step.outputs.map(({ mask }) => nested(mask));
    const entries = trace.filter(({ layer }) => layer === step.op);
    assert.ok(entries.length > 0, `${step.op} is in the trace`);
    // A layer that is called twice has two entries.
    const entry = entries.find(({ maskOut }) => isEqual(list(maskOut, expected.length), expected));
    assert.ok(
      entry,
      `${step.op}: mask ${JSON.stringify(entries[0].maskOut)}, not ${JSON.stringify(expected)}`,
    );
    // Keras has two names for this class.
    assert.equal(entry.className, step.class_name.replace('GroupedQuery', 'GroupQuery'));
    assert.ok(entry.reason.length > 20 && entry.reason.includes(step.op), entry.reason);
  }
  // The trace must explain exactly those operations as computing a mask that do nothing else.
  const recording = new Set(fixture.steps.filter((s) => !s.is_layer).map((s) => s.class_name));
  for (const { className, role, reason } of trace.filter(({ isLayer }) => !isLayer)) {
    assert.ok(recording.has(className), className);
    if (role === 'computes') assert.match(reason, /only computes a mask/);
  }
  return inputs;
}

/** Makes every result of a graph an output, so that all results remain after the run. */
function withAllOutputs({ config, steps }) {
  const outputs = config.layers.flatMap(({ name, class_name, inbound_nodes: calls }) => {
    const { length } = steps.find(({ op }) => op === name)?.outputs ?? [];
    // Keras counts the calls of a nested Functional model from 1 here.
    const first = class_name === 'Functional' ? 1 : 0;
    return calls.flatMap((_, call) => Array.from({ length }, (_, i) => [name, call + first, i]));
  });
  return { outputs, model: mf.Model.fromConfig({ ...config, output_layers: outputs }) };
}

/**
 * Copies weights layer by layer, because the order of the list of weights depends on the outputs.
 */
function copyWeights(from, to) {
  const { layers } = from;
  for (const layer of to.layers) {
    layer.setWeights(layers.find(({ name }) => name === layer.name).getWeights());
  }
}

/**
 * Checks the masks of all steps after the run. MultiHeadAttention removes the masks of its inputs.
 */
function checkAfterRun(fixture, inputs, source) {
  const { outputs, model } = withAllOutputs(fixture);
  copyWeights(source, model);
  // Ops have the names that the config gives them.
  const classes = new Map(fixture.config.layers.map((layer) => [layer.name, layer.class_name]));
  const results = [model.apply(inputs)].flat();
  assert.equal(results.length, outputs.length);
  const unmatched = fixture.steps.flatMap((step) =>
    step.outputs.map((output) => ({ step, ...output })),
  );
  results.forEach((actual, k) => {
    const values = actual.data();
    const mask = actual.mask?.array() ?? null;
    const [op] = outputs[k];
    const match = unmatched.findIndex(
      ({ step, tensor, mask: maskBefore, mask_after_run: maskAfter }) => {
        const expected = decode(tensor);
        return (
          (step.is_layer ? step.op === op : step.class_name === classes.get(op)) &&
          isEqual(expected.shape, actual.shape) &&
          error(values, expected.values) <= tolerance(op) &&
          isEqual(nested(maskAfter === 'same' ? maskBefore : maskAfter), mask)
        );
      },
    );
    assert.notEqual(match, -1, `${op} with the mask ${JSON.stringify(mask)} was not recorded`);
    unmatched.splice(match, 1);
  });
  const missing = unmatched.filter(({ step }) => step.is_layer).map(({ step }) => step.op);
  assert.deepEqual(missing, [], 'every recorded result is found');
  model.dispose();
}

for (const rule of ['keras-3.15', 'keras-3.16']) {
  describe(rule, () => {
    assert.equal(graphs.length, 33);
    for (const name of graphs) {
      test(name, async () => {
        await mf.ready({ maskPropagation: rule, onMaskDropped: 'silent' });
        const fixture = fixtureOf(name, rule);
        leavesNothing(() =>
          mf.tidy(() => {
            const model = mf.Model.fromConfig(fixture.config);
            model.setWeights(fixture.weights.map(toTensor));
            const inputs = check(model, fixture);
            checkAfterRun(fixture, inputs, model);
            // The graph can be loaded from its own config.
            const { name: _, ...config } = model.getConfig();
            checkAfterRun(
              { ...fixture, config: JSON.parse(JSON.stringify(config)) },
              inputs,
              model,
            );
            model.dispose();
          }),
        );
      });
    }
  });
}
