// SPDX-License-Identifier: MIT
// The protocol between a page and a worker: plain data that structured clones preserve.
import type { Progress } from '../base/model_source.js';
import type { ErrorCode, ErrorKind } from '../base/errors.js';
import type { TypedArray } from '../base/nested.js';
import type { DType } from '../tensor/tensor.js';

/** A tensor as it is sent between threads. */
export interface WireTensor {
  dtype: DType;
  shape: readonly number[];
  data: TypedArray;
  mask?: WireTensor | null;
}

/**
 * One tensor, a list of tensors, or a dictionary: the names are `keys`, in the order of `items`.
 */
export interface WireTree {
  form: 'one' | 'list' | 'keys';
  keys: readonly string[];
  items: readonly WireTensor[];
  /** Positions of the items of a list that are null. */
  absent?: readonly number[];
}

/** Arguments of `predict` and similar calls. */
export interface WireCall {
  x: WireTree;
  /** Explicit masks in the order of the items; null for items without one. */
  masks: readonly (WireTensor | null)[] | null;
  /** The other options, except for tensors, which are in `tensors`. */
  options: { [name: string]: unknown };
  tensors: { [name: string]: WireTree };
}

/** x, y and the sample weights; null for those that are absent. */
export type WireRows = readonly (WireTree | null)[];

/** Arguments of `trainOnBatch` and `testOnBatch`. */
export interface WireBatch {
  rows: WireRows;
  options: object;
  training: boolean;
}

/** Arguments of `fit`. */
export interface WireFit {
  /** 'batches': the worker requests them one by one. */
  data: WireRows | 'batches';
  validation: WireRows | 'batches' | null;
  /** The other options, which are plain data. */
  options: object;
  /** Events that the page listens to. */
  events: readonly TrainingEvent['event'][];
  /** Callbacks that the worker creates, with their settings. */
  callbacks: readonly (readonly [
    name: 'earlyStopping' | 'reduceLROnPlateau' | 'terminateOnNaN',
    settings: object,
  ])[];
  /** State of the WorkerControls; null without them. */
  controls: { paused: boolean } | null;
}

/** The batches of `fit`: for training or for validation. */
export type WireSide = 'data' | 'validation';

/** A request of the worker for a batch: the first one of an iterator if `begins`, else the next. */
export interface BatchRequest {
  wanted: WireSide;
  begins: boolean;
}

/** A message of the page while `fit` runs: a button, or the requested batch, null at the end. */
export type TrainingWord =
  | { press: 'pause' | 'resume' | 'stop' }
  | { side: WireSide; batch: WireRows | null };

/** An event of `fit`. */
export interface TrainingEvent {
  event: 'onEpochBegin' | 'onEpochEnd' | 'onBatchBegin' | 'onBatchEnd';
  args: readonly unknown[];
}

/** The source of a model as plain data, with absolute addresses. */
export type WireSource = { weights?: WireSource } & (
  | { address: string; isUrl: boolean }
  | { data: ArrayBufferView | ArrayBuffer | Blob }
  | { files: readonly { path: string; data: Blob | ArrayBuffer | ArrayBufferView }[] }
);

export interface WireError {
  name: string;
  message: string;
  /** Null for errors of other classes than the package's. */
  kind: ErrorKind | null;
  code: ErrorCode | undefined;
  stack: string;
}

/** A message to the worker: a request, an addition to a running one, or its cancellation. */
export type Request =
  | { id: number; op: string; model: number; args: unknown }
  | { id: number; op: 'tell'; word: TrainingWord }
  | { id: number; op: 'cancel' };

/** A message from the worker. */
export type Reply =
  | { id: number; result: unknown }
  | { id: number; error: WireError }
  | { id: number; progress: Progress | TrainingEvent | BatchRequest };
