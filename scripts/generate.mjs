// SPDX-License-Identifier: MIT
// Makes the TypeScript of layers and ops from what the core says of them (bindings/schema.cpp).
//
//   node scripts/generate.mjs SCHEMA.json RECURRENT.json [FOLDER]
//
// RECURRENT.json names what the module of recurrent layers has. FOLDER: web/src by default.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configuredFile } from './generate/configured.mjs';
import {
  camel,
  factoryName,
  head,
  literal,
  lowerFirst,
  reserved,
  settingMembers,
  upperFirst,
  wordLines,
} from './generate/words.mjs';

const [
  ,
  ,
  schemaPath,
  recurrentPath,
  folder = fileURLToPath(new URL('../web/src/', import.meta.url)),
] = process.argv;
const schema = JSON.parse(readFileSync(schemaPath, 'utf8'));

// Settings that Python reads as floats. In TypeScript they are numbers, as whole ones are.
const floatsOf = new Map();
for (const kind of ['layers', 'losses', 'metrics', 'optimizers', 'schedules', 'constraints']) {
  for (const { class_name: className, name, fields, attributes } of schema[kind]) {
    const found = floatsOf.get(className ?? name) ?? new Set();
    for (const setting of fields ?? attributes) {
      // Keras counts steps in whole numbers.
      const counts = /(^|_)(steps|boundaries)$/.test(setting.name) && !/^bin_/.test(setting.name);
      if (/\bfloat\b|LearningRate/.test(setting.type) && !counts) found.add(setting.name);
      setting.type = setting.type.replace(/\bfloat\b/g, 'number');
    }
    if (found.size > 0) floatsOf.set(className ?? name, found);
  }
}
const recurrent = JSON.parse(readFileSync(recurrentPath, 'utf8'));

/** Classes with more than settings; the base has the rest. */
const bases = { Normalization: 'AdaptsMoments', Discretization: 'AdaptsBins' };
const common = new Set(['name', 'trainable', 'dtype']);
const skipped = new Set(['Functional', 'Sequential', 'InputLayer']);
const fieldTypes = { Activation: 'ActivationName', Initializer: 'InitializerLike' };

/** Of settings that the core keeps as they are given. */
const unknownTypes = {
  seed: 'SeedLike',
  renorm_clipping: '{ rmin?: number; rmax?: number; dmax?: number } | null',
  mask_value: 'number | readonly number[]',
  mean: 'NumberLists | null',
  variance: 'NumberLists | null',
  scale: 'NumberLists',
  offset: 'NumberLists',
  output_shape: 'number | readonly (number | null)[]',
};

// As in Keras, one number stands for a list of one (kernel_size, axis).
function fieldType({ name, type }) {
  if (type.startsWith('unknown')) {
    if (!unknownTypes[name]) throw new Error(`what is the type of '${name}'?`);
    return unknownTypes[name];
  }

  if (type.startsWith('number[]')) return `number | ${type}`;
  return type.replace(/\b(Activation|Initializer)\b/g, (name) => fieldTypes[name]);
}

function configInterface({ class_name, fields }) {
  const lines = fields
    .filter((field) => !common.has(field.name))
    .map((field) => {
      const { name, required, default: fallback, doc } = field;
      const note = required ? '' : ` Default: ${literal(fallback)}.`;
      return `  /** ${doc}${note} */\n  ${camel(name)}${required ? '' : '?'}: ${fieldType(field)};\n`;
    });
  return `/** Settings of {@link ${class_name}}; Keras's, in camelCase (snake_case is taken too). */
export interface ${class_name}Config extends LayerConfig {
${lines.join('')}}
`;
}

function layerClass(layer) {
  const { class_name: name, doc, fields, arguments: args } = layer;
  const optional = fields.every((field) => !field.required);
  const names =
    args.length > 1
      ? `  override readonly argumentNames = ${JSON.stringify(args.map(camel))};\n`
      : '';
  return `${configInterface(layer)}
/** ${doc} */
export class ${name} extends ${bases[name] ?? 'BuiltinLayer'} {
${names}  constructor(config: ${name}Config${optional ? ' = {}' : ''}) {
    super('${name}', config);
  }
}
`;
}

// Two files of classes and two of factories, one for each module: bundlers put whole files into chunks.
const inRecurrent = new Set(recurrent.layers);
const publicLayers = schema.layers.filter(({ class_name }) => !skipped.has(class_name));
const recurrentLayers = publicLayers.filter(({ class_name }) => inRecurrent.has(class_name));
const moreLayers = publicLayers.filter(({ class_name }) => !inRecurrent.has(class_name));
const namesOf = (layers) => layers.map(({ class_name }) => class_name);

/** An import of those names that the text has. */
function importOf(names, file, text, kind = '') {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return used.length > 0 ? `import ${kind}{ ${used.join(', ')} } from './${file}';\n` : '';
}
const typeImport = (names, file, text) => importOf(names, file, text, 'type ');

const names = ['ActivationName', 'InitializerLike', 'NumberLists', 'SeedLike'];

function layersFile(layers) {
  const text = layers.map(layerClass).join('\n');
  return `${head}
import { BuiltinLayer } from './builtin_layer.js';
${typeImport(['Layer', 'LayerConfig'], 'layer.js', text)}${importOf(Object.values(bases), 'adapt.js', text)}${typeImport(names, 'keras_names.js', text)}
${text}`;
}

// One export each, so that a bundler leaves out the layers that a page does not name.
function factoriesFile(layers, classes) {
  const factories = layers.map(({ class_name: name, fields, doc }) => {
    const optional = fields.every((field) => !field.required) ? '?' : '';
    const make = fields.some((field) => field.name === 'return_state')
      ? `((config) => new classes.${name}(config)) as WithStates<classes.${name}Config, classes.${name}>`
      : `(config${optional}: classes.${name}Config): classes.${name} => new classes.${name}(config)`;
    return `/** ${doc} */\nexport const ${factoryName(name)} = ${make};\n`;
  });
  const text = factories.join('');
  return `${head}
${typeImport(['WithStates'], 'layer.js', text)}import * as classes from './${classes}';

${text}`;
}

// Beside the classes and not among them: everything in the files of layers is public.
function wrapFile(name, layers, classes) {
  return `${head}
import { wrapBuiltin } from './builtin_layer.js';
import * as classes from './${classes}';

/** So that layers that come from the core become objects of their classes. */
export function ${name}(): void {
${namesOf(layers)
  .map((name) => `  wrapBuiltin('${name}', classes.${name});\n`)
  .join('')}}
`;
}

/** Of attributes that the schema calls strings. */
const choices = { mode: "'constant' | 'edge' | 'reflect' | 'symmetric' | 'wrap'" };
const attributeType = ({ name, type }) => (type === 'string' && choices[name]) || type;

/** How an op is called: what stands in the signature of its function and in that of its method, and in the function's body. */
function opShape({ name, operands, doc, results, attributes }) {
  const required = attributes.filter((attribute) => attribute.required);
  const optional = attributes.filter((attribute) => !attribute.required);
  const member = (attribute, mark = '') =>
    `${camel(attribute.name)}${mark}: ${attributeType(attribute)}`;
  const settings = required.map((attribute) => member(attribute));
  if (optional.length > 0) {
    settings.push(
      `options?: { ${optional.map((attribute) => member(attribute, '?')).join('; ')} }`,
    );
  }
  const docs = [
    ...required.map((attribute) => ` * @param ${camel(attribute.name)} ${attribute.doc}`),
    ...optional.map(
      (attribute) =>
        ` * @param options.${camel(attribute.name)} ${attribute.doc} Default: ${literal(attribute.default)}.`,
    ),
  ];
  const given = required.map((attribute) => camel(attribute.name)).join(', ');
  return {
    name,
    exported: lowerFirst(name),
    unreserved: reserved[lowerFirst(name)],
    list: operands.endsWith('*'),
    tensors: operands
      .split(' ')
      .filter(Boolean)
      .map((operand) => camel(operand.replace('*', ''))),
    settings,
    further: [...(optional.length > 0 ? ['options'] : []), ...(given ? [`{ ${given} }`] : [])],
    docs: ['/**', ` * ${doc}`, ...docs, ' */'],
    run: results === 'list' ? 'applyOp' : 'applyOne',
    many: results === 'list' ? '[]' : '',
  };
}

const opShapes = schema.ops.map(opShape);
const isMethod = ({ tensors, list }) => tensors.length > 0 && !list;

function opFunction({ name, exported, unreserved, list, tensors, ...shape }) {
  const operandList = list ? tensors[0] : `[${tensors.join(', ')}]`;
  const call = `${shape.run}(${[`'${name}'`, operandList, ...shape.further].join(', ')})`;
  const alias = unreserved ? `\nexport { ${unreserved} as ${exported} };\n` : '';
  /** The function's signature for operands of that type. */
  const signature = (operand, result) => {
    const given = tensors.map((tensor) => `${tensor}: ${list ? `readonly ${operand}[]` : operand}`);
    return `export function ${unreserved ?? exported}(${[...given, ...shape.settings].join(', ')}): ${result}${shape.many}`;
  };
  const declared = (...types) => `${signature(...types)};\n`;
  const overloads =
    tensors.length > 0
      ? declared('TensorLike', 'Tensor') + declared('Operand', 'SymbolicTensor')
      : '';
  return `${shape.docs.join('\n')}
${overloads}${signature('Operand', 'Tensor')} {
  return ${call};
}
${alias}`;
}

function opsFile() {
  return `${head}
import { applyOne, applyOp } from './apply_op.js';
import type { Slices } from '../tensor/methods.gen.js';
import type { DType, Operand, SymbolicTensor, Tensor, TensorLike } from '../tensor/tensor.js';

/** Per axis: an index, a slice, null for a new axis, or '...' for the axes between. */
export type SliceKey = Slices;

${opShapes.map(opFunction).join('\n')}`;
}

/** An op as a member of the type of its first operand. `kinds`: what the others may be, and the result. */
function opMethod({ exported, unreserved, tensors, settings, docs, many }, kinds) {
  const others = tensors.slice(1);
  const signatures = (others.length > 0 ? kinds : kinds.slice(0, 1)).map(([operand, result]) => {
    const given = [...others.map((tensor) => `${tensor}: ${operand}`), ...settings].join(', ');
    return `(${given}): ${result}${many};\n`;
  });
  return [exported, unreserved]
    .filter(Boolean)
    .flatMap((name) => [
      ...docs.map((line) => `  ${line}\n`),
      ...signatures.map((signature) => `  ${name}${signature.replace('SliceKey', 'Slices')}`),
    ])
    .join('');
}

// Types of the level above are parameters here, under their own names.
function methodsFile() {
  const methods = (...kinds) =>
    opShapes
      .filter(isMethod)
      .map((shape) => opMethod(shape, kinds))
      .join('');
  const functions = opShapes.filter((shape) => !isMethod(shape)).map(({ exported }) => exported);
  return `${head}
import type { DType } from './dtype.js';

/** See ops.SliceKey, which it is called where it is public. */
export type Slices =
  | number
  | readonly (number | null | '...' | { start?: number | null; stop?: number | null; step?: number | null })[];

/** The ops that are no methods: they take no tensor, or a list. */
export const functionsAlone =
  '${functions.join(' ')}';

/** The other ops, as methods of what they take first: \`x.add(1).relu()\` is \`ops.relu(ops.add(x, 1))\`. */
export interface TensorMethods<Tensor, TensorLike, SymbolicTensor, Operand> {
${methods(['TensorLike', 'Tensor'], ['Operand', 'SymbolicTensor'])}}

/** The same for symbols. */
export interface SymbolicMethods<SymbolicTensor, Operand> {
${methods(['Operand', 'SymbolicTensor'])}}
`;
}

/** Metrics that are shown values, not targets and predictions. */
const ofValues = new Set(['Mean', 'Sum']);

/** A member of that type for each loss or metric. */
function measureMembers(measures, type) {
  return measures.map(({ name, doc, attributes }) => {
    const members = settingMembers(attributes);
    const settings = members.length > 0 ? `<{\n${members.join('')}  }>` : '';
    const made = ofValues.has(name) ? 'ValueMetricMaker' : `${type}${settings}`;
    return `  /** ${doc} */\n  readonly ${factoryName(name)}: ${made};\n`;
  });
}

/** Short names of Keras's, which it also takes in capitals. */
const shortNames = ['bce', 'cce', 'kld', 'mae', 'mape', 'mse', 'msle', 'scce'];
/** What `evaluate` chooses by the shapes. */
const chosen = ['crossentropy', 'ce'];
/** Further names of Keras's. */
const aliases = ['kullback_leibler_divergence', 'logcosh', 'cosine', 'huber_loss'];
/** LogCosh → log_cosh, KLDivergence → kl_divergence, MeanIoU → mean_io_u */
const snakeName = (name) =>
  name.replace(/(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])/g, '_$&').toLowerCase();

/** The names by which `evaluate` takes losses or metrics, as a type. */
function namesType(type, doc, measures, further) {
  const list = (names) => names.map((name) => `  | '${name}'\n`).join('');
  const snake = [...measures.map(({ name }) => snakeName(name)), ...further];
  // Class names that are not those in camelCase.
  const own = measures.flatMap(({ name }) => [name, factoryName(name)]);
  const regular = new Set(snake.flatMap((name) => [camel(name), upperFirst(camel(name))]));
  const capitals = shortNames.map((name) => name.toUpperCase());
  const others = [...shortNames, ...capitals, ...own.filter((name) => !regular.has(name))];
  return `/** ${doc} */
export type ${type} = AnyCase<
${list([...new Set(snake)])}>
${list([...new Set(others)])};`.replace(/\n;/, ';');
}

function measuresFile() {
  const own = new Set(schema.metrics.map(({ name }) => name));
  const metrics = [...schema.metrics, ...schema.losses.filter(({ name }) => !own.has(name))];
  const names = [
    namesType('LossName', "Keras's names of losses.", schema.losses, [...chosen, ...aliases]),
    namesType('MetricName', "Keras's names of metrics.", metrics, [
      ...chosen,
      ...aliases,
      'acc',
      'fbeta_score',
      'rmse',
    ]),
  ];
  write(
    'measures/names.gen.ts',
    `${head}\nimport type { AnyCase } from '../base/names.js';\n\n${names.join('\n\n')}\n`,
  );
  return `${head}
import { byName } from '../base/names.js';
import { loss, type LossMaker } from './loss.js';
import { makerOf, type MetricMaker, type ValueMetricMaker } from './metric.js';

interface Losses {
${measureMembers(schema.losses, 'LossMaker').join('')}}

interface Metrics {
${measureMembers(metrics, 'MetricMaker').join('')}}

/**
 * Keras's losses: \`losses.huber(yTrue, yPred, { delta: 2, mask, sampleWeight })\`. See {@link LossOptions}.
 * Targets and predictions have one shape, [batch, …, features], unless said otherwise.
 */
export const losses: Losses = /* @__PURE__ */ byName(
${wordLines(schema.losses.map(({ name }) => factoryName(name)))},
  loss,
);

/**
 * Keras's metrics: \`metrics.auc({ curve: 'PR' })\` makes a {@link Metric}, to which batches are shown. Each loss is
 * one too: the mean over samples and kept steps.
 */
export const metrics: Metrics = /* @__PURE__ */ byName(
${wordLines(metrics.map(({ name }) => factoryName(name)))},
  makerOf,
);
`;
}

/** Settings of losses and metrics with their defaults, for the configurations in files. */
function measureSettingsFile() {
  const row = ({ name, attributes }) => {
    const defaults = attributes.map((one) => [one.name, one.default ?? null]);
    return `  ${name}: ${JSON.stringify(Object.fromEntries(defaults))},\n`;
  };
  const table = (kind) => `MeasureSettings = {\n${schema[kind].map(row).join('')}};`;
  return `${head}
/** By class, the settings with their defaults. Metrics that are losses, too, are with these. */
export type MeasureSettings = { readonly [className: string]: { readonly [key: string]: unknown } };
export const lossSettings: ${table('losses')}
export const metricSettings: ${table('metrics')}\n`;
}

/** Settings that are floats in Python, for saved files. */
function floatSettingsFile() {
  const rows = [...floatsOf].map(
    ([className, settings]) => `  ${className}: ${JSON.stringify([...settings].join(' '))},\n`,
  );
  return `${head}
/** Names of the settings, by class, that Python reads as floats: 1 is written as 1.0 there. */
export const floatSettings: { readonly [className: string]: string } = {
${rows.join('')}};
`;
}

function write(name, text) {
  writeFileSync(join(folder, name), text);
}

write('layers/recurrent_layers.gen.ts', layersFile(recurrentLayers));
write('layers/more_layers.gen.ts', layersFile(moreLayers));
write(
  'layers/recurrent_factories.gen.ts',
  factoriesFile(recurrentLayers, 'recurrent_layers.gen.js'),
);
write('layers/more_factories.gen.ts', factoriesFile(moreLayers, 'more_layers.gen.js'));
write(
  'layers/recurrent_wrap.gen.ts',
  wrapFile('wrapRecurrentLayers', recurrentLayers, 'recurrent_layers.gen.js'),
);
write('layers/more_wrap.gen.ts', wrapFile('wrapMoreLayers', moreLayers, 'more_layers.gen.js'));
write('measures/measures.gen.ts', measuresFile());
write('formats/training/measures.gen.ts', measureSettingsFile());
write('formats/write/float_settings.gen.ts', floatSettingsFile());
write('ops/ops.gen.ts', opsFile());
write('training/optimizers.gen.ts', configuredFile(schema));
write('tensor/methods.gen.ts', methodsFile());
