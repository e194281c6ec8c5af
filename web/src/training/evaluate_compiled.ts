// SPDX-License-Identifier: MIT
// `evaluate` of models that may be compiled, with callbacks.
import { checkFunction, checkOptions, optionsOf } from '../base/check.js';
import type { LayerInputs } from '../layers/args.js';
import type { Layer } from '../layers/layer.js';
import type { BatchEvaluation, EvaluateOptions, Evaluation } from '../measures/evaluation.js';
import type { Model } from '../model/model.js';
import type { Evaluate } from '../model/services.js';
import type { Batches, CallbackOptions } from '../model/train_options.js';
import { tidy } from '../tensor/tidy.js';
import { callbacksFor, sortByName } from './callback_list.js';
import type { Compiled } from './compiled.js';
import {
  type BatchTest,
  checkEvaluation,
  type RowOptions,
  rowsToTest,
  testWith,
} from './evaluate.js';
import { evaluateBatches as evaluateWithLosses, evaluateEach } from './evaluate_batches.js';
import { evaluateOptions } from './evaluate_options.js';
import { hasHooks, overrides } from './overrides.js';
import { testStep } from './step.js';
import { trackedMetrics } from './tracked_metrics.js';

type Tested = Layer & { readonly compiled?: Compiled; stopEvaluating?: boolean };

/** Whether a callback has ended the evaluation. */
const isStopped = ({ stopEvaluating }: Tested): boolean => stopEvaluating === true;

const measures = ['loss', 'lossWeights', 'metrics', 'weightedMetrics', 'reduction'] as const;

/** Whether the class of a model has steps, hooks or metrics of its own. */
const isOwn = (model: Layer): boolean =>
  overrides(model, 'testStep') || hasHooks(model) || trackedMetrics(model).length > 0;

/**
 * Returns what `compile` set if it is what counts: without losses and metrics among the options. A
 * callback may evaluate while `fit` runs, whose means then stay.
 */
function compiledFor(model: Tested, options: { [name: string]: unknown }): Compiled | null {
  const { compiled } = model;
  if (!compiled) return null;
  if (isOwn(model)) return compiled;
  const isExplicit = measures.some((name) => options[name] !== undefined);
  return isExplicit || compiled.isBusy ? null : compiled;
}

/** Losses and metrics of batches, with the logs of the last one. */
interface LoggedTest extends BatchTest {
  batchLogs(): Evaluation;
}

const testCompiled = (compiled: Compiled): LoggedTest => ({
  step: (batch) => testStep(compiled, () => batch),
  batchLogs: () => compiled.batchLogs(),
  results: () => compiled.results(),
});

function testPlain(model: Layer, chosen: EvaluateOptions): LoggedTest {
  const test = testWith(model, chosen);
  return { ...test, batchLogs: test.results };
}

/** Returns the options for callbacks, and the others. */
function split<T extends object>(settings: T | undefined): [CallbackOptions, T] {
  const { callbacks, verbose, ...rest } = optionsOf(
    settings as T & CallbackOptions,
    undefined,
    'batchSize: …',
  );
  const own = { ...(callbacks !== undefined && { callbacks }), ...(verbose && { verbose }) };
  return [own, rest as unknown as T];
}

const ofCompiled = { steps: 1, signal: 1, callbacks: 1, verbose: 1 } as {
  readonly [Name in keyof (BatchEvaluation & CallbackOptions)]-?: 1;
};

/** See `evaluate` of Model, which may be compiled. */
export const evaluateCompiled: Evaluate = (model: Tested, x, y, settings) => {
  const [listening, options] = split(settings);
  const compiled = compiledFor(model, options as { [name: string]: unknown });
  const ofRows = { batchSize: 1, sampleWeight: 1, steps: 1 } as const;
  const { rows: asked, chosen } = compiled
    ? { rows: checkOptions<RowOptions>(options, ofRows), chosen: {} }
    : checkEvaluation(evaluateOptions(model, options));
  return tidy(() => {
    const { data, size, rows } = rowsToTest(model, x, y, asked);
    const test = compiled ? testCompiled(compiled) : testPlain(model, chosen);
    const list = callbacksFor(model, listening, Math.ceil(rows / size));
    model.stopEvaluating = false;
    list.notifyNow('onTestBegin');
    compiled?.reset();
    for (let first = 0, batch = 0; first < rows; first += size, batch++) {
      list.notifyNow('onTestBatchBegin', batch);
      tidy(() => test.step(data.part(first, Math.min(size, rows - first))));
      if (list.hasListeners('onTestBatchEnd')) {
        list.notifyNow('onTestBatchEnd', batch, sortByName(test.batchLogs()));
      }
      if (isStopped(model)) break;
    }
    const logs = test.results();
    list.notifyNow('onTestEnd', sortByName(logs));
    return logs;
  });
};

/**
 * Computes losses and metrics like `Model.evaluate`, of batches `[x, y, sampleWeight?]` that may
 * arrive later: an iterable, a stream, or a function that creates one. Lets other tasks run between
 * batches. Without a batch, the loss is NaN.
 *
 * Throws ValueError for batches that are neither a list, an iterable nor a stream, and the errors
 * of `evaluate`.
 *
 * @example await evaluateBatches(model, rowsOfDatabase(), { loss: 'mse' })
 */
export async function evaluateBatches<Inputs extends LayerInputs>(
  model: Model<Inputs, never>,
  batches: Batches<Inputs>,
  settings: BatchEvaluation & CallbackOptions = {},
): Promise<Evaluation> {
  const tested = model as unknown as Tested;
  checkFunction(model?.evaluate, 'evaluate of the model');
  const [listening, options] = split(settings);
  const compiled = compiledFor(tested, options as { [name: string]: unknown });
  if (!compiled && Object.keys(listening).length === 0) {
    return evaluateWithLosses(tested, batches as Batches, options);
  }
  const { steps, signal, ...chosen } = options;
  if (compiled) checkOptions<BatchEvaluation & CallbackOptions>(options, ofCompiled);
  const test = compiled
    ? testCompiled(compiled)
    : testPlain(tested, checkEvaluation(evaluateOptions(tested, chosen)).chosen);
  const list = callbacksFor(tested, listening, null, signal);
  const results = await evaluateEach(
    tested,
    { batches: batches as Batches, steps, signal },
    {
      async begin() {
        tested.stopEvaluating = false;
        await list.notify('onTestBegin');
        compiled?.reset();
      },
      async use(open, batch) {
        await list.notify('onTestBatchBegin', batch);
        tidy(() => test.step(open()));
        if (list.hasListeners('onTestBatchEnd')) {
          await list.notify('onTestBatchEnd', batch, sortByName(test.batchLogs()));
        }
        return isStopped(tested);
      },
      results: test.results,
    },
  );
  await list.notify('onTestEnd', sortByName(results));
  return results;
}
