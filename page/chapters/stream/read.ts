// SPDX-License-Identifier: MIT
import type { Reader, Values } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';
import { clockTick } from '../../shared/machine.js';
import { largestGap } from '../../shared/text.js';

export interface StreamData {
  /** The package's own reason, for a model that cannot be run step by step. */
  why: string | null;
}

/** A bracket; a reading, or null for a missing one. */
export type Input = string | number | null;

export interface Followed {
  /** After each step. */
  answers: number[];
  /** Of steps, in microseconds: those measured since the program ran. */
  times: number[];
  /** Steps that one time is the mean of, at least, because the clock ticks so coarsely (in milliseconds). */
  tick: number;
  saved?: {
    at: number;
    json: string;
    /** What the second stream said to the steps since then. */
    answers: number[];
    /** The largest difference of its answers, those since then and those to each possible next step. */
    gap: number;
  };
}

/** As much of the package's Stream as this needs. */
interface Stream {
  clone(): Stream;
  reset(): void;
  dispose(): void;
}

interface Left {
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

const mostTimes = 400;
/** Of many steps at once, so many are timed. */
const mostAtOnce = 8;

const sessions = new WeakMap<object, Session>();
let tick: number | undefined;

function leftBy(values: Values): Left {
  const { stream, step, save, restore } = values as unknown as Left;
  const whole = [step, save, restore].every((each) => typeof each === 'function');
  if (!whole || !stream)
    throw new Advice(
      'The figure steps through `stream` with `step(stream, input, time)`, and uses `save()` and `restore(json)`.',
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

/** A stream does not go back: to undo a step it begins again. */
function follow({ stream, step, save }: Left, session: Session, inputs: Input[], at: number): void {
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

/** The mean time of a step, in microseconds: of as many on a copy as the clock needs. */
function timeOf({ stream, step }: Left, input: Input, time: number): number {
  tick ??= clockTick();
  const least = Math.min(10, Math.max(1, 10 * tick));
  const copy = stream.clone();
  let steps = 0;
  let took = 0;
  const begin = performance.now();
  do {
    for (let i = 0; i < 16; i++) step(copy, input, time);
    steps += 16;
    took = performance.now() - begin;
  } while (took < least);
  copy.dispose();
  return (1000 * took) / steps;
}

function elsewhere(left: Left, session: Session, probes: Input[]): Followed['saved'] {
  const { saved, inputs, answers } = session;
  if (!saved) return undefined;
  const other = left.restore(saved.json);
  const since = inputs.slice(saved.at);
  const said = since.map((input, i) => left.step(other, input, saved.at + i));
  const next = (from: Stream) =>
    probes.map((probe) => {
      const copy = from.clone();
      const answer = left.step(copy, probe, inputs.length);
      copy.dispose();
      return answer;
    });
  const gap = Math.max(
    largestGap(said, answers.slice(saved.at)),
    largestGap(next(other), next(left.stream)),
  );
  other.dispose();
  return { ...saved, answers: said, gap };
}

export const stream: Reader = {
  names: ['stream', 'step', 'save', 'restore', 'why'],
  read(values): StreamData {
    if (typeof values['why'] === 'string') return { why: values['why'] };
    leftBy(values);
    return { why: null };
  },
  calls: {
    /** Brings the stream to these steps; `at`: after how many the state is saved, or -1; `probes`: possible next steps. */
    follow(values, _, inputs: Input[], at: number, probes: Input[]): Followed {
      const left = leftBy(values);
      const session = sessionOf(left.stream);
      const known = extendsBy(inputs, session.inputs) ? session.inputs.length : 0;
      follow(left, session, inputs, at);
      const first = Math.max(known, inputs.length - mostAtOnce);
      for (let time = first; time < inputs.length; time++)
        session.times.push(timeOf(left, inputs[time] as Input, time));
      session.times.splice(0, session.times.length - mostTimes);
      const saved = elsewhere(left, session, probes);
      return {
        answers: session.answers,
        times: session.times,
        tick: tick ?? 0,
        ...(saved && { saved }),
      };
    },
  },
};
