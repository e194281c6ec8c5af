// SPDX-License-Identifier: MIT
// Calls the lines x1, x2 … of a program one by one.
import type { Model, Tensor } from 'maskflow';
import type { Flow, Values } from '../../engine/worker.js';
import { type Edge, type Mask, maxLines, type Stage } from './stage.js';

interface Line {
  /** Variable of the line: kept2 for withMask, first2 and second2 for one of two results. */
  name: string;
  symbol: Tensor;
  /** Model from the line before, and the model's input, to this line. */
  part: Model;
  /** Name of the layer that the line calls; undefined for an op. */
  layer: string | undefined;
  /** Index of the line's stage in the trace; -1 for withMask. */
  stage: number;
}

interface Answers {
  /** The trace with all ops, including those that saw no mask. */
  stages: Stage[];
  edges: Edge[];
  columns: { kept: number[]; none: number[] };
}

interface Run {
  model: Model;
  input: Tensor;
  inputs: Tensor;
  lines: Line[];
  stages: Stage[];
}

/** Returns answers and edges; undefined if the program is not a sequence of lines. */
export function answersOf(
  model: Model,
  input: Tensor,
  values: Values,
  traced: Stage[],
  flow: Flow,
): Answers | undefined {
  try {
    const lines = linesOf(values, flow);
    const stages = align(lines, traced, input);
    if (lines.length === 0 || !stages) return undefined;
    const run = { model, input, inputs: values['inputs'] as Tensor, lines, stages };
    const columns = { kept: runLines(run, 'kept'), none: runLines(run, 'none') };
    return { stages, edges: edgesOf(run, flow), columns };
  } catch {
    return undefined;
  }
}

/** Returns the lines of the program that follow each other, with their symbolic tensors. */
function linesOf(values: Values, flow: Flow): Line[] {
  const inputs = values['inputs'] as Tensor;
  const lines: Line[] = [];
  for (let number = 1; number <= maxLines; number++) {
    const names = ['x', 'kept', 'first', 'second'].map((prefix) => prefix + number);
    const name = names.find((each) => values[each] !== undefined);
    if (name === undefined) break;
    const symbol = values[name] as Tensor;
    const before = lines.at(-1)?.symbol ?? inputs;
    const part = new flow.Model({
      inputs: before === inputs ? before : [before, inputs],
      outputs: symbol,
    } as never);
    // A mask argument comes from earlier layers; the last layer is the one that the line calls.
    const called = part.layers.findLast(({ className }) => className !== 'InputLayer');
    lines.push({
      name,
      symbol,
      part,
      layer: called?.name,
      stage: -1,
    });
  }
  return lines;
}

/**
 * Assigns a stage to each line. An op that saw no mask is missing in the trace and gets a new one.
 */
function align(lines: Line[], traced: Stage[], input: Tensor): Stage[] | undefined {
  const rest = [...traced];
  const stages: Stage[] = [];
  // Whether the trace saw a mask here.
  let seen = false;
  const insides = () => {
    while (rest[0]?.inner) stages.push(rest.shift() as Stage);
  };
  insides();
  for (const line of lines) {
    const next = rest[0];
    if (line.name.startsWith('kept')) {
      // The figure draws withMask as an edge. Without a mask to attach, it is only a copy.
      const isTraced = next?.layer === line.layer || next?.className === 'ConvertToTensor';
      seen = isTraced ? (rest.shift() as Stage).maskOut.some(Boolean) : false;
      continue;
    }
    const matches: boolean =
      line.layer === undefined ? seen && next?.isLayer === false : next?.layer === line.layer;
    if (!matches && line.layer !== undefined) return undefined;
    line.stage = stages.length;
    const stage: Stage = matches
      ? (rest.shift() as Stage)
      : unseen(stages.at(-1)?.shapeOut ?? ([...input.shape] as number[]));
    seen = stage.maskOut.some(Boolean);
    stages.push(stage);
    insides();
  }
  return rest.length === 0 ? stages : undefined;
}

/** Returns a stage for an op without a mask; the ops of the shelf keep the shape. */
const unseen = (shapeOut: number[]): Stage => ({
  className: '',
  layer: '',
  isLayer: false,
  inner: false,
  role: 'none',
  reason: 'No mask arrives, and a plain operation makes none.',
  remedy: '',
  maskIn: [null],
  maskOut: [null],
  shapeOut,
  warning: '',
});

/** Returns the mask after each line. */
function edgesOf(run: Run, flow: Flow): Edge[] {
  const { lines, stages } = run;
  return lines.map((line, at) => {
    const own = stages[line.stage];
    const mask = maskOf(run, line, flow) ?? own?.maskOut[0] ?? null;
    const shape = (own ?? stages[lines[at - 1]?.stage ?? -1])?.shapeOut ?? [];
    return { stage: line.stage, mask, shape };
  });
}

/** Computes the mask of a line's symbolic tensor. */
function maskOf({ input, inputs }: Run, { symbol }: Line, flow: Flow): Mask {
  if (!symbol.mask) return null;
  const part = new flow.Model({ inputs, outputs: symbol.mask } as never);
  return (part.apply(input as never) as unknown as Tensor).array() as unknown as boolean[][];
}

/** Runs the lines on numbers, with the mask restored ('kept') or removed ('none') after each. */
function runLines(run: Run, mask: 'kept' | 'none'): number[] {
  let x = run.input;
  let known: Tensor | null = null;
  for (const line of run.lines) {
    if (line.stage === -1) continue;
    x = callLine(run, line, x);
    // A layer that makes or changes a mask replaces the known one.
    const changes = run.stages[line.stage]?.role === 'changes';
    if (x.mask && (changes || known === null)) known = x.mask;
    const fits = known !== null && x.shape.length === 3 && x.shape[1] === known.shape[1];
    x = x.withMask(mask === 'kept' && fits ? known : null);
  }
  return Array.from(x.data().subarray(0, 20_000), Number);
}

function callLine({ model, input }: Run, { name, layer, part }: Line, x: Tensor): Tensor {
  if (layer === undefined) {
    const argument = part.inputs.length > 1 ? [x.withMask(null), input] : x;
    return part.apply(argument as never) as unknown as Tensor;
  }
  const called = model.getLayer(layer);
  const argument = called.className === 'MultiHeadAttention' ? { query: x, value: x } : x;
  const result = called.apply(argument as never) as unknown as Tensor | Tensor[];
  return Array.isArray(result) ? (result[name.startsWith('second') ? 1 : 0] as Tensor) : result;
}
