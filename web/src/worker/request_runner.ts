// SPDX-License-Identifier: MIT
// Computes rows of separate requests in as few calls as their shapes allow.
import { addTo } from '../base/array.js';
import { leaves } from '../layers/args.js';
import type { Predictions, Predictor } from '../model/predictor.js';
import type { TraceEntry } from '../model/trace.js';
import type { Tensor } from '../tensor/tensor.js';
import { TimeLimitError } from './failures.js';
import type { WireTree } from './messages.js';
import { comparePadded, keepsMask } from './padding_probe.js';
import { structured } from './rows.js';
import * as requests from './rows_of_requests.js';
import { WorkerTensor } from './worker_tensor.js';

/** A model in this thread, in a worker or in a pool. */
export type AnyModel = Predictor<Predictions>;

/** The outputs of a row, or its error. */
export type Answer = { row: WireTree } | { error: unknown };

/** A row and its position in the batch. */
interface Item {
  readonly row: WireTree;
  readonly index: number;
}

type Inputs = Parameters<AnyModel['predictAsync']>[0];
type Traced = { traceMasks(inputs: Inputs): TraceEntry[] | Promise<TraceEntry[]> };

/** Calls `use` with inputs that the model accepts, and disposes of them. */
async function withInputs<T>(
  model: AnyModel,
  tree: WireTree,
  use: (inputs: Inputs) => T | Promise<T>,
): Promise<T> {
  const tensors = tree.items.map((item) => new WorkerTensor(item));
  // A model of this thread needs tensors of this thread.
  if ('predictCall' in model) return use(structured(tree, tensors) as unknown as Inputs);
  const inputs = structured(
    tree,
    tensors.map((tensor) => tensor.toTensor()),
  );
  try {
    return await use(inputs as Inputs);
  } finally {
    for (const [, tensor] of leaves(inputs)) (tensor as Tensor).dispose();
  }
}

/**
 * The rows by their kind. Those with a mask of their own are alone, and so are empty ones: padding
 * would make steps of what is an error alone.
 */
function grouped(items: readonly Item[], isRagged: boolean): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const isAlone = item.row.items.some(({ mask, shape }) => mask || shape.includes(0));
    const key = requests.kindOf(item.row, isRagged && requests.hasLength(item.row));
    addTo(groups, isAlone ? `${item.index}` : key, item);
  }
  return [...groups.values()];
}

const isRagged = (items: readonly Item[]): boolean =>
  items.some(({ row }) => requests.lengthOf(row) !== requests.lengthOf((items[0] as Item).row));

/** Gives each call a signal of its own: many listeners of one signal would look like a leak. */
class SignalForCalls {
  readonly #calls = new Set<AbortController>();

  constructor(readonly signal: AbortSignal) {
    const abort = (): void => {
      for (const call of this.#calls) call.abort(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
  }

  async call<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.signal.throwIfAborted();
    const control = new AbortController();
    this.#calls.add(control);
    try {
      return await run(control.signal);
    } finally {
      this.#calls.delete(control);
    }
  }
}

/** Runs batches of rows on a model. */
export class RequestRunner {
  readonly #model: AnyModel;
  readonly #padValue: number | null;
  /**
   * For each output whether the steps of the padding are cut; null: padding changes numbers;
   * undefined: not yet known.
   */
  #isCut: readonly boolean[] | null | undefined;

  constructor(model: AnyModel, padValue: number | null) {
    this.#model = model;
    this.#padValue = padValue;
    if (padValue === null) this.#isCut = null;
  }

  /** Computes rows. An error of one row is the answer of that row alone. */
  async run(rows: readonly WireTree[], stop: AbortSignal): Promise<Answer[]> {
    const answers: Answer[] = [];
    const signal = new SignalForCalls(stop);
    const items = rows.map((row, index) => ({ row, index }));
    const compute = async (group: readonly Item[]): Promise<void> => {
      try {
        (await this.#compute(group, signal)).forEach((row, i) => {
          answers[group[i]?.index as number] = { row };
        });
      } catch (error) {
        const isFinal = group.length === 1 || stop.aborted || error instanceof TimeLimitError;
        if (isFinal) for (const { index } of group) answers[index] = { error };
        else {
          const half = Math.ceil(group.length / 2);
          await compute(group.slice(0, half));
          await compute(group.slice(half));
        }
      }
    };
    if (this.#isCut === undefined) await this.#learn(items, signal);
    await Promise.all(grouped(items, !!this.#isCut).map(compute));
    return answers;
  }

  /** Computes rows of one kind in one call. */
  async #compute(items: readonly Item[], signal: SignalForCalls): Promise<WireTree[]> {
    const outputs = await this.#call(items, signal);
    const isCut = this.#isCut;
    if (!isCut || !isRagged(items)) return outputs;
    return outputs.map((row, i) =>
      requests.cutSteps(row, requests.lengthOf((items[i] as Item).row), isCut),
    );
  }

  async #call(items: readonly Item[], signal: SignalForCalls): Promise<WireTree[]> {
    const rows = items.map(({ row }) => row);
    const [only] = rows as [WireTree];
    const tree = requests.joinRequests(rows, this.#padValue ?? 0);
    // A mask of a single row gets the axis of the rows, too.
    tree.items.forEach((item, i) => {
      const mask = only.items[i]?.mask;
      if (mask) item.mask = { ...mask, shape: [1, ...mask.shape] };
    });
    const batchSize = rows.length;
    const outputs = await signal.call((each) =>
      withInputs(this.#model, tree, (inputs) =>
        this.#model.predictAsync(inputs, { batchSize, signal: each }),
      ),
    );
    return requests.rowsOfOutputs(outputs, rows.length);
  }

  /** Finds out with the first rows of different lengths whether such rows can be joined. */
  async #learn(items: readonly Item[], signal: SignalForCalls): Promise<void> {
    const ragged = grouped(items, true).find((group) => isRagged(group));
    if (!ragged) return;
    const rows = ragged.map(({ row }) => row);
    try {
      const tree = requests.joinRequests(rows, this.#padValue ?? 0);
      const model = this.#model as AnyModel & Traced;
      const trace = await withInputs(model, tree, (inputs) => model.traceMasks(inputs));
      if (!keepsMask(trace)) {
        this.#isCut = null;
        return;
      }
      const padded = await this.#call(ragged, signal);
      const alone: WireTree[] = [];
      for (const item of ragged) alone.push(...(await this.#call([item], signal)));
      this.#isCut = comparePadded(rows, padded, alone);
    } catch {
      // A row of the batch is wrong; its own call throws the error. Other rows decide.
    }
  }
}
