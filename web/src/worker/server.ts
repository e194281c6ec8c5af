// SPDX-License-Identifier: MIT
// The worker's side of connection.ts: it answers requests one after the other.
import { lookUp } from '../base/names.js';
import { StateError, ValueError } from '../base/errors.js';
import type { LoadOptions } from '../model/load_options.js';
import type { Model } from '../model/model.js';
import { remoteTraining } from '../model/services.js';
import type { Progress } from '../base/model_source.js';
import { memory, type ReadyOptions, runtimeInfo } from '../engine/runtime.js';
import { errorToWire } from './failures.js';
import { buffersOf } from './inputs.js';
import type { Reply, Request, TrainingWord, WireSource } from './messages.js';
import { type ModelFacts, factsOf } from './model_facts.js';
import { type Job, type Operations, operations } from './operations.js';
import { sourceFromWire } from './wire_source.js';

/** The functions of an entry that a worker runs on. */
export interface Engine {
  ready(options: ReadyOptions): Promise<void>;
  loadModel(source: ReturnType<typeof sourceFromWire>, options: LoadOptions): Promise<Model>;
}

type Post = (reply: Reply, transfer: ArrayBuffer[]) => void;
type Call = Exclude<Request, { op: 'cancel' } | { op: 'tell' }>;

/** A request without an answer so far. */
class Running {
  readonly control = new AbortController();
  readonly #words: TrainingWord[] = [];
  #onWord: ((word: TrainingWord) => void) | undefined;

  receive(word: TrainingWord): void {
    if (this.#onWord) this.#onWord(word);
    else this.#words.push(word);
  }

  listen(onWord: (word: TrainingWord) => void): void {
    this.#onWord = onWord;
    for (const word of this.#words.splice(0)) onWord(word);
  }
}

const trainingOf = async (): Promise<Operations> =>
  ((await remoteTraining.supplied?.()) ?? {}) as Operations;

/** Answers requests in a worker. Models have the number of the request that loaded them. */
export class Server {
  readonly #models = new Map<number, Model>();
  readonly #running = new Map<number, Running>();
  readonly #engine: Engine;
  readonly #post: Post;
  // Calls run one after another, because calls of a stateful model must not mix.
  #turn: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine, post: Post) {
    this.#engine = engine;
    this.#post = post;
  }

  receive(request: Request): void {
    if ('word' in request) this.#running.get(request.id)?.receive(request.word);
    else if (request.op !== 'cancel') this.#answer(request as Call);
    // The load has ended, and the page does not know the model.
    else if (!this.#stop(request.id)) this.#forget(request.id);
  }

  #stop(id: number): boolean {
    const running = this.#running.get(id);
    running?.control.abort();
    return !!running;
  }

  #forget(id: number): void {
    this.#models.get(id)?.dispose();
    this.#models.delete(id);
  }

  async #answer(request: Call): Promise<void> {
    const { id } = request;
    const running = new Running();
    this.#running.set(id, running);
    try {
      const result = await this.#result(request, running);
      this.#post({ id, result }, buffersOf(result));
    } catch (error) {
      this.#post({ id, error: errorToWire(error) }, []);
    } finally {
      this.#running.delete(id);
    }
  }

  #result(request: Call, running: Running): unknown {
    const { id, op, model, args } = request;
    const { signal } = running.control;
    if (op === 'start') return this.#start(args as ReadyOptions);
    if (op === 'load') return this.#load(id, args as LoadArguments, signal);
    if (op === 'memory') return memory();
    if (op === 'dispose') return this.#next(() => this.#forget(model));
    return this.#next(() => {
      signal.throwIfAborted();
      const report: Job['report'] = (progress) => this.#post({ id, progress }, []);
      const listen: Job['listen'] = (onWord) => running.listen(onWord);
      return this.#operate({ op, args, signal, report, listen, model: this.#model(model) });
    });
  }

  async #operate({ op, ...job }: Job & { op: string }): Promise<unknown> {
    const operation = lookUp(operations, op) ?? lookUp(await trainingOf(), op);
    if (operation) return operation(job);
    throw new ValueError(
      `the worker has no operation '${op}'; load the page and the worker from one version`,
    );
  }

  #next<T>(run: () => T): Promise<Awaited<T>> {
    const result = this.#turn.then(run);
    this.#turn = result.catch(() => {});
    return result as Promise<Awaited<T>>;
  }

  async #start(options: ReadyOptions): Promise<unknown> {
    await this.#engine.ready(options);
    return runtimeInfo();
  }

  async #load(
    id: number,
    { source, options, reports }: LoadArguments,
    signal: AbortSignal,
  ): Promise<ModelFacts> {
    const onProgress = (progress: Progress): void => this.#post({ id, progress }, []);
    const model = await this.#engine.loadModel(sourceFromWire(source), {
      ...options,
      ...(source.weights && { weights: sourceFromWire(source.weights) }),
      signal,
      ...(reports && { onProgress }),
    });
    if (signal.aborted) model.dispose();
    signal.throwIfAborted();
    this.#models.set(id, model);
    return { ...factsOf(model), id };
  }

  #model(id: number): Model {
    const model = this.#models.get(id);
    if (model) return model;
    throw new StateError('this model was disposed of; load it again', 'ERR_DISPOSED');
  }
}

interface LoadArguments {
  source: WireSource;
  options: LoadOptions;
  /** Whether the page listens to progress. */
  reports: boolean;
}
