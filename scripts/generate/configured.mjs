// SPDX-License-Identifier: MIT
// Optimizers, schedules and constraints.
import {
  allOptional,
  camel,
  factoryName,
  head,
  readonlyLists,
  settingMembers,
  wordLines,
} from './words.mjs';

/** Returns the members of a settings type, whose lists may be readonly. */
const members = (fields) =>
  settingMembers(
    fields.map((field) => ({ ...field, type: readonlyLists(field.type) })),
    '  ',
  ).join('');

const isSameSetting =
  (field) =>
  ({ name, default: fallback }) =>
    name === field.name && JSON.stringify(fallback) === JSON.stringify(field.default);

/** Returns settings as parameters; the first one tells the overload from that of the settings. */
const positions = (fields) =>
  fields
    .map(({ name, required, type }, i) => {
      const mark = required || i === 0 ? '' : '?';
      return `${camel(name)}${mark}: ${readonlyLists(type)}`;
    })
    .join(', ');

/**
 * Returns an interface with a class's settings, and a member of the type of its table. `base` is an
 * interface whose settings are not repeated.
 */
function configuredClass({ class_name: name, doc, fields }, result, base) {
  const own = base ? fields.filter((field) => !base.settings.some(isSameSetting(field))) : fields;
  const optional = allOptional(fields) ? '?' : '';
  const type = `${name}Settings`;
  const text =
    own.length > 0
      ? `/** Settings of {@link ${result}s.${factoryName(name)}}. */
export interface ${type}${base ? ` extends ${base.type}` : ''} {
${members(own)}}
`
      : '';
  const settings =
    own.length > 0 ? `settings${optional}: ${type}` : base ? `settings?: ${base.type}` : '';
  const signatures = [settings];
  // As in Keras, the learning rate may come first; settings of the others have positions.
  if (base) signatures.push(`learningRate: LearningRate, ${settings}`);
  else if (result !== 'Optimizer' && fields.length > 0) signatures.push(positions(fields));
  const method = (parameters) => `  ${factoryName(name)}(${parameters}): ${result};\n`;
  return { text, member: `  /** ${doc} */\n${signatures.map(method).join('')}` };
}

/**
 * Returns a table of functions that create objects, with its types. `maker` is the function that
 * creates an object of a class, or for optimizers returns that function.
 */
function configuredTable(classes, result, maker, baseOf = () => undefined) {
  const parts = classes.map((item) => configuredClass(item, result, baseOf(item)));
  const isInOrder = result !== 'Optimizer';
  const wordOf = ({ class_name: name, fields }) =>
    isInOrder ? [name, ...fields.map((field) => camel(field.name))].join(':') : factoryName(name);
  return {
    types: `${parts.map(({ text }) => text).join('\n')}
/** Functions of \`${result.toLowerCase()}s\`. */
export interface ${result}s {
${parts.map(({ member }) => member).join('')}}
`,
    table: `${isInOrder ? 'inOrder' : 'byName'}(
${wordLines(classes.map(wordOf))},
  ${maker},
  '${result.toLowerCase()}s',
)`,
  };
}

/** Returns the file of optimizers, schedules and constraints. */
export function configuredFile(schema) {
  // Leaves out optimizers that wrap another one, which lack the settings that the others share.
  const plain = schema.optimizers.filter(({ fields }) =>
    fields.every(({ name }) => name !== 'inner_optimizer'),
  );
  const shared = plain[0].fields.filter(({ name }) =>
    plain.every(({ fields }) => fields.some((field) => field.name === name)),
  );
  const base = { type: 'OptimizerSettings', settings: shared };
  const optimizers = configuredTable(schema.optimizers, 'Optimizer', 'optimizerMaker', (item) =>
    plain.includes(item) ? base : undefined,
  );
  const schedules = configuredTable(schema.schedules, 'Schedule', 'createSchedule');
  const constraints = configuredTable(schema.constraints, 'Constraint', 'createConstraint');
  return `${head}
import { inOrder } from '../base/in_order.js';
import { named } from '../base/named.js';
import { byName } from '../base/names.js';
import type { Constraint, LearningRate, Schedule } from './configured.js';
import { createConstraint } from './constraints.js';
import type { Optimizer } from './optimizer.js';
import { deserialize, get, type OptimizerLike, optimizerMaker, serialize } from './optimizers.js';
import { createSchedule } from './schedules.js';

/** Settings of every optimizer: Keras's, in camelCase; snake_case is accepted, too. */
export interface OptimizerSettings {
${members(shared)}}

${optimizers.types}
${schedules.types}
${constraints.types}
/**
 * Keras's schedules of the learning rate: \`schedules.cosineDecay({ … })\`. A function of the step
 * is a schedule, too.
 *
 * Throws ConfigError for an unknown or impossible setting, and for a required one that is missing.
 */
export const schedules: Schedules = /* @__PURE__ */ ${schedules.table};

/**
 * Keras's optimizers: \`optimizers.adam({ learningRate: 1e-3 })\`, \`optimizers.get('adam')\`.
 *
 * Throws ConfigError for an unknown or impossible setting.
 */
export const optimizers: Optimizers & {
  deserialize: typeof deserialize;
  get: typeof get;
  serialize: typeof serialize;
  /** {@link schedules}. */
  schedules: Schedules;
} = /* @__PURE__ */ Object.defineProperty(
  /* @__PURE__ */ Object.assign(
    /* @__PURE__ */ ${optimizers.table} as Optimizers,
    /* @__PURE__ */ named({ deserialize, get, serialize }),
  ),
  // Not among the optimizers that a program lists.
  'schedules',
  { value: schedules },
) as never;

/**
 * Keras's constraints, for layers: \`layers.dense({ units: 3, kernelConstraint:
 * constraints.maxNorm() })\`.
 *
 * Throws ConfigError for an unknown or impossible setting.
 */
export const constraints: Constraints = /* @__PURE__ */ ${constraints.table};
`;
}
