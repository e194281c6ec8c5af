// SPDX-License-Identifier: MIT
// The generated table of names and settings, by name.
import * as generated from './names.gen.js';

/** A class or function of Keras. */
export interface Row {
  readonly name: string;
  /** Its parameters in Keras's order. */
  readonly settings: readonly Setting[];
  readonly isTraining: boolean;
  /** Whether an op is a method of tensors, too. */
  readonly isMethod?: boolean;
}
export interface Setting {
  readonly name: string;
  readonly isAbsent: boolean;
  readonly isOptional: boolean;
}

function setting(text: string): Setting {
  return {
    name: text.replace(/^-|=$/g, ''),
    isAbsent: text.startsWith('-'),
    isOptional: text.endsWith('='),
  };
}

/** Names are compared in lower case without underscores: mean_squared_error, MeanSquaredError. */
const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();

function rows(text: string, training: string | true = '', isMethod = false): Map<string, Row> {
  const onlyTraining = new Set(training === true ? [] : training.split(';'));
  const map = new Map<string, Row>();
  for (const line of text.split(';')) {
    const [name = '', ...settings] = line.split(' ');
    const isTraining = training === true || onlyTraining.has(name);
    map.set(plain(name), { name, settings: settings.map(setting), isTraining, isMethod });
  }
  return map;
}

function withAliases(map: Map<string, Row>, aliases: string): Map<string, Row> {
  for (const line of aliases.split(';')) {
    const [alias = '', name = ''] = line.split(' ');
    const row = map.get(plain(name));
    if (row && !map.has(plain(alias))) map.set(plain(alias), row);
  }
  return map;
}

/** The tables by the namespace of Keras. */
export const tables: { readonly [space: string]: ReadonlyMap<string, Row> } = {
  layers: withAliases(rows(generated.layers, generated.trainingLayers), generated.layerAliases),
  losses: withAliases(rows(generated.losses), generated.lossAliases),
  metrics: withAliases(rows(generated.metrics), generated.metricAliases),
  optimizers: rows(generated.optimizers, true),
  schedules: rows(generated.schedules, true),
  constraints: rows(generated.constraints, true),
  initializers: rows(generated.initializers),
  regularizers: rows(generated.regularizers),
  random: rows(generated.randoms),
  ops: new Map([
    ...rows(generated.methods, '', true),
    ...rows(generated.ops),
    ...rows(generated.trainingOps, true),
  ]),
};

/** Returns the row of a name in a namespace. */
export const rowOf = (space: string, name: string): Row | undefined =>
  Object.hasOwn(tables, space) ? tables[space]?.get(plain(name)) : undefined;

const irregular: { readonly [name: string]: string } = { IoU: 'iou', RMSprop: 'rmsprop' };

/** Begins the name of a class with lower case: LSTMCell → lstmCell, SimpleRNN → simpleRNN. */
export const factory = (name: string): string =>
  irregular[name] ??
  name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (capitals) => capitals.toLowerCase());
