// SPDX-License-Identifier: MIT
// The lines x1, x2 … of a program, called one by one.
import type { Model, Tensor } from 'maskflow';
import type { Flow, Values } from '../../engine/worker.js';
import { type Edge, type Mask, mostLines, type Stage } from './stage.js';

interface Line {
  /** What it is called in the program: kept2 is withMask, first2 and second2 are of several. */
  name: string;
  symbol: Tensor;
  /** From the line before, and the model's input, to this one. */
  part: Model;
  /** The layer that it calls; undefined for an operation. */
  layer: string | undefined;
  /** Where it stands in the chain; -1 for withMask. */
  stage: number;
}

interface Answers {
  /** The chain with all operations, those that saw no mask, too. */
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

/** Undefined where the program is none of lines that follow each other. */
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

/** The symbolic tensors of the program's lines, as far as they follow each other. */
function linesOf(values: Values, flow: Flow): Line[] {
  const inputs = values['inputs'] as Tensor;
  const lines: Line[] = [];
  for (let number = 1; number <= mostLines; number++) {
    const names = ['x', 'kept', 'first', 'second'].map((prefix) => prefix + number);
    const name = names.find((each) => values[each] !== undefined);
    if (name === undefined) break;
    const symbol = values[name] as Tensor;
    const before = lines.at(-1)?.symbol ?? inputs;
    const part = new flow.Model({
      inputs: before === inputs ? before : [before, inputs],
      outputs: symbol,
    } as never);
    // A mask that belongs to the call comes of layers before; the last is the one that is called.
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
 * Gives each line its stage. An operation that saw no mask is not in the trace, and gets a stage
 * that says so.
 */
function align(lines: Line[], traced: Stage[], input: Tensor): Stage[] | undefined {
  const rest = [...traced];
  const stages: Stage[] = [];
  // Whether the trace saw a mask here: it does not see one that was put back, until a layer uses
  // it.
  let seen = false;
  const insides = () => {
    while (rest[0]?.inner) stages.push(rest.shift() as Stage);
  };
  insides();
  for (const line of lines) {
    if (line.name.startsWith('kept')) continue;
    const next = rest[0];
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

/** The operations of the shelf keep the shape. */
const unseen = (shapeOut: number[]): Stage => ({
  className: '',
  layer: '',
  isLayer: false,
  inner: false,
  role: 'none',
  reason: 'No mask comes, and a plain operation makes none.',
  remedy: '',
  maskIn: [null],
  maskOut: [null],
  shapeOut,
  warning: '',
});

/**
 * The masks behind the lines; and what became of one that was put back, which no trace tells before
 * a layer uses it.
 */
function edgesOf(run: Run, flow: Flow): Edge[] {
  const { lines, stages } = run;
  let before: Mask = null;
  return lines.map((line, at) => {
    const own = stages[line.stage];
    const mask = maskOf(run, line, flow) ?? own?.maskOut[0] ?? null;
    if (own?.role === 'none' && before) correct(own, before, mask);
    before = mask;
    const shape = (own ?? stages[lines[at - 1]?.stage ?? -1])?.shapeOut ?? [];
    return { stage: line.stage, mask, shape };
  });
}

/** The mask that hangs on a line's tensor in the model's graph. */
function maskOf({ input, inputs }: Run, { symbol }: Line, flow: Flow): Mask {
  if (!symbol.mask) return null;
  const part = new flow.Model({ inputs, outputs: symbol.mask } as never);
  return (part.apply(input as never) as unknown as Tensor).array() as unknown as boolean[][];
}

function correct(stage: Stage, before: Mask, after: Mask): void {
  stage.maskIn = [before];
  stage.maskOut = [after];
  stage.role = after ? 'passes' : 'drops';
  stage.reason = after
    ? `${stage.className} computes every step and hands the mask on.`
    : stage.isLayer
      ? `${stage.className} does not support masking, so the mask ends here.`
      : 'The result of a plain operation is a new tensor, and none carries a mask over.';
}

/**
 * The lines one after the other on numbers, with the mask put back after each, or taken away after
 * each.
 */
function runLines(run: Run, mask: 'kept' | 'none'): number[] {
  let x = run.input;
  let known: Tensor | null = null;
  for (const line of run.lines) {
    if (line.stage === -1) continue;
    x = callLine(run, line, x);
    // A layer that changes the mask, or makes one, is believed.
    const changes = run.stages[line.stage]?.role === 'changes';
    if (x.mask && (changes || known === null)) known = x.mask;
    const fits = known !== null && x.shape.length === 3 && x.shape[1] === known.shape[1];
    x = x.withMask(mask === 'kept' && fits ? known : null);
  }
  return Array.from(x.data().subarray(0, 20_000), Number);
}

function callLine({ model, input }: Run, { name, layer, part }: Line, x: Tensor): Tensor {
  if (layer === undefined) {
    const given = part.inputs.length > 1 ? [x.withMask(null), input] : x;
    return part.apply(given as never) as unknown as Tensor;
  }
  const called = model.getLayer(layer);
  const given = called.className === 'MultiHeadAttention' ? { query: x, value: x } : x;
  const result = called.apply(given as never) as unknown as Tensor | Tensor[];
  return Array.isArray(result) ? (result[name.startsWith('second') ? 1 : 0] as Tensor) : result;
}
