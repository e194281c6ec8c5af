// SPDX-License-Identifier: MIT
// Checks data and losses before the first batch.
import { ValueError } from '../base/errors.js';
import { toSnake } from '../base/names.js';
import { warn } from '../base/visible.js';
import type { Layer } from '../layers/layer.js';
import type { Compiled } from './compiled.js';
import { lossConfigOf } from '../measures/loss.js';
import { choice } from './choices.js';
import { isConfig } from './configurations.js';
import type { Data, Structure } from './data.js';
import { overrides } from './overrides.js';
import { inputsOf } from './data.js';
import { measure } from './step.js';
import { tidy } from '../tensor/tidy.js';

/** Returns name and settings of a loss; empty for a function. */
function describeLoss(chosen: unknown): { name: string; settings: { [key: string]: unknown } } {
  if (typeof chosen === 'string') return { name: toSnake(chosen), settings: {} };
  const config = lossConfigOf(chosen) ?? chosen;
  if (!config || !isConfig(config)) return { name: '', settings: {} };
  const settings = Object.entries(config.config ?? {}).map(([key, value]) => [toSnake(key), value]);
  return { name: toSnake(config.class_name), settings: Object.fromEntries(settings) };
}

/** Returns whether the targets of a loss are class numbers. */
const hasClassTargets = (
  { name }: { name: string },
  yTrueRank: number,
  yPredRank: number,
): boolean =>
  /^(sparse_categorical_crossentropy|scce)$/.test(name) ||
  (/^(crossentropy|ce)$/.test(name) && yTrueRank < yPredRank);

/** An output as a rehearsal found it. */
export interface Rehearsed {
  readonly name: string;
  /** Key of its targets in y. */
  readonly key: string;
  /** The loss as it was passed to `compile`. */
  readonly chosen: unknown;
  readonly shape: readonly number[];
}

/**
 * Throws ValueError for a label that is not a class of its output. Labels in batches of an iterable
 * are left to the loss.
 */
export function checkLabels(outputs: readonly Rehearsed[], y: Structure): void {
  for (const { name, key, chosen, shape } of outputs) {
    const target = y.values[key];
    const loss = describeLoss(chosen);
    if (!target || !hasClassTargets(loss, target.rank, shape.length) || target.isDisposed) continue;
    const classes = shape.at(-1) ?? 1;
    const ignored = loss.settings['ignore_class'] ?? null;
    const element = target.read((view) =>
      view.findIndex((label) => !(label >= 0 && label < classes) && label !== ignored),
    );
    if (element < 0) continue;
    const label = target.read((view) => view[element]);
    throw new ValueError(
      `output '${name}': label ${label} (element ${element} of y) is not one of ${classes} classes, 0 to ${classes - 1}; ${Number(label) < 0 ? 'mask or weigh the steps without a label, and write a class there' : `give the last layer ${Number(label) + 1} units, or correct y`}`,
    );
  }
}

const isSingleLoss = (value: unknown): boolean => typeof value !== 'object' || isConfig(value);

const kLogits = 'linear';
const kProbabilities = /^(softmax|sigmoid)$/;

/** Returns the activation of the layer that computes an output; null if it is not known. */
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

/** Warns if a loss reads probabilities as logits, or logits as probabilities. */
export function adviseLoss(model: Layer, outputs: readonly Rehearsed[]): void {
  for (const { name, chosen } of outputs) {
    const { name: loss, settings } = describeLoss(chosen);
    if (!/(crossentropy|^b?ce|^s?cce)$/.test(loss)) continue;
    const activation = activationOf(model, name);
    const fromLogits = settings['from_logits'] === true;
    if (fromLogits && activation && kProbabilities.test(activation)) {
      warn(
        `the loss of output '${name}' expects logits (from_logits), but ${activation} returns probabilities; leave out from_logits or the activation`,
      );
    } else if (!fromLogits && activation === kLogits) {
      warn(
        `the loss of output '${name}' expects probabilities, but its layer has no activation; use softmax or sigmoid, or { class_name, config: { from_logits: true } } as the loss`,
      );
    }
  }
}

/** Runs a batch in inference mode, to find errors before anything is trained. */
export function rehearse(compiled: Compiled, open: () => Data): readonly Rehearsed[] {
  const { model, objective, options } = compiled;
  const { stateful, built } = model;
  // Does not rehearse a stateful model, because that would change its states.
  if (stateful && built) return [];
  // Steps and losses of a class of models may be others than those of compile().
  const own = (['trainStep', 'testStep', 'computeLoss'] as const).filter((method) =>
    overrides(model, method),
  );
  if (own.length > 0) {
    if (!built) build(compiled, open, own.length === 1 && own[0] === 'computeLoss');
    return [];
  }
  objective.reset();
  const outputs = tidy(() =>
    measure(compiled, open()).parts.map(
      ({ output: { name }, key, index, yPred: { shape } }): Rehearsed => {
        const chosen = choice(options.loss, name, index, isSingleLoss);
        return { name, key, chosen, shape };
      },
    ),
  );
  objective.reset();
  if (stateful) model.resetState();
  return outputs;
}

/**
 * Builds a model by a call, so that its weights exist before the first step.
 *
 * @param isNeeded Whether an error is thrown; steps of a class may do without `call`.
 */
function build(compiled: Compiled, open: () => Data, isNeeded: boolean): void {
  try {
    tidy(() => void compiled.apply(inputsOf(open().x), false));
  } catch (error) {
    if (isNeeded) throw error;
  }
  if (compiled.model.stateful) compiled.model.resetState();
}
