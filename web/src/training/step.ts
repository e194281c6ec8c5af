// SPDX-License-Identifier: MIT
// One batch: its loss, the gradients, and the step of the optimizer.
import { ValueError } from '../base/errors.js';
import { warn } from '../base/visible.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Tensor } from '../tensor/tensor.js';
import { keep, tidy } from '../tensor/tidy.js';
import type { Compiled } from './compiled.js';
import { type Data, dictionary, inputsOf } from './data.js';
import { firstNaN } from './first_nan.js';
import { valueAndGradients } from './gradients.js';
import type { Cost } from './trained_objective.js';

/** What is done about a loss that is no number. */
export type OnNaN = 'ignore' | 'warn' | 'stop';

/** Calls the model on a batch in training mode and gives what that costs, to be differentiated. */
function costOf(compiled: Compiled, batch: Data): { cost: Cost; outputs: LayerOutputs } {
  const { outputs, penalties } = compiled.apply(inputsOf(batch.x), true);
  return { cost: compiled.objective.cost(outputs, batch, penalties), outputs };
}

/** Of what `run` makes, what is needed after it. */
function kept({ cost, outputs }: { cost: Cost; outputs: LayerOutputs }): Tensor[] {
  const losses = cost.parts.flatMap(({ loss }) => (loss ? [loss] : []));
  return [...losses, ...cost.penalties, ...Object.values(dictionary(outputs))].map(keep);
}

/** Gradients of a batch, each of its variable; what `use` does with them is told of its cost. */
function differentiated(
  compiled: Compiled,
  batch: Data,
  use: (cost: Cost, gradients: readonly (Tensor | null)[]) => void,
): void {
  const { optimizer } = compiled;
  const variables = compiled.variables();
  let cost: Cost | undefined;
  let held: Tensor[] = [];
  const run = (): Tensor => {
    const made = costOf(compiled, batch);
    cost = made.cost;
    held = kept(made);
    if (!cost.value) {
      throw new ValueError('there is no loss to train by; compile({ loss }) with one');
    }
    return optimizer.scaleLoss(cost.value);
  };
  try {
    let gradients: readonly (Tensor | null)[] = [];
    if (variables.length > 0) gradients = valueAndGradients(run, variables).gradients;
    else run();
    use(cost as unknown as Cost, gradients);
  } finally {
    for (const tensor of held) tensor.dispose();
  }
}

const isNumber = ({ parts, penalties }: Cost): boolean =>
  [...parts.map(({ loss }) => loss), ...penalties].every(
    (part) => !part || !Number.isNaN(part.item()),
  );

/** `told`: was there a warning before? Gives whether there is one now. */
function heedNaN(compiled: Compiled, batch: Data, onNaN: OnNaN, at: string): void {
  const layer = firstNaN(compiled, batch.x);
  const message = `the loss is NaN ${at}${layer ? `; the first layer to make one is '${layer}'` : ''}`;
  if (onNaN === 'warn') warn(message);
  else {
    throw new ValueError(
      `${message}; weights are as they were before this batch. Lower the learning rate, clip gradients (clipnorm), and look for NaN in x and y`,
    );
  }
}

/** Trains on a batch. `heed`: what to do about NaN, and where in training this is. Gives whether a NaN was heeded. */
export function trainStep(
  compiled: Compiled,
  open: () => Data,
  heed?: { onNaN: OnNaN; at: string },
): boolean {
  return tidy(() => {
    const batch = open();
    const variables = compiled.variables();
    let heeded = false;
    differentiated(compiled, batch, (cost, gradients) => {
      heeded = heed !== undefined && heed.onNaN !== 'ignore' && !isNumber(cost);
      if (heed && heeded) heedNaN(compiled, batch, heed.onNaN, heed.at);
      if (variables.length > 0) compiled.optimizer.apply(gradients, variables);
      compiled.objective.count(cost, batch.rows);
    });
    return heeded;
  });
}

/** Loss and metrics of a batch in inference mode; gives what `use` makes of it. */
export function testStep<R = void>(
  compiled: Compiled,
  open: () => Data,
  use: (cost: Cost) => R = () => undefined as R,
): R {
  return tidy(() => {
    const batch = open();
    const { outputs, penalties } = compiled.apply(inputsOf(batch.x), false);
    const cost = compiled.objective.cost(outputs, batch, penalties);
    compiled.objective.count(cost, batch.rows);
    return use(cost);
  });
}
