// SPDX-License-Identifier: MIT
// The data of the chapter "own": the facts of a model first, then its answers, trace and profile.
import type { Model, Profile, TraceEntry, Verification } from 'maskflow';
import type { Reader } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';

export interface InputFacts {
  name: string;
  /** Shape with null for axes of any size. */
  shape: (number | null)[];
  dtype: string;
  /** Number of ids if the input expects ids. */
  ids?: number;
}

export interface Facts {
  name: string;
  parameters: number;
  summary: string;
  inputs: InputFacts[];
  /** Whether the inputs are a dictionary with their names as keys. */
  isKeyed: boolean;
  /** Value of each feature of an empty step. */
  maskValue: number;
}

/** An answer: its difference from the one without padding, and its first numbers. */
export interface Answer {
  moved: number;
  first: number[];
}

export interface Results {
  /** Answers for each number of empty places: with the model's masks, and with them removed. */
  answers: [Answer, Answer][];
  /** Number of values of an answer. */
  size: number;
  trace: TraceEntry[];
  profile: { rows: ProfileLine[]; milliseconds: number };
  check?: { passed: boolean; lines: string[] };
}

export interface ProfileLine {
  name: string;
  depth: number;
  milliseconds: number;
  share: number;
  kept: number;
}

export interface OwnData {
  facts: Facts;
  results?: Results;
}

type Nested = number | boolean | Nested[];

export const own: Reader = {
  names: ['saved', 'model', 'bare', 'answers', 'trace', 'profile', 'check'],
  read({ saved, answers, trace, profile, check }): OwnData {
    const model = saved as Model | undefined;
    if (typeof model?.traceMasks !== 'function')
      throw new Advice('The figure draws the model `saved` and its answers.');
    const facts = factsOf(model);
    if (!Array.isArray(answers) || !Array.isArray(trace) || !profile) return { facts };
    const measured = profile as Profile;
    const verified = check as Verification | undefined;
    return {
      facts,
      results: {
        ...compareAnswers(answers as [Nested, Nested][]),
        trace: trace as TraceEntry[],
        profile: {
          rows: measured.rows.map(({ layer, className, ...row }) => ({
            name: `${layer} (${className})`,
            ...row,
          })),
          milliseconds: measured.total.milliseconds,
        },
        ...(verified && {
          check: { passed: verified.passed, lines: String(verified).split('\n') },
        }),
      },
    };
  },
};

function factsOf(model: Model): Facts {
  const configs = configsOf(JSON.parse(JSON.stringify(model)));
  const of = (name: string) => configs.filter(({ class_name }) => class_name === name);
  const sizes = of('Embedding').map(({ config }) => Number(config?.['input_dim']));
  const [masking] = of('Masking');
  const keys = inputKeys(model);
  return {
    name: model.name,
    parameters: model.countParams(),
    summary: model.summary({ print: null }),
    inputs: model.inputs.map(({ shape, dtype }, index) => {
      const ids = shape.length === 2 && (String(dtype).startsWith('int') || sizes.length > 0);
      return {
        name: keys?.[index] ?? `input ${index + 1}`,
        shape: [...shape],
        dtype: String(dtype),
        ...(ids && dtype !== 'bool' && { ids: Math.min(...sizes, 2 ** 31) }),
      };
    }),
    isKeyed: keys !== undefined,
    maskValue: Number(masking?.config?.['mask_value'] ?? 0),
  };
}

/** Returns the keys of a dictionary of inputs, in the order of `model.inputs`. */
function inputKeys(model: Model): string[] | undefined {
  const { input_layers: ends } = model.getConfig() as { input_layers?: unknown };
  return ends && typeof ends === 'object' && !Array.isArray(ends) ? Object.keys(ends) : undefined;
}

interface Config {
  class_name?: string;
  config?: { [key: string]: unknown };
}

/** Returns the configs of all layers, including those inside layers. */
function configsOf(value: unknown): Config[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = 'class_name' in value ? [value as Config] : [];
  return [...here, ...Object.values(value).flatMap(configsOf)];
}

/** Compares each answer with the one without padding, at the steps that both have. */
function compareAnswers(answers: [Nested, Nested][]): Pick<Results, 'answers' | 'size'> {
  const [start] = answers;
  const answer = (index: 0 | 1, value: Nested): Answer => ({
    moved: start === undefined ? 0 : distance(start[index], value),
    first: [value].flat(20).slice(0, 6).map(Number),
  });
  return {
    answers: answers.map(([masked, bare]) => [answer(0, masked), answer(1, bare)]),
    size: start === undefined ? 0 : [start[0]].flat(20).length,
  };
}

/** Returns the largest difference at the positions of `before`; NaN if only one value is NaN. */
function distance(before: Nested, after: Nested | undefined): number {
  if (Array.isArray(before)) {
    const rows = Array.isArray(after) ? after : [];
    const gaps = before.map((each, index) => distance(each, rows[index]));
    return gaps.reduce((max, gap) => (Number.isNaN(gap) || gap > max ? gap : max), 0);
  }
  const [a, b] = [Number(before), Number(after)];
  return Object.is(a, b) ? 0 : Math.abs(a - b);
}
