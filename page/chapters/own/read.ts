// SPDX-License-Identifier: MIT
// The data of the chapter "own": the facts of a model first, then its answers, trace and profile.
import type { Model, PaddingCheck, Profile, TraceEntry, Verification } from 'maskflow';
import type { Scaler, Tokenizer } from 'maskflow/text';
import type { Reader } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';
import { type Pair, farther } from '../../shared/pairs.js';
import { besideOf } from './beside.js';
import { type Facts, factsOf, foundIn } from './facts.js';

/** An answer: its difference from the one without padding, and its first numbers. */
export interface Answer {
  moved: number;
  /** The number that moved most, without padding and with it. */
  pair: Pair;
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
  /** Whether the model could be copied without its masks; otherwise both answers are the same. */
  hasBare: boolean;
  /** The result of `checkPadding`, or why there is none. */
  padding?: PaddingCheck | string;
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
  names: [
    ...['saved', 'model', 'bare', 'answers', 'trace', 'profile', 'check'],
    ...['beside', 'tokenizer', 'scaler', '$variables', '$chosen'],
    ...['$saved', '$model', '$bare', '$answers', '$trace', '$profile', '$padding'],
  ],
  read(values): OwnData {
    if (values['$saved'] !== undefined) return readPython(values);
    if (values['$variables'] !== undefined)
      return { facts: foundIn(values['$variables'] as object, String(values['$chosen'])) };
    const { saved, answers, trace, profile, check } = values;
    const model = saved as Model | undefined;
    if (typeof model?.traceMasks !== 'function')
      throw new Advice('The figure draws the model `saved` and its answers.');
    const facts = factsOf(model);
    if (values['beside'])
      facts.beside = besideOf(
        values['tokenizer'] as Tokenizer | undefined,
        values['scaler'] as Scaler | undefined,
        facts.inputs,
      );
    if (!Array.isArray(answers) || !Array.isArray(trace) || !profile) return { facts };
    const verified = check as Verification | undefined;
    return {
      facts,
      results: {
        ...measured(answers, trace, profile),
        hasBare: true,
        ...(verified && {
          check: { passed: verified.passed, lines: String(verified).split('\n') },
        }),
      },
    };
  },
};

function readPython(values: { [name: string]: unknown }): OwnData {
  const { $saved, $bare, $answers, $trace, $profile, $padding } = values;
  const facts = factsOf($saved as Model);
  if (!Array.isArray($answers) || !Array.isArray($trace) || !$profile)
    throw new Advice('The figure draws `$answers`, `$trace` and `$profile` of the model.');
  return {
    facts,
    results: {
      ...measured($answers, $trace, $profile),
      hasBare: Boolean($bare),
      ...($padding !== undefined && { padding: $padding as PaddingCheck | string }),
    },
  };
}

function measured(answers: unknown[], trace: unknown[], profile: unknown) {
  const { rows, total } = profile as Profile;
  return {
    ...compareAnswers(answers as [Nested, Nested][]),
    trace: trace as TraceEntry[],
    profile: {
      rows: rows.map(({ layer, className, ...row }) => ({
        name: `${layer} (${className})`,
        ...row,
      })),
      milliseconds: total.milliseconds,
    },
  };
}

/** Compares each answer with the one without padding, at the steps that both have. */
function compareAnswers(answers: [Nested, Nested][]): Pick<Results, 'answers' | 'size'> {
  const [start] = answers;
  const answer = (index: 0 | 1, value: Nested): Answer => {
    const pair: Pair = start === undefined ? [0, 0] : movedMost(start[index], value);
    const moved = Object.is(...pair) ? 0 : Math.abs(pair[0] - pair[1]);
    return { moved, pair, first: [value].flat(20).slice(0, 6).map(Number) };
  };
  return {
    answers: answers.map(([masked, bare]) => [answer(0, masked), answer(1, bare)]),
    size: start === undefined ? 0 : [start[0]].flat(20).length,
  };
}

/** Returns the pair that is farthest apart at the positions of `before`; NaN is farthest. */
function movedMost(before: Nested, after: Nested | undefined): Pair {
  if (!Array.isArray(before)) return [Number(before), Number(after)];
  const rows = Array.isArray(after) ? after : [];
  return before.reduce<Pair>(
    (most, each, index) => farther(most, movedMost(each, rows[index])),
    [0, 0],
  );
}
