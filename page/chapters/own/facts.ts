// SPDX-License-Identifier: MIT
// Facts of a model before it runs: its inputs, parameters and summary.
import type { Layer, Model } from 'maskflow';
import { Advice } from '../../shared/advice.js';

export interface InputFacts {
  name: string;
  /** Shape with null for axes of any size. */
  shape: (number | null)[];
  dtype: string;
  /** Number of ids if the input expects ids. */
  ids?: number;
}

/** A tokenizer that turns the text of an input into ids. */
export interface TextFacts {
  /** Place of the input among those of the model. */
  input: number;
  words: number;
  /** A text of known words. */
  sample: string;
}

/** A scaler of the numbers of an input. */
export interface ScaleFacts {
  input: number;
  className: string;
  /** The raw numbers that the scaler maps to 0 and to 1, by column. */
  zero: number[];
  one: number[];
}

export interface Beside {
  text?: TextFacts;
  scale?: ScaleFacts;
  /** Sentences about files that are not applied. */
  notes: string[];
}

export interface Facts {
  name: string;
  parameters: number;
  summary: string;
  inputs: InputFacts[];
  /** Whether the inputs are a dictionary with their names as keys. */
  isKeyed: boolean;
  /** Files beside the model, as far as they change its inputs. */
  beside?: Beside;
  /** Value of each feature of an empty step. */
  maskValue: number;
  /** The variable of a translated program that holds the model, and all that hold one. */
  variable?: string;
  variables?: string[];
  /** Shape for `build`, if the model of a translated program was not built. */
  build?: (number | null)[];
  /** Whether `inputs` is a guess, because a class of the program is the model. */
  isGuessed?: boolean;
}

/** Number of features of an input whose shape nothing says. */
const guessedFeatures = 4;

interface Config {
  class_name?: string;
  config?: { [key: string]: unknown };
}

/** Returns the facts of the last, or of the chosen, model among the variables of a program. */
export function foundIn(variables: object, chosen: string): Facts {
  const models = Object.entries(variables).filter(
    ([, value]) => typeof (value as Model | null)?.traceMasks === 'function',
  ) as [string, Model][];
  const names = models.map(([name]) => name);
  const found =
    models.find(([name]) => name === chosen) ??
    models.find(([name]) => name === 'model') ??
    models.at(-1);
  if (!found)
    throw new Advice(
      'No variable of this program holds a model. If a function of it returns one, call it at the end: `model = build_model()`.',
    );
  const [variable, model] = found;
  return { ...built(model), variable, variables: names };
}

/** Returns the facts of a model; builds a Sequential without Input for sequences of any length. */
function built(model: Model): Facts {
  if (hasInputs(model)) return factsOf(model);
  const build = guessedShape(configsIn(model));
  if (!('add' in model)) return { ...factsOf(model), isGuessed: true };
  model.build(build);
  return { ...factsOf(model), build };
}

export function factsOf(model: Model): Facts {
  const configs = configsIn(model);
  const [masking] = of(configs, 'Masking');
  const known = hasInputs(model);
  const keys = known ? inputKeys(model) : undefined;
  const inputs = known ? model.inputs : [{ shape: guessedShape(configs), dtype: 'float32' }];
  return {
    name: model.name,
    parameters: known || model.built ? model.countParams() : 0,
    summary: known || model.built ? model.summary({ print: null }) : '',
    inputs: inputs.map(({ shape, dtype }, index): InputFacts => {
      const sizes = idsIn(configs);
      const ids = shape.length === 2 && (String(dtype).startsWith('int') || sizes.length > 0);
      return {
        name: keys?.[index] ?? `input ${index + 1}`,
        shape: [...shape],
        dtype: known || !ids ? String(dtype) : 'int32',
        ...(ids && dtype !== 'bool' && { ids: Math.min(...sizes, 2 ** 31) }),
      };
    }),
    isKeyed: keys !== undefined,
    maskValue: Number(masking?.config?.['mask_value'] ?? 0),
  };
}

function hasInputs(model: Model): boolean {
  try {
    return model.inputs.length > 0;
  } catch {
    return false;
  }
}

const guessedShape = (configs: readonly Config[]): (number | null)[] =>
  idsIn(configs).length > 0 ? [null, null] : [null, null, guessedFeatures];

/** Returns the configs of a model's layers, also of those that a class keeps as its own. */
function configsIn(model: Model): Config[] {
  const seen = new Set<object>([model]);
  const found: Config[] = [];
  const visit = (layer: Layer): void => {
    const inner = 'layers' in layer ? (layer.layers as Layer[]) : [];
    for (const each of [...inner, ...Object.values(layer).flat()]) {
      if (!isLayer(each) || seen.has(each)) continue;
      seen.add(each);
      found.push({ class_name: each.className, config: config(each) });
      visit(each);
    }
  };
  visit(model);
  return [...configsOf(written(model)), ...found];
}

const isLayer = (value: unknown): value is Layer =>
  typeof value === 'object' && value !== null && 'className' in value && 'getConfig' in value;

function written(model: Model): unknown {
  try {
    return JSON.parse(JSON.stringify(model));
  } catch {
    return {}; // It has a class of the program without a configuration.
  }
}

function config(layer: Layer): { [key: string]: unknown } {
  try {
    return layer.getConfig();
  } catch {
    return {}; // A class of the program may have no configuration.
  }
}

const of = (configs: readonly Config[], name: string): Config[] =>
  configs.filter(({ class_name }) => class_name === name);

const idsIn = (configs: readonly Config[]): number[] =>
  of(configs, 'Embedding').map(({ config }) => Number(config?.['input_dim']));

/** Returns the keys of a dictionary of inputs, in the order of `model.inputs`. */
function inputKeys(model: Model): string[] | undefined {
  const { input_layers: ends } = model.getConfig() as { input_layers?: unknown };
  return ends && typeof ends === 'object' && !Array.isArray(ends) ? Object.keys(ends) : undefined;
}

/** Returns the configs of all layers, including those inside layers. */
function configsOf(value: unknown): Config[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = 'class_name' in value ? [value as Config] : [];
  return [...here, ...Object.values(value).flatMap(configsOf)];
}
