// SPDX-License-Identifier: MIT
// The lines x1, x2 … of a program, called one by one.
import type { Model, Tensor } from 'maskflow';
import type { Flow, Values } from '../../engine/worker.js';
import { type Edge, type Mask, type Stage, mostLines } from './read.js';

interface Line {
  /** What it is called in the program: kept2 is withMask, first2 and second2 are of several. */
  name: string;
  symbol: Tensor;
}

/** The symbolic tensors of the program's lines, as far as they follow each other. */
function linesOf(values: Values): Line[] {
  const lines: Line[] = [];
  for (let number = 1; number <= mostLines; number++) {
    const names = ['x', 'kept', 'first', 'second'].map((prefix) => prefix + number);
    const found = names.filter((name) => values[name] !== undefined);
    if (found.length === 0) break;
    lines.push({ name: found[0] as string, symbol: values[found[0] as string] as Tensor });
  }
  return lines;
}

interface Answers {
  edges: Edge[];
  columns: { kept: number[]; none: number[] };
}

/** Undefined where the program is none of lines that follow each other. */
export function answersOf(
  model: Model,
  input: Tensor,
  values: Values,
  stages: Stage[],
  flow: Flow,
): Answers | undefined {
  const lines = linesOf(values);
  const told = stages.flatMap(({ inner }, index) => (inner ? [] : [index]));
  const calls = lines.filter(({ name }) => !name.startsWith('kept'));
  if (lines.length === 0 || calls.length !== told.length) return undefined;
  const inputs = values['inputs'] as Tensor;
  const run = (mask: 'kept' | 'none') =>
    runLines({ model, input, inputs, lines, stages, told, mask, flow });
  try {
    return {
      edges: edgesOf(lines, stages, told, model, input),
      columns: { kept: run('kept'), none: run('none') },
    };
  } catch {
    return undefined;
  }
}

function edgesOf(
  lines: Line[],
  stages: Stage[],
  told: number[],
  model: Model,
  input: Tensor,
): Edge[] {
  let call = -1;
  return lines.map(({ name }, at) => {
    const isCall = !name.startsWith('kept');
    if (isCall) call++;
    const stage = stages[told[call] ?? -1];
    // A mask that is put back is seen on what comes next.
    const next = stages[told[call + 1] ?? -1];
    const last = at === lines.length - 1;
    const mask = last ? outMask(model, input) : (next?.maskIn[0] ?? stage?.maskOut[0] ?? null);
    return {
      stage: isCall ? (told[call] ?? -1) : -1,
      mask:
        isCall && !last && lines[at + 1]?.name.startsWith('kept')
          ? (stage?.maskOut[0] ?? null)
          : mask,
      shape: stage?.shapeOut ?? [],
    };
  });
}

function outMask(model: Model, input: Tensor): Mask {
  const output = model.apply(input as never) as unknown as Tensor;
  return (output.mask?.array() as boolean[][] | undefined) ?? null;
}

interface Run {
  model: Model;
  input: Tensor;
  inputs: Tensor;
  lines: Line[];
  stages: Stage[];
  told: number[];
  mask: 'kept' | 'none';
  flow: Flow;
}

/** The lines one after the other on numbers, with the mask put back after each, or taken away after each. */
function runLines(run: Run): number[] {
  const { input, lines, stages, told, mask } = run;
  let x = input;
  let known: Tensor | null = null;
  let call = -1;
  for (const [at, line] of lines.entries()) {
    if (line.name.startsWith('kept')) continue;
    call++;
    const stage = stages[told[call] ?? -1] as Stage;
    x = callLine(run, at, stage, x);
    // A layer that changes the mask, or makes one, is believed.
    if (x.mask && (stage.role === 'changes' || known === null)) known = x.mask;
    const fits = known !== null && x.shape.length === 3 && x.shape[1] === known.shape[1];
    x = x.withMask(mask === 'kept' && fits ? known : null);
  }
  return Array.from(x.data().subarray(0, 20_000), Number);
}

function callLine(
  { model, input, inputs, lines, flow }: Run,
  at: number,
  stage: Stage,
  x: Tensor,
): Tensor {
  const line = lines[at] as Line;
  if (stage.isLayer) {
    const layer = model.getLayer(stage.layer);
    const given = stage.className === 'MultiHeadAttention' ? { query: x, value: x } : x;
    const result = layer.apply(given as never) as unknown as Tensor | Tensor[];
    if (!Array.isArray(result)) return result;
    return result[line.name.startsWith('second') ? 1 : 0] as Tensor;
  }
  const before = at === 0 ? inputs : (lines[at - 1] as Line).symbol;
  const part = new flow.Model({ inputs: [before, inputs], outputs: line.symbol } as never);
  return part.apply([x.withMask(null), input] as never) as unknown as Tensor;
}
