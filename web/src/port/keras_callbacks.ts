// SPDX-License-Identifier: MIT
// `keras.callbacks`: functions of `callbacks` in maskflow/train.
import type { Call } from './ast.js';
import { type Code, called, type Port, within } from './context.js';
import { camel } from './identifiers.js';
import { type Doc, object } from './print.js';
import { entry, lacking, pair, passes, settingValue } from './settings.js';
import { dictOf, int, num, type Type } from './types.js';

interface Callback {
  readonly name: string;
  /** Parameters of Keras, those before the bar by position here. */
  readonly first: readonly string[];
  readonly options: readonly string[];
  readonly lacks?: readonly string[];
}

const stopping = [
  'monitor',
  'min_delta',
  'patience',
  'verbose',
  'mode',
  'baseline',
  'restore_best_weights',
  'start_from_epoch',
];
const checkpoint = [
  'monitor',
  'verbose',
  'save_best_only',
  'save_weights_only',
  'mode',
  'save_freq',
  'initial_value_threshold',
];
const plateau = [
  'monitor',
  'factor',
  'patience',
  'verbose',
  'mode',
  'min_delta',
  'cooldown',
  'min_lr',
];

const table: { readonly [name: string]: Callback } = {
  EarlyStopping: { name: 'earlyStopping', first: [], options: stopping },
  ModelCheckpoint: { name: 'modelCheckpoint', first: ['filepath'], options: checkpoint },
  ReduceLROnPlateau: { name: 'reduceLROnPlateau', first: [], options: plateau },
  LearningRateScheduler: {
    name: 'learningRateScheduler',
    first: ['schedule'],
    options: ['verbose'],
    lacks: ['verbose'],
  },
  CSVLogger: { name: 'csvLogger', first: ['filename'], options: ['separator', 'append'] },
  TerminateOnNaN: { name: 'terminateOnNaN', first: [], options: [] },
  BackupAndRestore: {
    name: 'backupAndRestore',
    first: ['backup_dir'],
    options: ['save_freq', 'delete_checkpoint'],
  },
  SwapEMAWeights: { name: 'swapEMAWeights', first: [], options: ['swap_on_epoch'] },
  TensorBoard: {
    name: 'tensorBoard',
    first: ['log_dir'],
    options: ['histogram_freq', 'write_graph', 'write_images', 'update_freq'],
    lacks: [
      'histogram_freq',
      'write_graph',
      'write_images',
      'update_freq',
      'write_steps_per_second',
      'profile_batch',
      'embeddings_freq',
    ],
  },
  ProgbarLogger: { name: 'progressBar', first: [], options: [] },
  LambdaCallback: {
    name: 'lambda',
    first: [],
    options: [
      'on_epoch_begin',
      'on_epoch_end',
      'on_train_begin',
      'on_train_end',
      'on_train_batch_begin',
      'on_train_batch_end',
      'on_batch_begin',
      'on_batch_end',
    ],
  },
};

const logs: readonly Type[] = [int, dictOf(num)];

/** Translates the call of a callback; null if the package has none of that name. */
export function callbackCall(port: Port, name: string, call: Call): Code | null {
  const callback = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!callback) return null;
  const { first, options, lacks = [] } = callback;
  const items: Doc[] = [];
  const entries: Doc[] = [];
  for (const each of pair(call.args, [...first, ...options])) {
    if (!each.name) continue;
    const { value } = each.arg;
    const item = port.expr(value);
    if (item.type?.k === 'fn')
      passes(item.type.fn, name === 'LearningRateScheduler' ? [int, num] : logs);
    if (first.includes(each.name)) items.push(within(item, 1));
    else if (lacks.includes(each.name) || !options.includes(each.name))
      lacking(port, name, each.name, value);
    else entries.push(entry(camel(each.name), settingValue(port, each.name, value)));
  }
  if (entries.length > 0) items.push(object(entries));
  return called(
    { open: `${port.name('callbacks')}.${callback.name}(`, items, close: ')' },
    { k: 'callback' },
  );
}
