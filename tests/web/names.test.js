// SPDX-License-Identifier: MIT
// The types of settings list the names that the core accepts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as mf from '../../dist/index.js';

const { Input, layers, Sequential } = mf;
await mf.ready();

const source = (path) => readFileSync(new URL(`../../web/src/${path}`, import.meta.url), 'utf8');

/** Returns the literals of a type in a TypeScript source. */
function namesIn(text, type) {
  const [, body] = text.replace(/\/\/.*/g, '').match(new RegExp(`export type ${type} =([^;]*);`));
  return [...body.matchAll(/'([^']+)'/g)].map(([, name]) => name);
}

const settings = source('layers/keras_names.ts');
const measures = source('measures/names.gen.ts');
const activations = namesIn(settings, 'ActivationName');
const initializers = namesIn(settings, 'InitializerName');

/** Returns the names that an error message lists after `mark`, in snake_case. */
function namesInError(call, mark) {
  let list = [];
  assert.throws(call, (error) => {
    list = error.message.slice(error.message.indexOf(mark) + mark.length).split(/,? /);
    return error instanceof mf.ConfigError && error.message.includes(mark);
  });
  return list;
}
const snake = (name) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const withoutUnderscores = (name) => name.replaceAll('_', '');

/** Asserts that both spellings are known; a name may need more settings or other shapes. */
function assertBothSpellings(names, make) {
  for (const name of names.flatMap((name) => [name, camel(name)])) {
    try {
      make(name);
    } catch (error) {
      assert.ok(!(error instanceof mf.ConfigError), `${name}: ${error.message}`);
    }
  }
}

test('ActivationName has the names of the core', () => {
  const coreNames = namesInError(() => layers.activation({ activation: 'nope' }), 'known are ');
  assert.deepEqual(
    coreNames.filter((name) => !activations.includes(name)),
    [],
  );
  assertBothSpellings(activations, (activation) => layers.activation({ activation }));
});

test('InitializerName has the names of the core', () => {
  const make = (kernelInitializer) => layers.dense({ units: 1, kernelInitializer });
  const coreNames = namesInError(() => make('nope'), 'known are ').map(snake);
  assert.deepEqual(
    coreNames.filter((name) => !initializers.includes(name)),
    [],
  );
  assertBothSpellings(initializers, make);
});

test('LossName and MetricName have the names of the core', () => {
  const model = new Sequential([Input({ shape: [3] }), layers.activation({ activation: null })]);
  const makes = {
    LossName: (loss) => model.evaluate([[0, 1, 0]], [[0, 1, 0]], { loss }),
    // A name that stands for one of several metrics works only in `evaluate`.
    MetricName: (name) => model.evaluate([[0, 1, 0]], [[0, 1, 0]], { metrics: [name] }),
  };
  for (const [type, make] of Object.entries(makes)) {
    const names = namesIn(measures, type);
    const coreNames = namesInError(() => make('nope'), 'there are ');
    const typeNames = new Set(names.map((name) => withoutUnderscores(name).toLowerCase()));
    assert.deepEqual(
      coreNames.filter((name) => !typeNames.has(withoutUnderscores(name))),
      [],
    );
    assertBothSpellings(names, make);
  }
});
