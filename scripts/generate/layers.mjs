// SPDX-License-Identifier: MIT
// The classes of layers and their factories.
import {
  allOptional,
  camel,
  factoryName,
  head,
  readonlyLists,
  settingMembers,
  withCamelNames,
  wordLines,
} from './words.mjs';

/** TypeScript base classes of layers that have more methods than `BuiltinLayer`. */
const bases = {
  Normalization: 'AdaptsMoments',
  Discretization: 'AdaptsBins',
  Embedding: 'LooksUp',
  ReversibleEmbedding: 'LooksUp',
};
/** Files of these classes. */
const baseFiles = { 'adapt.js': ['AdaptsMoments', 'AdaptsBins'], 'looks_up.js': ['LooksUp'] };
/** Arguments of constructors that are not settings, by base class: configs do not have them. */
const argumentsBeside = { LooksUp: 'FirstTableConfig' };
/** Settings of every layer, which `LayerConfig` has. */
const common = new Set(['name', 'trainable', 'dtype']);
/**
 * Properties that return the layers inside of a layer, by class: the names of Keras, with the words
 * of their comments.
 */
const innerLayers = {
  Bidirectional: {
    forwardLayer: 'The layer for the forward direction.',
    backwardLayer: 'The layer for the backward direction.',
  },
  RNN: { cell: 'The cell; a StackedRNNCells if there are several.' },
  SpectralNormalization: { layer: 'The layer inside.' },
  TimeDistributed: { layer: 'The layer inside.' },
};
/** Declarations of settings that are also members of `Layer`, from their types. */
const inLayer = {
  output_size: (type) => [`/** Size of the output. */\n  outputSize: ${type}`],
  stateful: (type) => [
    `/** Whether calls begin with the states in which the last one ended. */\n  get stateful(): ${type}`,
    `set stateful(value: ${type})`,
  ],
};
/** Types of settings that keras_names.ts defines and that this file imports. */
const settingTypes = [
  ...['ActivationLike', 'ConstraintLike', 'InitializerLike', 'NumberLists', 'RegularizerLike'],
  'SeedLike',
];

function settingType({ name, type }) {
  if (type.startsWith('unknown')) {
    throw new Error(`'${name}' has no type; add TypeScript{"…"} to its line in describe()`);
  }
  // As in Keras, a number may replace a list of one number (kernel_size, axis).
  return readonlyLists(type.startsWith('number[]') ? `number | ${type}` : type);
}

/** Settings of wrappers that may be the only argument, as in Keras: `timeDistributed(layer)`. */
const soleArguments = new Set(['cell', 'cells', 'layer']);

/** Returns the type of the argument of a class's constructor. */
function argumentType({ class_name: name, fields }, config = `${name}Config`) {
  const sole = fields.find((field) => soleArguments.has(field.name));
  const beside = argumentsBeside[bases[name]];
  if (beside) return `${config} & ${beside}`;
  return sole ? `${config} | ${config}['${sole.name}']` : config;
}

function configInterface({ class_name, fields }) {
  const settings = fields
    .filter(({ name }) => !common.has(name))
    .map((field) => ({ ...field, type: settingType(field) }));
  return `/** Settings of {@link ${class_name}}: Keras's, in camelCase; snake_case is accepted, too. */
export interface ${class_name}Config extends LayerConfig {
${settingMembers(settings, '  ').join('')}}
`;
}

/** Returns the getters of the layers inside of a class. */
function innerGetters(name) {
  const getter = (property, doc, type, value) =>
    `\n  /** ${doc} */\n  get ${property}(): ${type} {\n    return ${value};\n  }\n`;
  if (name === 'StackedRNNCells') return getter('cells', 'The cells.', 'Layer[]', 'insideOf(this)');
  return Object.entries(innerLayers[name] ?? {})
    .map(([property, doc], i) => getter(property, doc, 'Layer', `insideOf(this)[${i}] as Layer`))
    .join('');
}

/** Returns the properties of a class: its settings, and the weights that have an initializer. */
function propertiesOf({ class_name: name, fields }) {
  const stems = fields
    .map((field) => /^(.*)_initializer$/.exec(field.name)?.[1])
    .filter((stem) => stem !== undefined);
  const weights = stems.map((stem) =>
    camel(/^(recurrent|depthwise|pointwise)$/.test(stem) ? `${stem}_kernel` : stem),
  );
  const names = weights.map((weight) => `'${weight}'`).join(' | ');
  const bases = [`SettingsOf<${name}Config>`, ...(names ? [`WeightsOf<${names}>`] : [])];
  // Members of Layer are declared again, because here they can be assigned.
  const members = fields.flatMap((field) => inLayer[field.name]?.(settingType(field)) ?? []);
  const body = members.map((member) => `\n  ${member};`).join('');
  return `export interface ${name} extends ${bases.join(', ')} {${body && `${body}\n`}}\n`;
}

/** First arguments in Keras of the classes where the core does not read them first. */
const inKeras = { ReLU: 'max_value', SeparableConv1D: 'filters' };

/**
 * Returns the settings that a class needs, the first argument in Keras first, as an argument of its
 * constructor. Without such settings, it is the first setting.
 */
function firsts({ class_name: name, fields }) {
  const own = fields.filter((field) => !common.has(field.name));
  const needed = own.filter(({ required }) => required);
  const names = (needed.length > 0 ? needed : own.slice(0, 1)).map((field) => camel(field.name));
  const first = inKeras[name] ? [camel(inKeras[name])] : [];
  const all = [...new Set([...first, ...(needed.length > 0 || !first[0] ? names : [])])];
  return all.length > 0 ? `, '${all.join(' ')}'` : '';
}

function layerClass(layer) {
  const { class_name: name, fields, arguments: args } = layer;
  const argumentNames =
    args.length > 1
      ? `  /** Names of the tensor arguments of \`call\`. @internal */
  override readonly argumentNames = ${JSON.stringify(args.map(camel))};\n`
      : '';
  return `${configInterface(layer)}
/** ${withCamelNames(layer.doc, fields)} */
export class ${name} extends ${bases[name] ?? 'BuiltinLayer'} {
${argumentNames}  constructor(config: ${argumentType(layer)}${allOptional(fields) ? ' = {}' : ''}) {
    super('${name}', config${firsts(layer)});
  }
${innerGetters(name)}}
${propertiesOf(layer)}`;
}

/** Returns an import of those names that the text contains. */
function importOf(names, file, text, kind = '') {
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return used.length > 0 ? `import ${kind}{ ${used.join(', ')} } from './${file}';\n` : '';
}
const typeImport = (names, file, text) => importOf(names, file, text, 'type ');

/** Returns the imports of base classes and of the types of their arguments. */
const baseImports = (text) =>
  Object.entries(baseFiles)
    .map(([file, names]) => importOf(names, file, text))
    .join('') + typeImport(Object.values(argumentsBeside), 'looks_up.js', text);

export function layersFile(layers) {
  const text = layers.map(layerClass).join('\n');
  return `${head}
${importOf(['BuiltinLayer', 'insideOf'], 'builtin_layer.js', text)}${typeImport(['Layer', 'LayerConfig'], 'layer.js', text)}${baseImports(text)}${typeImport(settingTypes, 'keras_names.js', text)}${typeImport(['SettingsOf', 'WeightsOf'], 'settings.js', text)}
${text}`;
}

/**
 * Returns the file of factories. Each factory is an export, so that a bundler drops layers that a
 * page does not use.
 */
export function factoriesFile(layers, classes) {
  const factories = layers.map((layer) => {
    const { class_name: name, fields } = layer;
    const type = argumentType(layer, `classes.${name}Config`);
    const optional = allOptional(fields) ? '?' : '';
    const factory = fields.some((field) => field.name === 'return_state')
      ? `((config) => new classes.${name}(config)) as WithStates<${type}, classes.${name}>`
      : `(config${optional}: ${type}): classes.${name} => new classes.${name}(config)`;
    return `/** ${withCamelNames(layer.doc, fields)} */\nexport const ${factoryName(name)} = ${factory};\n`;
  });
  const text = factories.join('');
  const beside = typeImport(Object.values(argumentsBeside), 'looks_up.js', text);
  return `${head}
${beside}${typeImport(['WithStates'], 'with_states.js', text)}import * as classes from './${classes}';

${text}`;
}

/**
 * Returns the table of classes. It is a separate file, because everything in the files of classes
 * is public.
 */
export function classTableFile(table, layers, classes) {
  return `${head}
import * as classes from './${classes}';

/** The classes of layers, by their names in the core. */
export const ${table} = {
${layers.map(({ class_name: name }) => `  ${name}: classes.${name},\n`).join('')}};
`;
}

/** Facts of registrations (LayerFacts in src/layer/layer.hpp) that JavaScript needs. */
const facts = {
  built_at_init:
    'Layers that Keras builds in their constructors; it saves no build_config of them.',
  only_in_training_module: 'Layers that only the module of maskflow/train has.',
  in_tfjs: 'Layers that TensorFlow.js has with the same numbers.',
};

/** Returns a file with the names of the layers whose registration states the fact. */
export function namesWithFile({ layers }, fact) {
  const names = layers.filter((layer) => layer[fact]).map((layer) => layer.class_name);
  return `${head}
/** ${facts[fact]} */
export const ${camel(fact)}: ReadonlySet<string> = new Set(
${wordLines(names)}.split(' '),
);
`;
}
