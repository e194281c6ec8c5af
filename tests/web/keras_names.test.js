// SPDX-License-Identifier: MIT
// docs/keras-names.md says which public names of Keras the package has. It is generated from the
// names of the installed Keras (tests/fuzz/keras_names.py) and from the package:
// `node tests/web/keras_names.test.js --write` writes it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import * as draw from '../../dist/draw.js';
import * as text from '../../dist/text.js';
import * as mf from '../../dist/train.js';
import { otherParameters, reasonOf, replacements } from '../support/keras_names.js';

await mf.ready();
const page = new URL('../../docs/keras-names.md', import.meta.url);
const fixture = new URL('../fixtures/keras_names/names.json', import.meta.url);
const keras = JSON.parse(readFileSync(fixture, 'utf8'));

/** Names of Keras and of the package differ in case and underscores. */
const plain = (name) => name.replaceAll('_', '').toLowerCase();
const plainNames = (object) => new Set(Object.keys(object ?? {}).map(plain));
const topLevel = plainNames(mf);

/** The names of an object and of its class. */
function membersOf(object) {
  const members = new Set();
  for (let owner = object; owner && owner !== Object.prototype; ) {
    for (const name of Object.getOwnPropertyNames(owner)) members.add(plain(name));
    owner = Object.getPrototypeOf(owner);
  }
  return members;
}

const dense = mf.layers.dense({ units: 1 });
const model = new mf.Sequential([mf.Input({ shape: [1] }), dense]);
model.compile({ optimizer: 'sgd', loss: 'mse' });
const variable = model.trainableVariables[0];
const callback = Object.assign(new mf.Callback(), { model, params: {} });
/** An object of each class of Keras, and the class. */
const objects = {
  Layer: [dense, mf.Layer],
  Metric: [mf.metrics.auc(), mf.Metric],
  Model: [model, mf.Model],
  Optimizer: [mf.optimizers.adam(), mf.Optimizer],
  Sequential: [model, mf.Sequential],
  Variable: [variable, Object],
  'callbacks.Callback': [callback, mf.Callback],
  'random.SeedGenerator': [new mf.random.SeedGenerator(1), mf.random.SeedGenerator],
};

function isActivation(name) {
  try {
    mf.layers.activation({ activation: name }).dispose?.();
    return true;
  } catch {
    return false;
  }
}

const inTopLevel = ['utils', 'models', 'saving'];

function hasName(space, own, name) {
  if (own.has(plain(name))) return true;
  if (space === 'activations') return isActivation(name);
  return (inTopLevel.includes(space) || /^[A-Z]/.test(name)) && topLevel.has(plain(name));
}

function sorted(space, names) {
  const members = objects[space]?.map(membersOf).flatMap((set) => [...set]);
  const own = new Set(
    members ?? plainNames(space.split('.').reduce((object, key) => object?.[key], mf)),
  );
  if (space === 'optimizers.schedules') for (const name of plainNames(mf.schedules)) own.add(name);
  const instead = new Map(replacements[space] ?? []);
  const have = names.filter((name) => !instead.has(name) && hasName(space, own, name));
  const absent = new Map();
  for (const name of names.filter((each) => !instead.has(each) && !have.includes(each))) {
    const reason = reasonOf(name);
    absent.set(reason, [...(absent.get(reason) ?? []), name]);
  }
  return { have, instead: names.filter((name) => instead.has(name)), absent, replaced: instead };
}

const code = (names) => names.map((name) => `\`${name}\``).join(', ');

function section(space, names) {
  const { have, instead, absent, replaced } = sorted(space, names);
  const lines = [
    `## ${headingOf(space)}`,
    '',
    `${have.length} of ${names.length}: ${code(have)}.`,
    '',
  ];
  if (instead.length > 0) {
    const each = instead.map((name) => `\`${name}\` (${replaced.get(name)})`);
    lines.push(`Instead: ${each.join(', ')}.`, '');
  }
  for (const [reason, missing] of absent) lines.push(`Absent, ${reason}: ${code(missing)}.`, '');
  return lines;
}

/**
 * The heading of a namespace: without dots, of which sites and editors make different addresses.
 */
const headingOf = (space) => `${keras.names[space] ? '' : 'Members of '}${space.split('.').at(-1)}`;

/** The counts of each namespace, the first thing that a reader wants to know. */
function counts() {
  const rows = Object.entries({ ...keras.names, ...keras.members }).map(([space, names]) => {
    const { have, instead, absent } = sorted(space, names);
    const title = keras.names[space] ? `keras.${space}` : `members of keras.${space}`;
    const address = headingOf(space).replaceAll(' ', '-').toLowerCase();
    const missing = [...absent.values()].flat().length;
    return `| [${title}](#${address}) | ${names.length} | ${have.length} | ${instead.length} | ${missing} |`;
  });
  return ['| names | Keras | here | instead | absent |', '|---|---|---|---|---|', ...rows, ''];
}

/** Breaks lines before column 101. */
const wrapped = (line) =>
  line.startsWith('|') ? line : line.replace(/(.{1,100})(?: |$)/g, '$1\n').trimEnd();

const others = Object.keys(keras.others).map((space) => `\`keras.${space}\``);
const written = `${[
  '# Names of Keras',
  '',
  `The public names of Keras ${keras.version}, by namespace: those that maskflow has, in camelCase and as`,
  'functions in place of classes; those with another name here; and those that are absent.',
  'This page is generated from the installed Keras and from the package, and a test compares it.',
  '',
  ...counts(),
  `Not part of this package: ${others.join(', ')}.`,
  '',
  ...Object.entries({ ...keras.names, ...keras.members }).flatMap(([space, names]) =>
    section(space, names),
  ),
]
  .map(wrapped)
  .join('\n')
  .trimEnd()}\n`;

if (process.argv.includes('--write')) writeFileSync(page, written);

test('docs/keras-names.md lists the names that the package has', () => {
  const found = readFileSync(page, 'utf8');
  const lines = found.split('\n');
  const first = written.split('\n').find((line, i) => line !== lines[i]);
  const remedy = 'node tests/web/keras_names.test.js --write';
  assert.ok(found === written, `${remedy} updates docs/keras-names.md, from the line\n${first}`);
});

test('what is named in place of a name exists', () => {
  const optimizer = mf.optimizers.adam();
  const x = mf.Input({ shape: [1] });
  const known = { ...mf, ...text, ...draw, model, layer: dense, variable, optimizer, x };
  for (const [space, pairs] of Object.entries(replacements)) {
    for (const [name, instead] of pairs) {
      assert.ok(
        [...(keras.names[space] ?? []), ...(keras.members[space] ?? [])].includes(name) ||
          ['get', 'serialize', 'deserialize'].includes(name),
        `${space}.${name} is not a name of Keras`,
      );
      for (const [, path] of instead.matchAll(/`([a-zA-Z]+(?:\.[a-zA-Z0-9]+)+|[a-z]\w+(?=`))/g)) {
        if (path === 'float32') continue;
        let value = known;
        for (const part of path.split('.')) {
          assert.ok(part in Object(value), `${instead}, in place of ${space}.${name}`);
          value = value[part];
        }
      }
    }
  }
});

/** The parameters of the generated functions: positional ones, and options with their defaults. */
function ownParameters() {
  const functions = {};
  const pattern = /\/\*\*\n([\s\S]*?)\*\/\nexport function (\w+)\(([^\n]*)\): [^\n]*\n/g;
  for (const file of ['ops', 'more_ops', 'training_ops']) {
    const source = readFileSync(
      new URL(`../../web/src/ops/${file}.gen.ts`, import.meta.url),
      'utf8',
    );
    for (const [, doc, name, list] of source.matchAll(pattern)) {
      const [positional, options = ''] = list.split(/,? ?options\?: \{/);
      const defaults = doc.matchAll(/@param options\.(\w+) .*?Default: (.*)\.\n/g);
      functions[plain(name)] = {
        positional: [...positional.matchAll(/(?:^|, )(\w+)\??:/g)].map(([, each]) => plain(each)),
        optional: new Map(
          [...options.matchAll(/(\w+)\?:/g)].map(([, each]) => [plain(each), null]),
        ),
      };
      for (const [, each, value] of defaults) {
        functions[plain(name)].optional.set(plain(each), value.replaceAll('"', ''));
      }
    }
  }
  return functions;
}

function differencesOf(name, { positional, optional }, parameters) {
  const isOther = (parameter) =>
    otherParameters.some(([op, each]) => op === name && (each === '*' || each === parameter));
  const differences = [];
  parameters.forEach(([parameter, fallback], i) => {
    const own = plain(parameter);
    if (isOther(parameter)) return;
    const isRequired = parameters[i].length === 1;
    if (isRequired ? positional[i] === undefined : !optional.has(own)) {
      differences.push(`${name} lacks ${parameter}`);
    } else if (!isRequired && optional.get(own) !== null) {
      const [here, there] = [optional.get(own), String(fallback)];
      const isSame = here === there || (parameter === 'dtype' && here === 'float32');
      if (!isSame) differences.push(`${name}: ${parameter} is ${here}, not ${there}`);
    }
  });
  const known = new Set(parameters.map(([parameter]) => plain(parameter)));
  for (const each of optional.keys()) {
    if (!known.has(each) && !isOther(each)) differences.push(`${name} has ${each} in addition`);
  }
  return differences;
}

test('the parameters of ops and their defaults are those of Keras', () => {
  const own = ownParameters();
  const differences = Object.entries(keras.parameters).flatMap(([name, parameters]) =>
    own[plain(name)] ? differencesOf(name, own[plain(name)], parameters) : [],
  );
  assert.deepEqual(differences, []);
});
