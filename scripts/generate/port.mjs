// SPDX-License-Identifier: MIT
// The table of names and settings for maskflow/port: Keras's names with their settings in Keras's
// order, because Python passes settings by position, and marks for what the core lacks.
import { readFileSync } from 'node:fs';
import { camel, functionName, head, publicLayers, shortNames } from './words.mjs';

const read = (path) => readFileSync(new URL(path, import.meta.url), 'utf8');
/** Parameters of Keras's functions and classes, in their order. */
const signatures = JSON.parse(read('../../tests/fixtures/class_signatures/signatures.json'));
const opSignatures = JSON.parse(read('../../tests/fixtures/op_signatures/signatures.json'));

const plain = (parameter) => parameter.replace(/[=*]+$/, '');
/** Settings that every object has, or that have no meaning here. */
const common = new Set(['name', 'dtype', 'trainable', 'reduction']);

/**
 * Returns the settings of a class: those of Keras in its order, with a dash if the core lacks
 * them, then those that only the core has.
 */
function settingsOf(key, names) {
  const keras = (signatures[key] ?? names).map(plain).filter((name) => !common.has(name));
  const more = names.filter((name) => !keras.includes(name) && !common.has(name));
  return [...keras.map((name) => (names.includes(name) ? name : `-${name}`)), ...more];
}

const row = (name, settings) => [name, ...settings].join(' ');

function classRows(space, list) {
  return list.map(({ class_name: className, name = className, fields, attributes = fields }) =>
    row(
      name,
      settingsOf(
        `${space}.${name}`,
        attributes.map((field) => field.name),
      ),
    ),
  );
}

const aliasRows = (list) =>
  list.flatMap(({ class_name: className, name = className, aliases }) =>
    aliases.map((alias) => `${alias} ${name}`),
  );

/** Names of functions of ops that are written by hand. */
function handWritten() {
  const files = ['control_flow', 'more_control_flow', 'eager_ops', 'rearrange', 'select'];
  const texts = files.map((name) => read(`../../web/src/ops/${name}.ts`)).join('\n');
  return [...texts.matchAll(/^export (?:function|const) (\w+)/gm)]
    .map(([, name]) => name)
    .concat('switch');
}

/** Returns the rows of the ops that exist, by whether only maskflow/train has them. */
function opRows(schema) {
  const entryOf = new Map(
    handWritten().map((name) => [
      name,
      /^(cond|scan|map|shape|whileLoop|foriLoop|vectorizedMap)$/.test(name) ? '' : 'train',
    ]),
  );
  const attributesOf = new Map();
  for (const { name, operands, attributes, entry } of schema.ops) {
    const known = functionName(name);
    for (const each of [known, shortNames[known]].filter(Boolean)) {
      entryOf.set(
        each,
        entry === 'maskflow/train' ? 'train' : entry === 'maskflow' ? 'more' : 'method',
      );
      attributesOf.set(each, [
        ...operands.split(' ').map((part) => part.replace(/[*?]$/, '')),
        ...attributes.map((each) => each.name),
      ]);
    }
  }
  const rows = { '': [], method: [], more: [], train: [] };
  for (const [name, parameters] of Object.entries(opSignatures)) {
    const here = camel(name);
    if (!entryOf.has(here)) continue;
    const known = attributesOf.get(here);
    const list = parameters.map(plain).map((each, i) => {
      const exists = !known || i === 0 || known.includes(each) || !parameters[i].endsWith('=');
      return (exists ? each : `-${each}`) + (parameters[i].endsWith('=') ? '=' : '');
    });
    rows[entryOf.get(here)].push(row(name, list));
  }
  return rows;
}

/** Rows of namespaces that the schema does not have, from Keras's own parameters. */
const kerasRows = (space, pattern = /./) =>
  Object.entries(signatures)
    .filter(([key]) => key.startsWith(`${space}.`) && pattern.test(key.slice(space.length + 1)))
    .map(([key, parameters]) =>
      row(
        key.slice(space.length + 1),
        parameters.map(plain).filter((name) => name !== 'name' || space === 'random'),
      ),
    );

const table = (doc, name, rows) =>
  `/** ${doc} */\nexport const ${name} =\n  '${rows.join(';')}';\n`;

export function portFile(schema) {
  const layers = publicLayers(schema);
  const ops = opRows(schema);
  const training = layers.filter((layer) => layer.only_in_training_module);
  return [
    `${head}// Each row is a name of Keras with its settings in Keras's order. A dash marks a setting that\n// maskflow lacks.\n`,
    table('Layers.', 'layers', classRows('layers', layers)),
    table('Other names of layers.', 'layerAliases', aliasRows(layers)),
    table(
      'Layers that only maskflow/train has.',
      'trainingLayers',
      training.map((each) => each.class_name),
    ),
    table('Losses.', 'losses', classRows('losses', schema.losses)),
    table('Other names of losses.', 'lossAliases', aliasRows(schema.losses)),
    table('Metrics.', 'metrics', classRows('metrics', schema.metrics)),
    table('Other names of metrics.', 'metricAliases', aliasRows(schema.metrics)),
    table('Optimizers.', 'optimizers', classRows('optimizers', schema.optimizers)),
    table('Schedules of the learning rate.', 'schedules', classRows('schedules', schema.schedules)),
    table('Constraints.', 'constraints', classRows('constraints', schema.constraints)),
    table(
      'Initializers.',
      'initializers',
      kerasRows('initializers', /^(?!Initializer|STFT|\w+Initializer$)[A-Z]/),
    ),
    table('Regularizers.', 'regularizers', kerasRows('regularizers', /^(L|Orth)/)),
    table('Random numbers.', 'randoms', kerasRows('random')),
    table('Ops that are methods of tensors, too.', 'methods', ops.method),
    table('Other ops.', 'ops', [...ops.more, ...ops['']]),
    table('Ops that only maskflow/train has.', 'trainingOps', ops.train),
  ].join('\n');
}
