// SPDX-License-Identifier: MIT
// The data of the chapter "stream". In the worker, it also follows the visitor's steps with the
// stream that the program made.
import type { Reader, Values } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';
import { clockTick } from '../../shared/machine.js';
import { largestGap } from '../../shared/text.js';

export interface StreamData {
  /** The package's error if the model cannot run step by step; otherwise null. */
  why: string | null;
}

/** A bracket, a reading, or null for a missing reading. */
export type Input = string | number | null;

export interface Followed {
  /** Answer of the stream after each step. */
  answers: number[];
  /** Durations of steps in microseconds, measured since the program started. */
  times: number[];
  /** Resolution of the clock in milliseconds. */
  tick: number;
  saved?: {
    at: number;
    json: string;
    /** Answers of the restored stream to the steps after the state was saved. */
    answers: number[];
    /**
     * Largest difference between the answers of both streams, after the state was saved and for
     * each possible next step.
     */
    gap: number;
  };
}

/** The methods of the package's Stream that this file uses. */
interface Stream {
  clone(): Stream;
  reset(): void;
  dispose(): void;
}

/** Variables of the program. */
interface Variables {
  stream: Stream;
  step(to: Stream, input: Input, time: number): number;
  save(): string;
  restore(json: string): Stream;
}

interface Session {
  inputs: Input[];
  answers: number[];
  times: number[];
  saved?: { at: number; json: string };
}

const maxTimes = 400;
/** Largest number of steps to time in one call. */
const maxAtOnce = 8;

const sessions = new WeakMap<object, Session>();
let tick: number | undefined;

function variablesOf(values: Values): Variables {
  const { stream, step, save, restore } = values as unknown as Variables;
  const complete = [step, save, restore].every((each) => typeof each === 'function');
  if (!complete || !stream)
    throw new Advice(
      'The figure needs `stream`, `step(stream, input, time)`, `save()` and `restore(json)`.',
    );
  return { stream, step, save, restore };
}

function sessionOf(stream: object): Session {
  const session = sessions.get(stream) ?? { inputs: [], answers: [], times: [] };
  sessions.set(stream, session);
  return session;
}

const extendsBy = (longer: Input[], shorter: Input[]): boolean =>
  shorter.length <= longer.length && shorter.every((each, index) => each === longer[index]);

/**
 * Runs the stream until it has received `inputs`. A stream cannot go back, so it restarts to undo a
 * step.
 */
function follow(
  { stream, step, save }: Variables,
  session: Session,
  inputs: Input[],
  at: number,
): void {
  const usable = extendsBy(inputs, session.inputs) && (session.saved?.at ?? -1) === at;
  const later = extendsBy(inputs, session.inputs) && at >= session.inputs.length;
  if (!usable && !later) {
    stream.reset();
    session.inputs = [];
    session.answers = [];
  }
  if (!usable) delete session.saved;
  for (let time = session.inputs.length; time <= inputs.length; time++) {
    if (time === at && !session.saved) session.saved = { at, json: save() };
    if (time === inputs.length) break;
    session.answers.push(step(stream, inputs[time] as Input, time));
  }
  session.inputs = [...inputs];
}

/**
 * Returns the mean time of a step in microseconds. Repeats the step on a copy of the stream until
 * the clock can measure it.
 */
function timeOf({ stream, step }: Variables, input: Input, time: number): number {
  tick ??= clockTick();
  const least = Math.min(10, Math.max(1, 10 * tick));
  const copy = stream.clone();
  let steps = 0;
  let elapsed = 0;
  const begin = performance.now();
  do {
    for (let i = 0; i < 16; i++) step(copy, input, time);
    steps += 16;
    elapsed = performance.now() - begin;
  } while (elapsed < least);
  copy.dispose();
  return (1000 * elapsed) / steps;
}

/** Compares a second stream, restored from the saved state, with the first one. */
function compareRestored(
  variables: Variables,
  session: Session,
  probes: Input[],
): Followed['saved'] {
  const { saved, inputs, answers } = session;
  if (!saved) return undefined;
  const other = variables.restore(saved.json);
  const since = inputs.slice(saved.at);
  const restored = since.map((input, i) => variables.step(other, input, saved.at + i));
  const next = (from: Stream) =>
    probes.map((probe) => {
      const copy = from.clone();
      const answer = variables.step(copy, probe, inputs.length);
      copy.dispose();
      return answer;
    });
  const gap = Math.max(
    largestGap(restored, answers.slice(saved.at)),
    largestGap(next(other), next(variables.stream)),
  );
  other.dispose();
  return { ...saved, answers: restored, gap };
}

export const stream: Reader = {
  names: ['stream', 'step', 'save', 'restore', 'why'],
  read(values): StreamData {
    if (typeof values['why'] === 'string') return { why: values['why'] };
    variablesOf(values);
    return { why: null };
  },
  calls: {
    /**
     * Runs the stream until it has received `inputs`. Saves the state after `at` steps; for -1,
     * never. `probes` are possible next steps.
     */
    follow(values, _, inputs: Input[], at: number, probes: Input[]): Followed {
      const variables = variablesOf(values);
      const session = sessionOf(variables.stream);
      const known = extendsBy(inputs, session.inputs) ? session.inputs.length : 0;
      follow(variables, session, inputs, at);
      const first = Math.max(known, inputs.length - maxAtOnce);
      for (let time = first; time < inputs.length; time++)
        session.times.push(timeOf(variables, inputs[time] as Input, time));
      session.times.splice(0, session.times.length - maxTimes);
      const saved = compareRestored(variables, session, probes);
      return {
        answers: session.answers,
        times: session.times,
        tick: tick ?? 0,
        ...(saved && { saved }),
      };
    },
  },
};
