// SPDX-License-Identifier: MIT
// What is said of data and losses before the first batch.
import { ValueError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import { warn } from '../base/visible.js';
import type { Layer } from '../layers/layer.js';
import type { Compiled } from './compiled.js';
import { choice } from './choices.js';
import { isConfig } from './configurations.js';
import type { Data, Given } from './data.js';
import { testStep } from './step.js';

/** Name and settings of a loss that has them. */
function named(chosen: unknown): { name: string; settings: { [key: string]: unknown } } {
  if (typeof chosen === 'string') return { name: toSnake(chosen), settings: {} };
  if (!chosen || !isConfig(chosen)) return { name: '', settings: {} };
  const settings = Object.entries(chosen.config ?? {}).map(([key, value]) => [toSnake(key), value]);
  return { name: toSnake(chosen.class_name), settings: Object.fromEntries(settings) };
}

const takesClasses = ({ name }: { name: string }, yTrueRank: number, yPredRank: number): boolean =>
  /^(sparse_categorical_crossentropy|scce)$/.test(name) ||
  (/^(crossentropy|ce)$/.test(name) && yTrueRank < yPredRank);

/** What a rehearsal shows of an output. */
export interface Seen {
  readonly name: string;
  /** Of its targets in y. */
  readonly key: string;
  /** The loss as `compile` was given it. */
  readonly chosen: unknown;
  readonly shape: readonly number[];
}

/** ValueError for a class that an output does not have. (Batches of an iterable are left to the loss.) */
export function checkLabels(outputs: readonly Seen[], y: Given): void {
  for (const { name, key, chosen, shape } of outputs) {
    const target = y.values[key];
    const loss = named(chosen);
    if (!target || !takesClasses(loss, target.rank, shape.length) || target.isDisposed) continue;
    const classes = shape.at(-1) ?? 1;
    const ignored = loss.settings['ignore_class'] ?? null;
    const wrong = target.read((view) =>
      view.findIndex((label) => !(label >= 0 && label < classes) && label !== ignored),
    );
    if (wrong < 0) continue;
    const label = target.read((view) => view[wrong]);
    throw new ValueError(
      `output '${name}': label ${label} (element ${wrong} of y) is no class of ${classes}; classes are 0 to ${classes - 1}. Give the last layer ${Number(label) + 1} units, or mend y`,
    );
  }
}

const kLogits = 'linear';
const kProbabilities = /^(softmax|sigmoid)$/;

/** The activation of what makes an output; null where that is not known. */
function activationOf(model: Layer & { layers?: Layer[] }, output: string): string | null {
  const layers = model.isCustom ? [] : (model.layers ?? []);
  const layer = layers.find(({ name }) => name === output);
  if (!layer || layer.isCustom) return null;
  if (layer.className === 'Softmax') return 'softmax';
  const config = layer.getConfig();
  const inner = layer.className === 'TimeDistributed' ? config['layer'] : { config };
  const { activation } = (inner as { config?: { activation?: unknown } }).config ?? {};
  return typeof activation === 'string' ? activation : null;
}

/** Warns of a loss that takes probabilities for logits, or the other way round. */
export function adviseLoss(model: Layer, outputs: readonly Seen[]): void {
  for (const { name, chosen } of outputs) {
    const { name: loss, settings } = named(chosen);
    if (!/(crossentropy|^b?ce|^s?cce)$/.test(loss)) continue;
    const activation = activationOf(model, name);
    const takesLogits = settings['from_logits'] === true;
    if (takesLogits && activation && kProbabilities.test(activation)) {
      warn(
        `the loss of output '${name}' takes logits (from_logits), but ${activation} makes probabilities: leave from_logits or the activation out`,
      );
    } else if (!takesLogits && activation === kLogits) {
      warn(
        `the loss of output '${name}' takes probabilities, but its layer has no activation: use softmax or sigmoid, or { class_name, config: { from_logits: true } } as the loss`,
      );
    }
  }
}

/** Runs a batch in inference mode, so that what does not fit is said before anything is trained. */
export function rehearse(compiled: Compiled, open: () => Data): readonly Seen[] {
  const { model, objective, options } = compiled;
  const { stateful, built } = model;
  // (States are part of what is trained.)
  if (stateful && built) return [];
  objective.reset();
  const seen = testStep(compiled, open, ({ parts }) =>
    parts.map(({ output: { name }, key, place, yPred: { shape } }) => {
      const chosen = choice(options.loss, name, place, (value) => isOneLoss(value));
      return { name, key, chosen, shape };
    }),
  );
  objective.reset();
  if (stateful) model.resetState();
  return seen;
}

const isOneLoss = (value: unknown): boolean => typeof value !== 'object' || isConfig(value);
