// SPDX-License-Identifier: MIT
// Operations of a worker that trains; maskflow/train supplies them to the server.
import type { Tensor } from '../tensor/tensor.js';
import { tidy } from '../tensor/tidy.js';
import type {
  CompileOptions,
  FitOptions,
  History,
  Logs,
  TrainingCallback,
} from '../model/train_options.js';
import {
  controls as newControls,
  earlyStopping,
  reduceLROnPlateau,
  terminateOnNaN,
} from '../training/callbacks.js';
import type { TypedArray } from '../base/nested.js';
import { BatchesFromPage } from './batches_from_page.js';
import type { WireBatch, WireFit, WireTensor } from './messages.js';
import { type Job, type Operations, tensorOf } from './operations.js';
import { tensorsIn, toTensors, withRows } from './tensors_of_rows.js';

type Name = WireFit['callbacks'][number][0];
const makers: { readonly [name in Name]: (settings: object) => TrainingCallback } = {
  earlyStopping,
  reduceLROnPlateau,
  terminateOnNaN,
};

async function fit({ model, args, signal, report, listen }: Job): Promise<object> {
  const { data, validation, options, events, callbacks, controls } = args as WireFit;
  const feeds = [data, validation].map((rows, i) =>
    rows === 'batches' ? new BatchesFromPage(i === 0 ? 'data' : 'validation', report) : null,
  );
  const rows = [data, validation].map((side) =>
    side === 'batches' ? null : side && toTensors(side),
  );
  const [feed, validationFeed] = feeds;
  const [x, y, weights] = rows[0] ?? [feed?.batches, null, null];
  const validationData = validationFeed?.batches ?? rows[1];
  const buttons = newControls();
  if (controls?.paused) buttons.pause();
  listen((word) => {
    if ('press' in word) buttons[word.press]();
    else (word.side === 'data' ? feed : validationFeed)?.receive(word.batch);
  });
  const hooks = events.map((event) => [event, (...args: unknown[]) => report({ event, args })]);
  const fitOptions = {
    ...options,
    ...Object.fromEntries(hooks),
    ...(weights !== null && { sampleWeight: weights }),
    ...(validation !== null && { validationData }),
    callbacks: [...callbacks.map(([name, settings]) => makers[name](settings)), buttons],
    signal,
  } as FitOptions;
  try {
    const { history, epoch, params }: History = await model.fit(
      x as Tensor,
      y as Tensor,
      fitOptions,
    );
    return { history, epoch, params };
  } finally {
    for (const each of feeds) each?.dispose();
    for (const tensor of tensorsIn(rows)) tensor.dispose();
  }
}

function onBatch({ model, args }: Job): Promise<Logs> {
  const { rows, options, training } = args as WireBatch;
  return withRows(rows, ([x, y, weights]) => {
    const batchOptions = {
      ...options,
      ...(weights !== null && { sampleWeight: weights as Tensor }),
    };
    const [inputs, targets] = [x as Tensor, y as Tensor];
    return training
      ? model.trainOnBatch(inputs, targets, batchOptions)
      : model.testOnBatch(inputs, targets, batchOptions);
  });
}

export const trainOperations: Operations = {
  compile: ({ model, args }) => model.compile(args as CompileOptions),
  fit,
  onBatch,
  setWeights: ({ model, args }) =>
    tidy(() => {
      const values = args as readonly (TypedArray | WireTensor)[];
      model.setWeights(values.map((each) => (ArrayBuffer.isView(each) ? each : tensorOf(each))));
    }),
};
