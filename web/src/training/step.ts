// SPDX-License-Identifier: MIT
// Trains or tests on one batch: loss, gradients, and a step of the optimizer.
import { ValueError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Tensor } from '../tensor/tensor.js';
import { add, multiply } from '../ops/ops.gen.js';
import { keep, tidy } from '../tensor/tidy.js';
import { choice } from './choices.js';
import type { Compiled } from './compiled.js';
import { type Data, inputsOf, type Structure, tensorsByKey } from './data.js';
import { firstNaN } from './first_nan.js';
import { valueAndGradients } from './gradients.js';
import type { Cost, Objective } from './objective.js';
import { ownStep, runOwnStep } from './own_step.js';

/** Reaction to a loss that is NaN. */
export type OnNaN = 'ignore' | 'warn' | 'stop';

/** Adds output names to a list of targets that skips the outputs without a loss. */
function nameTargets(objective: Objective, outputs: LayerOutputs, y: Structure): Structure {
  const targets = Object.values(y.values);
  const order = objective.order(outputs);
  if (y.form !== 'list' || targets.length >= order.length) return y;
  const { loss } = objective.chosen;
  const withLoss = order.filter((name, index) => choice(loss, name, index));
  if (withLoss.length !== targets.length) return y;
  const named = targets.map((target, i) => [withLoss[i] as string, target]);
  return { values: Object.fromEntries(named), form: 'dictionary' };
}

/** Calls the model on a batch and computes its losses. */
function costOf(
  compiled: Compiled,
  batch: Data,
  training: boolean,
): { cost: Cost; outputs: LayerOutputs } {
  const { objective } = compiled;
  const { outputs, penalties } = compiled.apply(inputsOf(batch.x), training);
  const y = nameTargets(objective, outputs, batch.y);
  return { cost: objective.cost(outputs, { ...batch, y }, penalties), outputs };
}

/** Keeps the tensors of a call that are needed after differentiation, and returns them. */
function keepResults({ cost, outputs }: { cost: Cost; outputs: LayerOutputs }): Tensor[] {
  const losses = cost.parts.flatMap(({ loss }) => (loss ? [loss] : []));
  return [...losses, ...cost.penalties, ...Object.values(tensorsByKey(outputs))].map(keep);
}

/** Sum of losses and penalties, to be differentiated; null without losses and penalties. */
export function totalOf({ parts, penalties }: Cost): Tensor | null {
  const terms = parts.flatMap(({ loss, output: { factor } }) =>
    loss ? [factor === 1 ? loss : multiply(loss, factor)] : [],
  );
  const all = [...terms, ...penalties];
  return all.length > 0 ? all.reduce((total, term) => add(total, term)) : null;
}

/** Computes the gradients of a batch and passes them to `use`. */
function differentiate(
  compiled: Compiled,
  batch: Data,
  use: (cost: Cost, gradients: readonly (Tensor | null)[]) => void,
): void {
  const { optimizer } = compiled;
  const variables = compiled.variables();
  let cost: Cost | undefined;
  let results: Tensor[] = [];
  const run = (): Tensor => {
    const call = costOf(compiled, batch, true);
    cost = call.cost;
    results = keepResults(call);
    const total = totalOf(cost);
    if (total) return optimizer.scaleLoss(total);
    throw new ValueError('training needs a loss; give one: compile({ loss })');
  };
  try {
    let gradients: readonly (Tensor | null)[] = [];
    if (variables.length > 0) gradients = valueAndGradients(run, variables).gradients;
    else run();
    use(cost as unknown as Cost, gradients);
  } finally {
    for (const tensor of results) tensor.dispose();
  }
}

const hasNaN = ({ parts, penalties }: Cost): boolean =>
  [...parts.map(({ loss }) => loss), ...penalties].some(
    (part) => part && Number.isNaN(part.item()),
  );

/** Reports a loss of NaN: warns if `onNaN` is 'warn', otherwise throws ValueError. */
function reportNaN(compiled: Compiled, batch: Data, onNaN: OnNaN, where: string): void {
  const layer = firstNaN(compiled, batch.x);
  const message = `the loss is NaN ${where}${layer ? `; the first layer to return one is '${layer}'` : ''}`;
  if (onNaN === 'warn') warn(message);
  else {
    throw new ValueError(
      `${message}; the weights are those before this batch. Lower the learning rate, clip gradients (clipnorm), and look for NaN in x and y`,
    );
  }
}

/** Runs a step of the model's class, if it has one of its own. Returns whether it does. */
function runOwn(compiled: Compiled, open: () => Data, training: boolean): boolean {
  const own = ownStep(compiled.model, training);
  if (!own) return false;
  tidy(() => {
    compiled.logs = runOwnStep(own, open());
  });
  return true;
}

/**
 * Trains on a batch. Returns whether a NaN was reported; steps of a class of models do not report
 * it.
 *
 * @param onNaN Reaction to a loss that is NaN.
 * @param where The batch and epoch, for the report.
 */
export function trainStep(
  compiled: Compiled,
  open: () => Data,
  onNaN: OnNaN = 'ignore',
  where = '',
): boolean {
  return !runOwn(compiled, open, true) && usualTrainStep(compiled, open, onNaN, where);
}

/** Trains on a batch with the loss and the optimizer of `compile`. */
export function usualTrainStep(
  compiled: Compiled,
  open: () => Data,
  onNaN: OnNaN = 'ignore',
  where = '',
): boolean {
  return tidy(() => {
    const batch = open();
    const variables = compiled.variables();
    let isReported = false;
    differentiate(compiled, batch, (cost, gradients) => {
      isReported = onNaN !== 'ignore' && hasNaN(cost);
      if (isReported) reportNaN(compiled, batch, onNaN, where);
      if (variables.length > 0) compiled.optimizer.apply(gradients, variables);
      compiled.objective.count(cost, batch.rows);
    });
    return isReported;
  });
}

/** Tests on a batch and adds its loss and metrics to those of earlier batches. */
export function testStep(compiled: Compiled, open: () => Data): void {
  if (!runOwn(compiled, open, false)) usualTestStep(compiled, open);
}

/**
 * Runs a batch in inference mode and adds its loss and metrics to those of earlier batches. Passes
 * the losses to `use` and returns its result.
 */
export function usualTestStep<R = void>(
  compiled: Compiled,
  open: () => Data,
  use: (cost: Cost) => R = () => undefined as R,
): R {
  return tidy(() => {
    const batch = open();
    const { cost } = costOf(compiled, batch, false);
    compiled.objective.count(cost, batch.rows);
    return use(cost);
  });
}
