// SPDX-License-Identifier: MIT
import { ConfigError, ShapeError } from '../base/errors.js';
import { isPlain, refuse } from '../base/check.js';
import { drawChart } from './chart.js';
import { type FigureOptions, settingsOf } from './options.js';
import { Sheet } from './svg.js';
import { type Drawable, type Nested, numberText, shapeOf, valuesOf } from './values.js';

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
  /** Value of each feature of an empty step: 0, or the `maskValue` of a Masking layer. Default 0. */
  value?: number;
  /** Number of the answer that is drawn, counted in the first row. Default: its largest one. */
  output?: number;
}

type FromConfig = { fromConfig?(config: string): PaddedModel };

/** Returns a copy of a model whose layers make no masks. It runs once, which creates its weights. */
function withoutMasks(model: PaddedModel, inputs: unknown): PaddedModel {
  const blind: { [setting: string]: unknown } = { mask_zero: false, mask_value: 3e38, mask: null };
  const config = JSON.stringify(model, (key, value) =>
    Object.hasOwn(blind, key) ? blind[key] : value,
  );
  const { fromConfig } = model.constructor as unknown as FromConfig;
  if (!fromConfig) {
    throw new ConfigError('drawPadding copies the model, which needs a class with fromConfig');
  }
  const copy = fromConfig.call(model.constructor, config) as PaddedModel;
  answerOf(copy, inputs);
  const weights = model.getWeights();
  copy.setWeights(weights as never);
  for (const weight of weights) weight.dispose();
  return copy;
}

/** Returns the numbers of the first row of a model's first output. */
function answerOf(model: PaddedModel, inputs: unknown): number[] {
  const result = model.predict(inputs as never);
  const isTensor = typeof (result as { array?: unknown }).array === 'function';
  const outputs = (isTensor ? [result] : Object.values(result as object)) as (Drawable & {
    dispose(): void;
  })[];
  const [first] = valuesOf(outputs[0], 'the answer') as Nested[];
  for (const output of outputs) output.dispose();
  return [first ?? []].flat(Number.POSITIVE_INFINITY as 1).map(Number);
}

/** Returns rows with `count` empty steps. */
function padded(
  rows: Nested[][],
  count: number,
  { padding, value }: { padding: 'pre' | 'post'; value: number },
): Nested[] {
  const fill = (step: Nested | undefined): Nested => (Array.isArray(step) ? step.map(fill) : value);
  return rows.map((row) => {
    const empty = Array.from({ length: count }, () => fill(row[0]));
    return padding === 'pre' ? [...empty, ...row] : [...row, ...empty];
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
 * @example drawPadding(model, [[4, 9, 2]], { most: 20 })
 */
export function drawPadding(
  model: PaddedModel,
  x: Drawable | ((pads: number) => unknown),
  options: PaddingOptions = {},
): string {
  const settings = settingsOf(options, { most: 1, padding: 1, value: 1, output: 1 });
  const { most = 12, padding = 'post', value = 0, output } = options;
  if (!Number.isInteger(most) || most < 1 || most > 1000)
    refuse('most', 'an integer from 1 to 1000', most);
  if (padding !== 'pre' && padding !== 'post') refuse('padding', "'pre' or 'post'", padding);
  const inputs = typeof x === 'function' ? x : inputsOf(x, padding, value);
  const counts = Array.from({ length: most + 1 }, (_, pads) => pads);
  const masked = counts.map((pads) => answerOf(model, inputs(pads)));
  const bare = withoutMasks(model, inputs(0));
  const unmasked = counts.map((pads) => answerOf(bare, inputs(pads)));
  bare.dispose();
  const [start = []] = masked;
  const index = output ?? start.indexOf(Math.max(...start));
  if (!Number.isInteger(index) || start[index] === undefined) {
    refuse('output', `an integer from 0 to ${start.length - 1}`, index);
  }
  const line = (answers: number[][]) =>
    answers.map((answer, pads): [number, number] => [pads, answer[index] ?? Number.NaN]);
  const sheet = new Sheet(settings.theme);
  const chart = drawChart(sheet, {
    title: start.length > 1 ? `answer, number ${index + 1} of ${start.length}` : 'answer',
    xTitle: 'steps of padding',
    width: 560,
    height: 272,
    lines: [
      { name: 'with mask', look: 'line', points: line(masked) },
      { name: 'without mask', look: 'cut', points: line(unmasked) },
    ],
  });
  const said = (answers: number[][]) => {
    const numbers = answers.map((answer) => answer[index] ?? Number.NaN);
    return `from ${numberText(numbers[0] ?? 0)} to ${numberText(numbers.at(-1) ?? 0)}`;
  };
  return sheet.figure(
    settings,
    {
      title: `What padding does to ${model.name}`,
      description: `With 0 to ${most} steps of padding, the answer goes ${said(masked)} with the mask, and ${said(unmasked)} without it.`,
    },
    chart,
    [chart.markup],
  );
}

function inputsOf(x: Drawable, padding: 'pre' | 'post', value: number): (pads: number) => Nested {
  if (isPlain(x)) refuse('x', 'one input, or a function of the number of empty steps', x);
  const rows = valuesOf(x, 'x') as Nested[][];
  const shape = shapeOf(rows, 'x');
  if (shape.length < 2) {
    throw new ShapeError(
      `x must have the shape [batch, time, …], not [${shape}]; put one sequence in a list`,
    );
  }
  return (pads) => padded(rows, pads, { padding, value });
}
