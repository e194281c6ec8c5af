// SPDX-License-Identifier: MIT
// Trains or tests on one batch: loss, gradients, and a step of the optimizer.
import { ValueError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Tensor } from '../tensor/tensor.js';
import { keep, tidy } from '../tensor/tidy.js';
import type { Compiled } from './compiled.js';
import { asCompiled } from './compiled_flags.js';
import { type Data, inputsOf, tensorsByKey } from './data.js';
import { firstNaN } from './first_nan.js';
import { valueAndGradients } from './gradients.js';
import { testWithHooks, trainWithHooks } from './hook_steps.js';
import { type Cost, totalOf } from './objective.js';
import { hasHooks } from './overrides.js';
import { ownStep, runOwnStep } from './own_step.js';

/** Reaction to a loss that is NaN. */
export type OnNaN = 'ignore' | 'warn' | 'stop';

/** Calls the model on a batch and computes its losses. */
function costOf(
  compiled: Compiled,
  batch: Data,
  training: boolean,
): { cost: Cost; outputs: LayerOutputs } {
  const { objective } = compiled;
  const { outputs, penalties } = compiled.apply(inputsOf(batch.x), training);
  return { cost: objective.cost(outputs, batch, penalties), outputs };
}

/** Keeps the tensors of a call that are needed after differentiation, and returns them. */
function keepResults({ cost, outputs }: { cost: Cost; outputs: LayerOutputs }): Tensor[] {
  const losses = cost.parts.flatMap(({ loss }) => (loss ? [loss] : []));
  return [...losses, ...cost.penalties, ...Object.values(tensorsByKey(outputs))].map(keep);
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
  compiled.logs = tidy(() => runOwnStep(own, open()));
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
  return asCompiled(
    compiled,
    () => !runOwn(compiled, open, true) && usualTrainStep(compiled, open, onNaN, where),
  );
}

/** Trains on a batch with the loss, the metrics and the optimizer of the model. */
export function usualTrainStep(
  compiled: Compiled,
  open: () => Data,
  onNaN: OnNaN = 'ignore',
  where = '',
): boolean {
  return tidy(() => {
    const batch = open();
    if (hasHooks(compiled.model)) {
      return trainWithHooks(compiled, batch, (loss) => {
        const isReported = onNaN !== 'ignore' && Number.isNaN(loss);
        if (isReported) reportNaN(compiled, batch, onNaN, where);
        return isReported;
      });
    }
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

/** Tests on a batch with the loss and the metrics of the model. */
export function usualTestStep(compiled: Compiled, open: () => Data): void {
  tidy(() => {
    if (hasHooks(compiled.model)) testWithHooks(compiled, open());
    else measure(compiled, open());
  });
}

/**
 * Runs a batch in inference mode and adds its loss and metrics of `compile` to those of earlier
 * batches. Returns the losses, in the scope of the caller.
 */
export function measure(compiled: Compiled, batch: Data): Cost {
  const { cost } = costOf(compiled, batch, false);
  compiled.objective.count(cost, batch.rows);
  return cost;
}
