// SPDX-License-Identifier: MIT
// Classes, and functions of namespaces such as `layers`, have their real names in consoles and
// stacks, in every entry that package.json exports.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

/** Returns the file of an entry for `import` in Node. */
function fileOf(conditions) {
  if (typeof conditions === 'string') return conditions;
  return fileOf(conditions.node ?? conditions.import ?? conditions.default);
}
const files = Object.entries(exports)
  .map(([name, conditions]) => [name, fileOf(conditions)])
  // Scripts of workers export nothing, and run in workers alone.
  .filter(([name, file]) => !/[*]|worker_/.test(name) && /\.m?js$/.test(file));

const isClass = (value) => typeof value === 'function' && /^class\b/.test(String(value));

/** Returns the members of an object of functions that have another name; aliases share one. */
function wrongNames(place, members) {
  const entries = Object.entries(members).filter(([, value]) => typeof value === 'function');
  return entries
    .filter(([key, value]) => {
      const aliases = entries.filter(([, other]) => other === value).map(([alias]) => alias);
      return value.name !== key && !aliases.includes(value.name);
    })
    .map(([key, value]) => `${place}.${key}: ${value.name}`);
}

test('package.json exports entries in JavaScript', () => {
  const names = files.map(([name]) => name);
  for (const name of ['.', './train', './recurrent', './text', './worker', './torch', './draw']) {
    assert.ok(names.includes(name), `${name} is not among ${names}`);
  }
});

for (const [entry, file] of files) {
  test(`${entry}: classes and functions of namespaces have their names`, async () => {
    const members = await import(new URL(file, root));
    const classes = Object.entries(members).filter(([, value]) => isClass(value));
    const wrong = wrongNames(entry, Object.fromEntries(classes));
    for (const [name, value] of Object.entries(members)) {
      if (typeof value === 'object' && value !== null) wrong.push(...wrongNames(name, value));
    }
    assert.deepEqual(wrong, []);
  });
}

test('what the functions create has the name of its class', async () => {
  const mf = await import(new URL(fileOf(exports['./train']), root));
  await mf.ready();
  const objects = {
    Optimizer: mf.optimizers.get('adam'),
    EarlyStopping: mf.callbacks.earlyStopping(),
    ReduceLROnPlateau: mf.callbacks.reduceLROnPlateau(),
    SeedGenerator: new mf.random.SeedGenerator(1),
    Metric: mf.metrics.auc(),
    Dense: mf.layers.dense({ units: 1 }),
  };
  for (const [name, object] of Object.entries(objects)) {
    assert.equal(object.constructor.name, name);
  }
});
