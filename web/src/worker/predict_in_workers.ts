// SPDX-License-Identifier: MIT
// `predict(x, { workers })`: pools that keep the models of earlier calls.
import type { LayerOutputs } from '../layers/args.js';
import { checkSignal, refuse } from '../base/check.js';
import { elementCount } from '../base/array.js';
import { native, unwrap } from '../engine/engine.js';
import { runtimeInfo } from '../engine/runtime.js';
import type { Layer } from '../layers/layer.js';
import type { SharedModel } from '../model/services.js';
import { Tensor } from '../tensor/tensor.js';
import { kInputCount } from '../layers/args.js';
import { toCall, type WorkerCallOptions } from './inputs.js';
import { makesMasks } from './model_facts.js';
import { openPool, type WorkerPool } from './pool.js';
import type { PoolModel } from './pool_model.js';
import { keptSteps } from './shards.js';
import { fromTree, WorkerTensor } from './worker_tensor.js';

/** `Model.predict` with `workers`. */
export type WorkerPredict = (
  model: SharedModel,
  inputs: unknown,
  options: WorkerCallOptions & { workers: number },
) => Promise<LayerOutputs>;

/** Models that a pool keeps, most recent last. More would fill the memory of the workers. */
const kKept = 4;
/**
 * Multiplications of a call from which workers are faster than this thread: about 8 ms of
 * work. With half as many, two workers were slower (`npm run bench:threads`, W3).
 */
const kLeastWork = 2e8;

/** A model in a pool, as it was when it was sent. */
interface Kept {
  readonly model: SharedModel;
  readonly state: string;
  readonly loaded: Promise<PoolModel>;
  /** Number of calls that run. */
  users: number;
}

/** A pool and the models in it. */
class Sharing {
  readonly #pool: Promise<WorkerPool>;
  readonly #kept: Kept[] = [];

  constructor(pool: Promise<WorkerPool>) {
    this.#pool = pool;
  }

  /** Calls `run` with the model in the pool, which is sent if it is not there or has changed. */
  async use<T>(model: SharedModel, run: (shared: PoolModel) => Promise<T>): Promise<T> {
    const kept = this.#find(model);
    kept.users++;
    try {
      return await run(await kept.loaded);
    } finally {
      kept.users--;
      if (!this.#kept.includes(kept)) this.#drop(kept);
    }
  }

  #find(model: SharedModel): Kept {
    const state = stateOf(model);
    const index = this.#kept.findIndex((each) => each.model === model);
    const [old] = index < 0 ? [] : this.#kept.splice(index, 1);
    const kept = old?.state === state ? old : this.#send(model, state);
    if (old && old !== kept) this.#drop(old);
    this.#kept.push(kept);
    if (this.#kept.length > kKept) this.#drop(this.#kept.shift() as Kept);
    return kept;
  }

  #send(model: SharedModel, state: string): Kept {
    const load = async (): Promise<PoolModel> => {
      const [pool, file] = await Promise.all([
        this.#pool,
        model.save(undefined, { includeOptimizer: false }),
      ]);
      return pool.loadModel(file);
    };
    const kept: Kept = { model, state, loaded: load(), users: 0 };
    kept.loaded.catch(() => {
      const index = this.#kept.indexOf(kept);
      if (index >= 0) this.#kept.splice(index, 1);
    });
    return kept;
  }

  /** Disposes of the copies of a model that is not kept, after its last call. */
  #drop({ loaded, users }: Kept): void {
    if (users === 0) loaded.then((shared) => shared.dispose()).catch(() => {});
  }
}

/** Text that is equal while the model computes the same. */
function stateOf(model: SharedModel): string {
  return `${unwrap(native().weightsVersion?.(model.handle))} ${JSON.stringify(model)}`;
}

/** Pools by size and settings. Idle workers do not keep a program running. */
const pools = new Map<string, Sharing>();

function sharingOf(size: number): Sharing {
  const { variant, onMaskDropped, maskPropagation } = runtimeInfo();
  const settings = { variant, onMaskDropped, maskPropagation };
  const key = JSON.stringify([size, settings]);
  const existing = pools.get(key);
  if (existing) return existing;
  const opening = openPool({ size, ...settings });
  const sharing = new Sharing(opening);
  pools.set(key, sharing);
  opening.catch(() => pools.delete(key));
  return sharing;
}

/** Multiplications of a step: each weight once. Rows of tables are not multiplied. */
function workOfStep({ weights }: SharedModel): number {
  const multiplied = weights.filter(({ path }) => !path.endsWith('/embeddings'));
  return multiplied.reduce((sum, { shape }) => sum + elementCount(shape), 0);
}

/**
 * Number of steps of a tensor, with padding; Infinity for other inputs, which are not read here.
 */
const stepsIn = (inputs: unknown): number =>
  inputs instanceof Tensor ? elementCount(inputs.shape.slice(0, 2)) : Number.POSITIVE_INFINITY;

/** @internal */
export const predictInWorkers: WorkerPredict = async (model, inputs, options) => {
  const { workers, ...callOptions } = options;
  if (!Number.isInteger(workers) || workers < 1 || workers > 64) {
    refuse('workers', 'an integer from 1 to 64', workers);
  }
  const { signal, timeLimit, ...rest } = callOptions;
  checkSignal(signal);
  // Threads share the work of each batch without copies. States of a model stay in this thread.
  if (runtimeInfo().threads > 1 || model.stateful) return model.predict(inputs, rest);
  const leastSteps = kLeastWork / workOfStep(model);
  // Most calls are small. Their inputs are not copied, and the model's config is not made.
  if (stepsIn(inputs) < leastSteps) return model.predict(inputs, rest);
  const counts = { inputs: (model as unknown as Layer)[kInputCount], outputs: 0 };
  const call = toCall(inputs, callOptions, counts);
  const hasWork =
    keptSteps(call, false) >= leastSteps &&
    keptSteps(call, makesMasks(model.getConfig())) >= leastSteps;
  if (!hasWork) return model.predict(inputs, rest);
  return sharingOf(workers).use(model, async (shared) =>
    toTensors(fromTree(await shared.predictCall(call, { signal, timeLimit }))),
  );
};

function toTensors(outputs: ReturnType<typeof fromTree>): LayerOutputs {
  if (outputs instanceof WorkerTensor) return outputs.toTensor();
  if (Array.isArray(outputs)) return outputs.map((output) => output.toTensor());
  return Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => [name, output.toTensor()]),
  );
}
