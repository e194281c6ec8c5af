// SPDX-License-Identifier: MIT
// Recorded functional models through the package: outputs, and what traceMasks says of every mask, right
// after each step and at the end of the run, under both rules.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import * as mf from '../../dist/index.js';
import { decode, readFixture, toTensor } from '../support/golden.js';
import { leavesNothing } from '../support/watch.js';

after(() => mf.ready({ maskPropagation: 'keras-3.15' }));

const namesIn = (folder) =>
  readdirSync(new URL(`../fixtures/${folder}`, import.meta.url)).map((file) =>
    file.replace(/\.json$/, ''),
  );
const graphs = namesIn('graph');
const changed = namesIn('next-3.16/graph');
const fixtureOf = (name, rule) =>
  readFixture(
    rule === 'keras-3.16' && changed.includes(name)
      ? `next-3.16/graph/${name}.json`
      : `graph/${name}.json`,
  );

function inputsOf({ inputs }) {
  if (!Array.isArray(inputs)) {
    return Object.fromEntries(Object.entries(inputs).map(([name, x]) => [name, toTensor(x)]));
  }
  return inputs.length === 1 ? toTensor(inputs[0]) : inputs.map(toTensor);
}

/** A recorded mask as traceMasks shows it: nested booleans, or null. */
function nested(recorded) {
  if (!recorded) return null;
  const mask = toTensor(recorded);
  return mask.array();
}

/** Relative to max(1, |value|), as the fixtures advise for whole graphs: errors add up. */
const error = (got, wanted) =>
  wanted.reduce((worst, value, i) => {
    if (Object.is(got[i], value)) return worst;
    const apart = Math.abs(got[i] - value) / Math.max(1, Math.abs(value));
    return apart <= worst ? worst : Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart;
  }, 0);
// In transformer_two_blocks four normalisations of epsilon 1e-6 multiply what is rounded before them 500 times.
const tolerance = (op) => (op === 'layer_normalization_3' ? 5e-5 : 1e-5);

const list = (masks, count) => (count === 1 ? [masks] : masks);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** The steps of the recording in the order of our trace; ops are found by class, shape and mask. */
function check(model, fixture) {
  const inputs = inputsOf(fixture);
  const trace = model
    .traceMasks(inputs, { maskOperations: true })
    .filter(({ depth }) => depth === 0);
  for (const step of fixture.steps.filter(({ is_layer }) => is_layer)) {
    const wanted = step.outputs.map(({ mask }) => nested(mask));
    const entries = trace.filter(({ layer }) => layer === step.op);
    assert.ok(entries.length > 0, `${step.op} is in the trace`);
    // A layer that is called twice has two entries.
    const entry = entries.find(({ maskOut }) => same(list(maskOut, wanted.length), wanted));
    assert.ok(
      entry,
      `${step.op}: mask ${JSON.stringify(entries[0].maskOut)}, not ${JSON.stringify(wanted)}`,
    );
    // Keras has two names for this class.
    assert.equal(entry.className, step.class_name.replace('GroupedQuery', 'GroupQuery'));
    assert.ok(entry.reason.length > 20 && entry.reason.includes(step.op), entry.reason);
  }
  // Every operation that only computes a mask is explained as that; no other one is.
  const recorded = new Set(fixture.steps.filter((s) => !s.is_layer).map((s) => s.class_name));
  for (const { className, role, reason } of trace.filter(({ isLayer }) => !isLayer)) {
    assert.ok(recorded.has(className), className);
    if (role === 'computes') assert.match(reason, /computes nothing but a mask/);
  }
  return inputs;
}

/** The same graph with every result among its outputs, so that all of them are there when it has run. */
function withAllOutputs({ config, steps }) {
  const outputs = config.layers.flatMap(({ name, class_name, inbound_nodes: calls }) => {
    const { length } = steps.find(({ op }) => op === name)?.outputs ?? [];
    // Keras counts the calls of a nested Functional model from 1 here.
    const first = class_name === 'Functional' ? 1 : 0;
    return calls.flatMap((_, call) => Array.from({ length }, (_, i) => [name, call + first, i]));
  });
  return { outputs, model: mf.Model.fromConfig({ ...config, output_layers: outputs }) };
}

/** The weights of a model of the same layers: their order in the list of weights depends on the outputs. */
function copyWeights(from, to) {
  const { layers } = from;
  for (const layer of to.layers) {
    layer.setWeights(layers.find(({ name }) => name === layer.name).getWeights());
  }
}

/** `mask_after_run` of every step: MultiHeadAttention takes masks off its inputs. */
function checkAfterRun(fixture, inputs, source) {
  const { outputs, model } = withAllOutputs(fixture);
  copyWeights(source, model);
  // Names of ops are those of whoever wrote the configuration.
  const classes = new Map(fixture.config.layers.map((layer) => [layer.name, layer.class_name]));
  const made = [model.apply(inputs)].flat();
  assert.equal(made.length, outputs.length);
  const open = fixture.steps.flatMap((step) => step.outputs.map((output) => ({ step, ...output })));
  made.forEach((got, k) => {
    const values = got.data();
    const mask = got.mask?.array() ?? null;
    const [op] = outputs[k];
    const found = open.findIndex(({ step, tensor, mask: before, mask_after_run: last }) => {
      const wanted = decode(tensor);
      return (
        (step.is_layer ? step.op === op : step.class_name === classes.get(op)) &&
        same(wanted.shape, got.shape) &&
        error(values, wanted.values) <= tolerance(op) &&
        same(nested(last === 'same' ? before : last), mask)
      );
    });
    assert.notEqual(found, -1, `${op} with the mask ${JSON.stringify(mask)} was not recorded`);
    open.splice(found, 1);
  });
  const left = open.filter(({ step }) => step.is_layer).map(({ step }) => step.op);
  assert.deepEqual(left, [], 'every recorded result is there');
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
            // The graph comes back from its own configuration.
            const { name: _, ...own } = model.getConfig();
            checkAfterRun({ ...fixture, config: JSON.parse(JSON.stringify(own)) }, inputs, model);
            model.dispose();
          }),
        );
      });
    }
  });
}
