// SPDX-License-Identifier: MIT
// Appends padding to the inputs of a model and compares the answers.
import { checkInteger, checkOptions } from '../../base/check.js';
import { ValueError } from '../../base/errors.js';
import type { LayerInputs } from '../../layers/args.js';
import { tidy } from '../../tensor/tidy.js';
import { largestDifference } from './differences.js';
import { faultOf } from './fault.js';
import {
  type Inputs,
  type Leaf,
  type Part,
  maskPart,
  partOf,
  readInputs,
  rowsOf,
  type Rows,
} from './leaves.js';
import { paddingIds } from './padding_ids.js';
import { type Run, runModel } from './run.js';
import { type CheckedModel, type InputSpec, inputSpecs, unboundedCopy } from './unbounded.js';

/** Options of `Model.checkPadding`. */
export interface PaddingOptions {
  /** Number of steps of padding that are appended. Default: 5. */
  steps?: number;
}

/** Result of `Model.checkPadding`. */
export interface PaddingCheck {
  /** Whether padding leaves the answer as it is. */
  same: boolean;
  /** Largest change of the answer; 0 if it is only rounding. */
  difference: number;
  /** First layer or operation whose result depends on padding; null if the answer does not. */
  layer: string | null;
  /** The change to make; null if nothing has to be. */
  remedy: string | null;
}

/** Most rows that are compared one by one. */
const kMaxRows = 64;

/** Values of a step of padding for each input that may be right: 0, and those that layers mask. */
function fillsOf(model: CheckedModel, { tensor: { dtype, shape }, key, mask }: Leaf): number[][] {
  const width = shape.slice(2).reduce((product, dim) => product * dim, 1);
  const id = paddingIds.get(model)?.get(key);
  if (id !== undefined) return [[id]];
  const zeros = Array.from({ length: width }, () => 0);
  if (mask || dtype !== 'float32') return [zeros];
  const fills = [zeros];
  JSON.stringify(configOf(model), (_, item: { class_name?: unknown; config?: object } | null) => {
    const { mask_value: value } = (item?.config ?? {}) as { mask_value?: number | number[] };
    if (item?.class_name === 'Masking' && value !== undefined) {
      fills.push(zeros.map((_, i) => (Array.isArray(value) ? (value[i] ?? 0) : value)));
    }
    return item;
  });
  return fills;
}

/** Returns the config; undefined for a custom model without one. */
function configOf(model: CheckedModel): unknown {
  const parts = (model as { layers?: readonly CheckedModel[] }).layers ?? [];
  return [model, ...parts].map((each) => {
    try {
      return each.toJSON();
    } catch {
      return undefined;
    }
  });
}

/** Returns whether an input [batch, time] of unknown type holds ids: integers for an Embedding. */
const holdsIds = (model: CheckedModel, leaf: Leaf): boolean =>
  leaf.tensor.dtype === 'int32' ||
  (leaf.tensor.data().every(Number.isInteger) &&
    JSON.stringify(configOf(model)).includes('"Embedding"'));

/** Marks the inputs whose axis 1 is time. Throws ValueError if there is none. */
function findTimed(model: CheckedModel, { leaves }: Inputs, specs: readonly InputSpec[]): void {
  const known = specs.length === leaves.length ? specs : [];
  const isOpen = (_: Leaf, i: number): boolean => known[i]?.shape[1] === null;
  const anyOpen = leaves.some(isOpen);
  leaves.forEach((leaf, i) => {
    const { rank } = leaf.tensor;
    const dtype = known[i]?.dtype;
    const isIds = (): boolean => (dtype ? dtype === 'int32' : holdsIds(model, leaf));
    const mayBe = rank >= 3 || (rank === 2 && (leaf.mask !== null || isIds()));
    leaf.timed = rank >= 2 && (anyOpen ? isOpen(leaf, i) : mayBe);
  });
  if (leaves.some(({ timed }) => timed)) return;
  const all = leaves.map(({ tensor: { shape, dtype } }) => `[${shape}] (${dtype})`).join(', ');
  throw new ValueError(
    `checkPadding() needs an input with a time axis: ids [batch, time], or [batch, time, features]; the input is ${all}`,
  );
}

const stepsOf = ({ tensor: { shape } }: Leaf): number => shape[1] as number;

/** Runs the model on a part of the inputs. Inputs of other lengths than `length` stay whole. */
function runPart(model: CheckedModel, inputs: Inputs, parts: ReadonlyMap<number, Part>): Run {
  const [first] = parts.values();
  const tensors = inputs.leaves.map((leaf) => {
    const part = parts.get(stepsOf(leaf));
    const whole = { rows: first?.rows ?? [], from: 0, to: stepsOf(leaf), before: 0, after: 0 };
    return partOf(leaf, part ?? whole);
  });
  return runModel(model, inputs.rebuild(tensors));
}

/** Returns the masks of a run that have this many steps and mask the last `padding` ones. */
function paddingMasks(
  { calls }: Run,
  leaves: readonly Leaf[],
  length: number,
  padding: number,
): Rows[] {
  const own = leaves.filter((leaf) => leaf.mask && stepsOf(leaf) === length - padding);
  const extended = own.map(({ mask }) =>
    (mask as Rows).map((row) => [...row, ...Array.from({ length: padding }, () => false)]),
  );
  const found = calls
    .filter(({ entry: { role } }) => role === 'makes' || role === 'changes')
    .flatMap(({ results }) => results.map(({ mask }) => rowsOf(mask)));
  return [...extended, ...found].filter(
    (rows): rows is Rows =>
      rows?.every((row) => row.length === length && !row.slice(-padding).includes(true)) === true,
  );
}

/** Finds for each length of inputs the steps that a mask keeps, and sets the padding of inputs. */
function findMasks(model: CheckedModel, inputs: Inputs, padding: number): Map<number, Rows> {
  const { leaves } = inputs;
  const timed = leaves.filter((leaf) => leaf.timed);
  const rows = Array.from({ length: timed[0]?.tensor.shape[0] ?? 0 }, (_, row) => row);
  const lengths = [...new Set(timed.map(stepsOf))];
  const probe = (): Map<number, Rows[]> =>
    tidy(() => {
      const parts = lengths.map(
        (to) => [to, { rows, from: 0, to, before: 0, after: padding }] as const,
      );
      const run = runPart(model, inputs, new Map(parts));
      return new Map(
        lengths.map((length) => [length, paddingMasks(run, timed, length + padding, padding)]),
      );
    });
  const count = (masks: Map<number, Rows[]>): number =>
    [...masks.values()].reduce((sum, list) => sum + list.length, 0);
  for (const leaf of timed) leaf.fill = fillsOf(model, leaf)[0] as number[];
  let best = probe();
  for (const leaf of timed) {
    for (const fill of fillsOf(model, leaf).slice(1)) {
      const before = leaf.fill;
      leaf.fill = fill;
      const masks = probe();
      if (count(masks) > count(best)) best = masks;
      else leaf.fill = before;
    }
  }
  const kept = [...best].filter(([, masks]) => masks.length > 0);
  return new Map(
    kept.map(([length, masks]) => [
      length,
      rows.map((row) =>
        Array.from({ length }, (_, step) => masks.some((mask) => mask[row]?.[step] ?? true)),
      ),
    ]),
  );
}

/** Returns 'pre' if the padding of the data comes first. */
function sideOf(masks: ReadonlyMap<number, Rows>): 'pre' | 'post' {
  const all = [...masks.values()].flat().filter((row) => row.includes(true));
  return all.some((row) => !row[0]) && all.every((row) => row.at(-1)) ? 'pre' : 'post';
}

/** The two runs of some rows: without their padding, and with more of it. */
interface Comparison {
  readonly short: ReadonlyMap<number, Part>;
  readonly long: ReadonlyMap<number, Part>;
}

/** Puts rows with equally long data together. */
function comparisonsOf(
  lengths: readonly number[],
  masks: ReadonlyMap<number, Rows>,
  side: 'pre' | 'post',
  rows: number,
  padding: number,
): Comparison[] {
  const groups = new Map<string, number[]>();
  const spanOf = (length: number, row: number): [number, number] => {
    const mask = masks.get(length)?.[row];
    if (!mask?.includes(true)) return [0, length];
    return side === 'pre' ? [mask.indexOf(true), length] : [0, mask.lastIndexOf(true) + 1];
  };
  for (let row = 0; row < Math.min(rows, kMaxRows); row++) {
    const key = lengths.map((length) => spanOf(length, row).join()).join(' ');
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const [before, after] = side === 'pre' ? [padding, 0] : [0, padding];
  return [...groups.values()].map((group) => {
    const parts = (trims: boolean): Map<number, Part> =>
      new Map(
        lengths.map((length) => {
          const [from, to] = trims ? spanOf(length, group[0] as number) : [0, length];
          const [head, tail] = trims ? [0, 0] : [before, after];
          return [length, { rows: group, from, to, before: head, after: tail }];
        }),
      );
    return { short: parts(true), long: parts(false) };
  });
}

/** The steps that are data in the shorter run, if all inputs agree on them. */
function keptSteps(
  masks: ReadonlyMap<number, Rows>,
  short: ReadonlyMap<number, Part>,
): Rows | null {
  const [only, ...more] = [...masks];
  const part = only && short.get(only[0]);
  return only && part && more.length === 0 ? maskPart(only[1], part) : null;
}

function compare(model: CheckedModel, inputs: Inputs, padding: number): PaddingCheck {
  const masks = findMasks(model, inputs, padding);
  const timed = inputs.leaves.filter((leaf) => leaf.timed);
  // Without any mask, all inputs with a time axis are padded, which shows what a mask would do.
  const lengths = masks.size > 0 ? [...masks.keys()] : [...new Set(timed.map(stepsOf))];
  const side = sideOf(masks);
  const rows = timed[0]?.tensor.shape[0] ?? 0;
  let result: PaddingCheck = { same: true, difference: 0, layer: null, remedy: null };
  for (const { short, long } of comparisonsOf(lengths, masks, side, rows, padding)) {
    result = tidy(() => {
      const alignment = { side, kept: keptSteps(masks, short) };
      const [a, b] = [runPart(model, inputs, short), runPart(model, inputs, long)];
      const difference = largestDifference(a.outputs, b.outputs, alignment);
      if (difference <= result.difference) return result;
      return { same: false, difference, ...faultOf(a, b, alignment) };
    });
  }
  return result;
}

/** `Model.checkPadding`. @internal */
export function checkPadding(
  model: CheckedModel,
  x: LayerInputs,
  options: PaddingOptions,
): PaddingCheck {
  const { steps = 5 } = checkOptions(options, { steps: 1 });
  checkInteger('steps', steps, 1);
  return tidy(() => {
    const inputs = readInputs(model, x);
    const specs = inputSpecs(model);
    findTimed(model, inputs, specs);
    const isFixed = inputs.leaves.some(
      ({ timed }, i) => timed && typeof specs[i]?.shape[1] === 'number',
    );
    if (!isFixed && !model.stateful) return compare(model, inputs, steps);
    const copy = unboundedCopy(model);
    const ids = paddingIds.get(model);
    if (ids) paddingIds.set(copy, ids);
    try {
      return compare(copy, inputs, steps);
    } finally {
      copy.dispose();
    }
  });
}
