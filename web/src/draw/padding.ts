// SPDX-License-Identifier: MIT
// `drawPadding` of maskflow/draw. It calls a model as any program does, and so works for models of
// every entry.
import { ConfigError, ShapeError } from '../base/errors.js';
import { isPlain, refuse } from '../base/check.js';
import { nest } from '../base/nested.js';
import { drawChart } from './chart.js';
import { checkWord, type FigureOptions, settingsOf } from './options.js';
import { figure } from './svg.js';
import { type Drawable, itemsOf, numberText } from './values.js';

/** A model that {@link drawPadding} runs. */
export interface PaddedModel {
  /** Name of the model. */
  readonly name: string;
  /** Computes the outputs. */
  predict(inputs: never): unknown;
  /** Returns copies of the weights. */
  getWeights(): { dispose(): void }[];
  /** Sets the weights. */
  setWeights(values: never): void;
  /** Returns class and config. */
  toJSON(): unknown;
  /** Frees the model. */
  dispose(): void;
}

/** Options of {@link drawPadding}. */
export interface PaddingOptions extends FigureOptions {
  /** Largest number of empty steps. Default 12. */
  most?: number;
  /** Side on which the steps are added. Default 'post'. */
  padding?: 'pre' | 'post';
  /**
   * Value of each feature of an empty step: 0, or the `maskValue` of a Masking layer. Default 0.
   */
  value?: number;
  /** Number of the answer that is drawn, counted in the first row. Default: its largest one. */
  output?: number;
}

/**
 * Returns a copy of a model whose layers make no masks. It runs once, which creates its weights.
 */
function withoutMasks(model: PaddedModel, inputs: unknown): PaddedModel {
  const blind: { [setting: string]: unknown } = { mask_zero: false, mask_value: 3e38, mask: null };
  const config = JSON.stringify(model, (key, value) =>
    Object.hasOwn(blind, key) ? blind[key] : value,
  );
  const Class = model.constructor as { fromConfig?(config: string): PaddedModel };
  const copy = Class.fromConfig?.(config);
  if (!copy) {
    throw new ConfigError('drawPadding copies the model, which needs a class with fromConfig');
  }
  answerOf(copy, inputs);
  const weights = model.getWeights();
  copy.setWeights(weights as never);
  for (const weight of weights) weight.dispose();
  return copy;
}

/** Returns the numbers of the first row of a model's first output. */
function answerOf(model: PaddedModel, inputs: unknown): number[] {
  const result = model.predict(inputs as never) as { dispose?(): void };
  const outputs = (result.dispose ? [result] : Object.values(result)) as (Drawable & {
    dispose(): void;
  })[];
  const { shape, items } = itemsOf(outputs[0]);
  for (const output of outputs) output.dispose();
  return items.slice(0, items.length / (shape[0] || 1)).map(Number);
}

/** Returns a function that adds a given number of empty steps to `x`. */
function inputsOf(x: Drawable, padding: 'pre' | 'post', value: number) {
  if (isPlain(x)) refuse('x', 'one input, or a function of the number of empty steps', x);
  const { shape, items } = itemsOf(x);
  if (shape.length < 2) {
    throw new ShapeError(
      `x must have the shape [batch, time, …], not [${shape}]; put one sequence in a list`,
    );
  }
  const rows = nest(items, shape) as unknown[][];
  const empty = nest(Array(items.length).fill(value), shape.slice(2));
  return (pads: number) =>
    rows.map((row) => {
      const added = Array(pads).fill(empty);
      return padding === 'pre' ? added.concat(row) : row.concat(added);
    });
}

/**
 * Draws how a model's answer changes with padding: one curve of the model, and one of the same
 * model without masks. A model that uses its mask everywhere has a flat curve.
 *
 * `x` is a batch [batch, time, …], of which the first row is drawn, or a function that returns the
 * inputs with a number of empty steps. The model runs 2 · (`most` + 1) times. Returns SVG as text.
 * Throws the errors of `predict`, and those of `fromConfig` for custom layers that are not
 * registered, because a copy of the model makes no masks.
 *
 * @param x Batch [batch, time, …], or a function of the number of empty steps.
 *
 * @example drawPadding(model, [[4, 9, 2]], { most: 20 })
 */
export function drawPadding(
  model: PaddedModel,
  x: Drawable | ((pads: number) => unknown),
  options: PaddingOptions = {},
): string {
  const settings = settingsOf(options, { most: 1, padding: 1, value: 1, output: 1 });
  const { most: max = 12, padding = 'post', value = 0, output } = options;
  if (!Number.isInteger(max) || max < 1 || max > 1000)
    refuse('most', 'an integer from 1 to 1000', max);
  checkWord('padding', padding, 'pre', 'post');
  const inputs = typeof x === 'function' ? x : inputsOf(x, padding, value);
  const xs = Array.from({ length: max + 1 }, (_, pads) => pads);
  const masked = xs.map((pads) => answerOf(model, inputs(pads)));
  const bare = withoutMasks(model, inputs(0));
  const unmasked = xs.map((pads) => answerOf(bare, inputs(pads)));
  bare.dispose();
  const [start = []] = masked;
  const index = output ?? start.indexOf(Math.max(...start));
  if (start[index] === undefined)
    refuse('output', `an integer from 0 to ${start.length - 1}`, index);
  const lineOf = (answers: number[][]) => answers.map((answer) => Number(answer[index]));
  const [line, cut] = [lineOf(masked), lineOf(unmasked)];
  const said = (values: number[]) =>
    `from ${numberText(Number(values[0]))} to ${numberText(Number(values[max]))}`;
  return figure(
    settings,
    `What padding does to ${model.name}`,
    `With 0 to ${max} steps of padding, the answer goes ${said(line)} with the mask, and ${said(cut)} without it.`,
    drawChart({
      title: start.length > 1 ? `answer, number ${index + 1} of ${start.length}` : 'answer',
      xTitle: 'steps of padding',
      width: 560,
      height: 272,
      xs,
      covers: [0],
      lines: [
        [line, 'line', 'with mask'],
        [cut, 'cut', 'without mask'],
      ],
    }),
  );
}
