// SPDX-License-Identifier: MIT
import type { Progress } from '../base/model_source.js';
import type { ErrorKind } from '../base/errors.js';
import type { TypedArray } from '../base/nested.js';
import type { DType } from '../tensor/tensor.js';

/** A tensor on its way between threads. */
export interface WireTensor {
  dtype: DType;
  shape: readonly number[];
  data: TypedArray;
  mask?: WireTensor | null;
}

/** One tensor, a list, or a dictionary of them (`keys` beside `items`). */
export interface WireTree {
  form: 'one' | 'list' | 'keys';
  keys: readonly string[];
  items: readonly WireTensor[];
}

/** What `predict` and its kin are asked. */
export interface WireCall {
  x: WireTree;
  /** Explicit masks in the order of the items; null where there is none. */
  masks: readonly (WireTensor | null)[] | null;
  /** The other options; tensors among them are {@link WireTree}s under `tensors`. */
  options: { [name: string]: unknown };
  tensors: { [name: string]: WireTree };
}

/** x, y and weights, as far as they are there. */
export type WireRows = readonly (WireTree | null)[];

/** What `trainOnBatch` and `testOnBatch` are asked. */
export interface WireBatch {
  rows: WireRows;
  options: object;
  training: boolean;
}

/** What `fit` is asked. */
export interface WireFit {
  /** 'batches': they are asked for one by one. */
  data: WireRows | 'batches';
  validation: WireRows | 'batches' | null;
  /** The others, which are plain data. */
  options: object;
  /** Events that the page wants to be told. */
  told: readonly TrainingEvent['event'][];
  /** Callbacks that the worker makes, with their settings. */
  made: readonly (readonly [
    name: 'earlyStopping' | 'reduceLROnPlateau' | 'terminateOnNaN',
    settings: object,
  ])[];
  /** Are there buttons, and are they at pause? */
  controls: { paused: boolean } | null;
}

/** Which batches of `fit`. */
export type WireSide = 'data' | 'validation';

/** The worker asks for a batch, the first one of an iterator (`begins`) or the next one. */
export interface BatchRequest {
  wanted: WireSide;
  begins: boolean;
}

/** What the page says while `fit` runs: of a button, or the batch that was asked for, null at the end. */
export type TrainingWord =
  | { press: 'pause' | 'resume' | 'stop' }
  | { side: WireSide; batch: WireRows | null };

/** What happened in `fit`. */
export interface TrainingEvent {
  event: 'onEpochBegin' | 'onEpochEnd' | 'onBatchBegin' | 'onBatchEnd';
  args: readonly unknown[];
}

/** A model's source in a form that crosses: addresses are absolute. */
export type WireSource = { weights?: WireSource } & (
  | { address: string; isUrl: boolean }
  | { data: ArrayBufferView | ArrayBuffer | Blob }
  | { files: readonly { path: string; data: Blob | ArrayBuffer | ArrayBufferView }[] }
);

export interface WireError {
  name: string;
  message: string;
  /** Null for an error that is none of the package's. */
  kind: ErrorKind | null;
  stack: string;
}

/** From the page: a request, more for one that runs, or word that its answer is no longer wanted. */
export type Request =
  | { id: number; op: string; model: number; args: unknown }
  | { id: number; op: 'tell'; word: TrainingWord }
  | { id: number; op: 'cancel' };

/** From the worker. */
export type Reply =
  | { id: number; result: unknown }
  | { id: number; error: WireError }
  | { id: number; progress: Progress | TrainingEvent | BatchRequest };
