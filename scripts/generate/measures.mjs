// SPDX-License-Identifier: MIT
// Losses and metrics: tables of functions, types of their names, defaults of their settings.
import {
  camel,
  factoryName,
  head,
  settingMembers,
  snake,
  upperFirst,
  wordLines,
} from './words.mjs';

/** Names whose loss or metric web/src/training/choices.ts chooses by the shapes. */
const resolvedLosses = ['crossentropy', 'ce'];
const resolvedMetrics = [...resolvedLosses, 'acc'];

/** Returns all metrics. A loss is also a metric, unless a metric has the same name. */
function metricsOf({ metrics, losses }) {
  const names = new Set(metrics.map(({ name }) => name));
  return [...metrics, ...losses.filter(({ name }) => !names.has(name))];
}

/** Returns a member of the table's type for each loss or metric. */
function measureMembers(measures, type) {
  return measures.map(({ name, doc, attributes, values_only: valuesOnly }) => {
    const members = settingMembers(attributes);
    const settings = members.length > 0 ? `<{\n${members.join('')}  }>` : '';
    const maker = valuesOnly ? 'ValueMetricMaker' : `${type}${settings}`;
    return `  /** ${doc} */\n  readonly ${factoryName(name)}: ${maker};\n`;
  });
}

/** True for abbreviations of losses such as 'mse', which Keras also accepts in capitals. */
const isAbbreviation = (alias) => /^[a-z]{3,4}$/.test(alias);

/** Returns a union of the names by which `compile` and `evaluate` accept losses or metrics. */
function namesType(type, doc, measures, resolved, { losses, metrics }) {
  const list = (names) => [...new Set(names)].map((name) => `  | '${name}'\n`).join('');
  const short = losses.flatMap(({ aliases }) => aliases.filter(isAbbreviation)).sort();
  const tables = measures === losses ? losses : [...metrics, ...losses];
  const aliases = tables.flatMap((measure) => measure.aliases);
  const anyCase = [
    ...measures.map(({ name }) => snake(name)),
    ...resolved,
    ...aliases.filter((alias) => !short.includes(alias)),
  ];
  const regular = new Set(anyCase.flatMap((name) => [camel(name), upperFirst(camel(name))]));
  const irregular = measures
    .flatMap(({ name }) => [name, factoryName(name)])
    .filter((name) => !regular.has(name));
  const others = [...short, ...short.map((name) => name.toUpperCase()), ...irregular];
  return `/** ${doc} */
export type ${type} = AnyCase<
${list(anyCase)}>
${list(others)};`.replace(/\n;/, ';');
}

export function namesFile(schema) {
  const { losses } = schema;
  const metrics = metricsOf(schema);
  const names = [
    namesType('LossName', "Keras's names of losses.", losses, resolvedLosses, schema),
    namesType('MetricName', "Keras's names of metrics.", metrics, resolvedMetrics, schema),
  ];
  return `${head}\nimport type { AnyCase } from '../base/names.js';\n\n${names.join('\n\n')}\n`;
}

export function measuresFile(schema) {
  const { losses } = schema;
  const metrics = metricsOf(schema);
  return `${head}
import { byName } from '../base/names.js';
import { loss, type LossMaker } from './loss.js';
import { makerOf, type MetricMaker, type ValueMetricMaker } from './metric.js';

/** Functions of \`losses\`. */
interface Losses {
${measureMembers(losses, 'LossMaker').join('')}}

/** Functions of \`metrics\`. */
interface Metrics {
${measureMembers(metrics, 'MetricMaker').join('')}}

/**
 * Keras's losses: \`losses.huber(yTrue, yPred, { delta: 2, mask, sampleWeight })\`. See {@link
 * LossOptions}. Targets and predictions have the same shape, [batch, …, features], unless the loss
 * says otherwise.
 *
 * Throws ConfigError for an unknown or impossible setting, and ShapeError for shapes that do not
 * fit.
 */
export const losses: Losses = /* @__PURE__ */ byName(
${wordLines(losses.map(({ name }) => factoryName(name)))},
  loss,
  'losses',
);

/**
 * Keras's metrics: \`metrics.auc({ curve: 'PR' })\` creates a {@link Metric}, which is updated with
 * batches. Each loss is a metric, too: its mean over samples and kept steps.
 *
 * Throws ConfigError for an unknown or impossible setting.
 */
export const metrics: Metrics = /* @__PURE__ */ byName(
${wordLines(metrics.map(({ name }) => factoryName(name)))},
  makerOf,
  'metrics',
);
`;
}

/**
 * Returns a file with the settings of losses and metrics and their defaults, for configurations in
 * files.
 */
export function measureSettingsFile(schema) {
  const row = ({ name, attributes }) => {
    const defaults = attributes.map((setting) => [setting.name, setting.default ?? null]);
    return `  ${name}: ${JSON.stringify(Object.fromEntries(defaults))},\n`;
  };
  const table = (kind) => `MeasureSettings = {\n${schema[kind].map(row).join('')}};`;
  const measures = [...schema.metrics, ...schema.losses];
  const plain = (name) => name.replaceAll('_', '').toLowerCase();
  const classes = new Set(measures.map(({ name }) => plain(name)));
  const aliases = measures
    .flatMap(({ name, aliases }) => aliases.map((alias) => [plain(alias), name]))
    .filter(([alias]) => !classes.has(alias));
  return `${head}
/**
 * By class, the settings with their defaults. \`lossSettings\` has those of losses that are
 * metrics, too.
 */
export type MeasureSettings = { readonly [className: string]: { readonly [key: string]: unknown } };
export const lossSettings: ${table('losses')}
export const metricSettings: ${table('metrics')}
/** Further names of classes, in lower case without underscores. */
export const measureAliases: { readonly [name: string]: string } = {
${aliases.map(([alias, name]) => `  ${alias}: '${name}',\n`).join('')}};\n`;
}
