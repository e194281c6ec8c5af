// SPDX-License-Identifier: MIT
// The figure's data for a program's model: the trace of its masks and its answers, also those of
// the same layers with the mask restored, or removed, after each layer.
import type { Model, Tensor, TraceEntry } from 'maskflow';
import { Advice } from '../../shared/advice.js';
import { type Pair, farthest } from '../../shared/pairs.js';
import type { Flow, Reader, Values } from '../../engine/worker.js';
import { type Shown, shownOf } from './shown.js';
import { type Edge, type Mask, maxLines, type Stage } from './stage.js';
import { answersOf } from './stages.js';

export interface FlowData {
  /** Shape of the model's input; [] without a model. */
  input: number[];
  chains: { title: string; stages: Stage[] }[];
  /** Edges for x1, x2 … of the program, if each line uses the one before. */
  edges?: Edge[];
  /** The answer of `model`. */
  output?: Shown;
  answers?: { kept: number[]; none: number[] };
  /** Largest change of the answer by more padding, and the number before and after it. */
  more?: number;
  moved?: Pair;
  results: Shown[];
}

const numbers = Array.from({ length: maxLines }, (_, i) => i + 1);
const prefixes = ['x', 'kept', 'first', 'second'];

export const flow: Reader = {
  names: [
    'ids',
    'data',
    'inputs',
    'model',
    'models',
    'longer',
    'results',
    ...numbers.flatMap((number) => prefixes.map((prefix) => prefix + number)),
  ],
  // Collects warnings during reading, which belong to the figure. Those of the program itself were
  // printed.
  read: (values, flow): FlowData => collectWarnings(() => readAll(values, flow)).result,
};

function readAll(values: Values, flow: Flow): FlowData {
  if (isRecord(values['results'])) return readResults(values, flow);
  const model = values['model'];
  const input = values['data'] ?? values['ids'];
  if (!isModel(model) || !isTensor(input)) {
    throw new Advice(
      'The figure draws `model` with its input, `ids` or `data`; or `results`, tensors by title.',
    );
  }
  return readModel(model, input, values, flow);
}

function readModel(model: Model, input: Tensor, values: Values, flow: Flow): FlowData {
  const { tidy } = flow;
  return tidy(() => {
    const answer = model.apply(input as never) as unknown as Tensor;
    const output = shownOf('this model', Array.isArray(answer) ? answer[0] : answer);
    const traced = trace(model, input);
    const answers = answersOf(model, input, values, traced, flow);
    const stages = answers?.stages ?? traced;
    const longer = values['longer'];
    return {
      input: [...input.shape] as number[],
      chains: [{ title: 'this model', stages }],
      output,
      results: [],
      ...(answers && { edges: answers.edges, answers: answers.columns }),
      ...(isTensor(longer) && changeBy(model, input, longer)),
    };
  });
}

function readResults({ results, models }: Values, { tidy }: Flow): FlowData {
  return tidy(() => {
    const chains = Object.entries(isRecord(models) ? models : {})
      .filter(([, pair]) => Array.isArray(pair) && isModel(pair[0]))
      .map(([title, pair]) => {
        const [model, input] = pair as [Model, Tensor];
        return { title, stages: trace(model, input) };
      });
    const shown = Object.entries(results as object).flatMap(([title, value]) =>
      (Array.isArray(value) ? value : [value]).filter(isTensor).map((each) => shownOf(title, each)),
    );
    if (shown.length === 0) throw new Advice('`results` has no tensor that the figure can draw.');
    return { input: [], chains, results: shown };
  });
}

/** Returns the trace without the inside of Keras's layers, and with the warnings of the package. */
function trace(model: Model, input: Tensor): Stage[] {
  const { result, warnings } = collectWarnings(() => model.traceMasks(input as never));
  return result
    .filter(({ className, role, depth, isLayer }) => {
      if (className === 'InputLayer' || role === 'computes') return false;
      return depth === 0 || (depth === 1 && isLayer);
    })
    .map((entry) => ({
      className: entry.className,
      layer: entry.layer,
      isLayer: entry.isLayer,
      inner: entry.depth > 0,
      role: entry.role,
      reason: entry.reason,
      remedy: entry.remedy,
      maskIn: masksOf(entry.maskIn),
      maskOut: masksOf(entry.maskOut),
      shapeOut: (Array.isArray(entry.shapeOut[0]) ? entry.shapeOut[0] : entry.shapeOut) as number[],
      warning: warnings.find((warning) => warning.includes(`'${entry.layer}'`)) ?? '',
    }));
}

/** Returns one mask [batch, time] for each tensor. */
function masksOf(masks: TraceEntry['maskIn']): Mask[] {
  if (!Array.isArray(masks)) return [null];
  const single = Array.isArray(masks[0]) && typeof masks[0][0] === 'boolean';
  const list = (single ? [masks] : masks) as unknown[];
  return list.map((mask) =>
    Array.isArray(mask) && Array.isArray(mask[0]) && typeof mask[0][0] === 'boolean'
      ? (mask as boolean[][])
      : null,
  );
}

/** Collects the package's warnings without its name, which begins each on a console. */
function collectWarnings<R>(body: () => R): { result: R; warnings: string[] } {
  const original = console.warn;
  const warnings: string[] = [];
  const prefix = /^maskflow: /;
  console.warn = (...parts: unknown[]) => void warnings.push(parts.join(' ').replace(prefix, ''));
  try {
    return { result: body(), warnings };
  } finally {
    console.warn = original;
  }
}

/** Returns the largest change of the answer by more padding, at the steps that both have. */
function changeBy(model: Model, input: Tensor, longer: Tensor): { more: number; moved: Pair } {
  const moved = movedBy(model, input, longer) ?? [0, 0];
  return { more: Math.abs(moved[0] - moved[1]), moved };
}

function movedBy(model: Model, input: Tensor, longer: Tensor): Pair | undefined {
  const [short, long] = [input, longer].map((x) => model.apply(x as never) as unknown as Tensor);
  const [a, b] = [short?.data() ?? [], long?.data() ?? []];
  const steps = short?.shape[1] ?? 0;
  const longSteps = long?.shape[1] ?? 0;
  if (short?.shape.length !== 3 || steps === longSteps) {
    return farthest(
      a,
      Array.from(a, (_, i) => b[i] ?? Number.NaN),
    );
  }
  const inner = short.shape[2] ?? 1;
  const shift = startsWith(longer, input) ? 0 : longSteps - steps;
  const after = Array.from(a, (_, i) => {
    const [row, rest] = [Math.floor(i / (steps * inner)), i % (steps * inner)];
    return b[(row * longSteps + shift) * inner + rest] ?? Number.NaN;
  });
  return farthest(a, after);
}

/** Whether the padding was added at the end. */
function startsWith(longer: Tensor, input: Tensor): boolean {
  const [long, short] = [longer.array(), input.array()] as unknown[][][];
  return (short ?? []).every((row, b) =>
    row.every((each, t) => JSON.stringify(each) === JSON.stringify(long?.[b]?.[t])),
  );
}

const isRecord = (value: unknown): value is { [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isModel = (value: unknown): value is Model => isRecord(value) && 'traceMasks' in value;
const isTensor = (value: unknown): value is Tensor =>
  typeof value === 'object' && value !== null && 'dtype' in value && 'shape' in value;
