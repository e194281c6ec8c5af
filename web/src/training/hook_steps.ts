// SPDX-License-Identifier: MIT
// The usual steps with methods that a class of models overrides: `computeLoss`, `computeMetrics`,
// `getMetricsResult` and `metrics`.
import { checkSynchronous, refuse } from '../base/check.js';
import type { LayerOutputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { StepData } from '../model/train_options.js';
import type { Trainable } from '../model/trainable.js';
import { isTensor, type Tensor } from '../tensor/tensor.js';
import type { Compiled } from './compiled.js';
import { type Data, inputsOf } from './data.js';
import { valueAndGradients } from './gradients.js';
import { overrides } from './overrides.js';
import { logsOf, stepData } from './own_step.js';

interface Call {
  readonly outputs: LayerOutputs;
  /** The loss that `computeLoss` returned; null if there is nothing to compute. */
  readonly loss: Tensor | null;
}

const modelOf = ({ model }: Compiled): Layer & Trainable => model as Layer & Trainable;

/** Calls the model and `computeLoss`. */
function callWithLoss(compiled: Compiled, data: StepData, batch: Data, training: boolean): Call {
  const { outputs, penalties } = compiled.apply(inputsOf(batch.x), training);
  const model = modelOf(compiled);
  compiled.objective.checkWeights(outputs, batch);
  const hasLoss =
    overrides(model, 'computeLoss') || penalties.length > 0 || compiled.objective.hasLoss;
  if (!hasLoss && !training) return { outputs, loss: null };
  const [x, y, sampleWeight] = data;
  const loss = compiled.during(penalties, () =>
    checkSynchronous<unknown>(
      model.computeLoss(x, y, outputs, sampleWeight, training),
      'computeLoss()',
    ),
  );
  if (isTensor(loss) && (loss as Tensor).size === 1) return { outputs, loss: loss as Tensor };
  const shape = isTensor(loss) ? ` of shape [${(loss as Tensor).shape}]` : '';
  return refuse(`the result of computeLoss()${shape}`, 'a tensor of one number', loss);
}

/** Adds the loss of a batch to the mean, and calls `computeMetrics` for its logs. */
function finish(compiled: Compiled, data: StepData, { outputs, loss }: Call, rows: number): void {
  if (loss) compiled.objective.mean.add(loss.item(), rows);
  const [x, y, sampleWeight] = data;
  const logs = modelOf(compiled).computeMetrics(x, y, outputs, sampleWeight);
  compiled.logs = logsOf(
    checkSynchronous<unknown>(logs, 'computeMetrics()'),
    'the result of computeMetrics()',
  );
}

/** Trains on a batch. `report` receives the loss before the weights change. Returns its result. */
export function trainWithHooks(
  compiled: Compiled,
  batch: Data,
  report: (loss: number) => boolean,
): boolean {
  const data = stepData(batch);
  const { optimizer } = compiled;
  const variables = compiled.variables();
  const run = (): [Tensor, Call] => {
    const call = callWithLoss(compiled, data, batch, true);
    return [optimizer.scaleLoss(call.loss as Tensor), call];
  };
  const { aux: call, gradients } =
    variables.length > 0
      ? valueAndGradients(run, variables, { hasAux: true })
      : { aux: run()[1], gradients: [] };
  const isReported = report((call.loss as Tensor).item());
  if (variables.length > 0) optimizer.apply(gradients, variables);
  finish(compiled, data, call, batch.rows);
  return isReported;
}

/** Tests on a batch. */
export function testWithHooks(compiled: Compiled, batch: Data): void {
  const data = stepData(batch);
  finish(compiled, data, callWithLoss(compiled, data, batch, false), batch.rows);
}
