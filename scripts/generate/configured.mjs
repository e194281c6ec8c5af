// SPDX-License-Identifier: MIT
import { factoryName, head, settingMembers, wordLines } from './words.mjs';

/** Of settings of optimizers, schedules and constraints. */
const configuredTypes = {
  LearningRate: 'LearningRate',
  Optimizer: 'OptimizerLike',
  unknown: 'number | readonly number[]',
  'number[]': 'readonly number[]',
  'string[]': 'readonly string[]',
};
const configuredAttributes = (fields) =>
  fields.map((field) => ({ ...field, type: configuredTypes[field.type] ?? field.type }));

const isSetting =
  (field) =>
  ({ name, default: fallback }) =>
    name === field.name && JSON.stringify(fallback) === JSON.stringify(field.default);

/** An interface of the settings, and a member of a table of makers; `base`: an interface with settings that need not be said again. */
function configuredClass({ class_name: name, doc, fields }, result, base) {
  const own = base ? fields.filter((field) => !base.settings.some(isSetting(field))) : fields;
  const optional = fields.every(({ required }) => !required) ? '?' : '';
  const members = settingMembers(configuredAttributes(own)).join('').replace(/^ {2}/gm, '');
  const type = `${name}Settings`;
  const text =
    own.length > 0
      ? `/** Settings of {@link ${result}s.${factoryName(name)}}. */
export interface ${type}${base ? ` extends ${base.type}` : ''} {
${members}}
`
      : '';
  const settings =
    own.length > 0 ? `settings${optional}: ${type}` : base ? `settings?: ${base.type}` : '';
  return { text, member: `  /** ${doc} */\n  ${factoryName(name)}(${settings}): ${result};\n` };
}

/** A table of makers with its types; `make` makes one of the name of a class. */
function configuredTable(classes, result, make, base = () => undefined) {
  const made = classes.map((one) => configuredClass(one, result, base(one)));
  return {
    types: `${made.map(({ text }) => text).join('\n')}
export interface ${result}s {
${made.map(({ member }) => member).join('')}}
`,
    table: `byName(
${wordLines(classes.map(({ class_name }) => factoryName(class_name)))},
  ${make},
)`,
  };
}

/** The file of optimizers, schedules and constraints. */
export function configuredFile(schema) {
  // Those around another one have settings of their own.
  const alike = schema.optimizers.filter(({ fields }) =>
    fields.every(({ name }) => name !== 'inner_optimizer'),
  );
  const shared = alike[0].fields.filter(({ name }) =>
    alike.every(({ fields }) => fields.some((field) => field.name === name)),
  );
  const base = { type: 'OptimizerSettings', settings: shared };
  const optimizers = configuredTable(schema.optimizers, 'Optimizer', 'optimizerMaker', (one) =>
    alike.includes(one) ? base : undefined,
  );
  const schedules = configuredTable(schema.schedules, 'Schedule', 'scheduleMaker');
  const constraints = configuredTable(schema.constraints, 'Constraint', 'constraintMaker');
  return `${head}
import { byName } from '../base/names.js';
import type { Constraint, LearningRate, Schedule } from './configured.js';
import { constraintMaker } from './constraints.js';
import type { Optimizer } from './optimizer.js';
import { deserialize, get, type OptimizerLike, optimizerMaker, serialize } from './optimizers.js';
import { scheduleMaker } from './schedules.js';

/** Settings of every optimizer; Keras's, in camelCase (snake_case is taken too). */
export interface OptimizerSettings {
${settingMembers(configuredAttributes(shared)).join('').replace(/^ {2}/gm, '')}}

${optimizers.types}
${schedules.types}
${constraints.types}
/** Keras's optimizers: \`optimizers.adam({ learningRate: 1e-3 })\`, \`optimizers.get('adam')\`. */
export const optimizers: Optimizers & {
  deserialize: typeof deserialize;
  get: typeof get;
  serialize: typeof serialize;
} = /* @__PURE__ */ Object.assign(
  /* @__PURE__ */ ${optimizers.table} as Optimizers,
  { deserialize, get, serialize },
);

/** Keras's schedules of the learning rate: \`schedules.cosineDecay({ … })\`. A function of the step is one, too. */
export const schedules: Schedules = /* @__PURE__ */ ${schedules.table};

/** Keras's constraints, for layers: \`layers.dense({ units: 3, kernelConstraint: constraints.maxNorm() })\`. */
export const constraints: Constraints = /* @__PURE__ */ ${constraints.table};
`;
}
