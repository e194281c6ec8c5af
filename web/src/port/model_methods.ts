// SPDX-License-Identifier: MIT
// Methods of models that differ: compile, fit, evaluate, predict, summary and calls on a batch.
import type { Arg, Call, Expr } from './ast.js';
import { type Code, called, level, type Port, within } from './context.js';
import { camel } from './identifiers.js';
import { type Doc, object, whole } from './print.js';
import { entry, lacking, pair, settingValue } from './settings.js';
import { any, isModel, listOf, num, tensor, type Type } from './types.js';

interface Form {
  /** Keras's parameters in its order. */
  readonly names: readonly string[];
  /** Number of parameters that have no name here. */
  readonly first: number;
  /** Parameters that have no meaning here. */
  readonly lacks: readonly string[];
  readonly isPromise?: boolean;
  readonly type?: Type;
}

const forms: { readonly [name: string]: Form } = {
  compile: {
    names: [
      'optimizer',
      'loss',
      'loss_weights',
      'metrics',
      'weighted_metrics',
      'run_eagerly',
      'steps_per_execution',
      'jit_compile',
      'auto_scale_loss',
    ],
    first: 0,
    lacks: ['run_eagerly', 'steps_per_execution', 'jit_compile', 'auto_scale_loss'],
  },
  fit: {
    names: [
      'x',
      'y',
      'batch_size',
      'epochs',
      'verbose',
      'callbacks',
      'validation_split',
      'validation_data',
      'shuffle',
      'class_weight',
      'sample_weight',
      'initial_epoch',
      'steps_per_epoch',
      'validation_steps',
      'validation_batch_size',
      'validation_freq',
    ],
    first: 2,
    lacks: ['workers', 'use_multiprocessing', 'max_queue_size'],
    isPromise: true,
    type: { k: 'history' },
  },
  evaluate: {
    names: [
      'x',
      'y',
      'batch_size',
      'verbose',
      'sample_weight',
      'steps',
      'callbacks',
      'return_dict',
    ],
    first: 2,
    lacks: ['verbose', 'return_dict', 'steps'],
  },
  predict: {
    names: ['x', 'batch_size', 'verbose', 'steps', 'callbacks'],
    first: 1,
    lacks: ['verbose', 'steps'],
    type: tensor,
  },
  train_on_batch: {
    names: ['x', 'y', 'sample_weight', 'class_weight', 'return_dict'],
    first: 2,
    lacks: ['return_dict'],
    isPromise: true,
  },
  test_on_batch: {
    names: ['x', 'y', 'sample_weight', 'return_dict'],
    first: 2,
    lacks: ['return_dict'],
    isPromise: true,
  },
  predict_on_batch: { names: ['x'], first: 1, lacks: [], type: tensor },
  summary: {
    names: [
      'line_length',
      'positions',
      'print_fn',
      'expand_nested',
      'show_trainable',
      'layer_range',
    ],
    first: 0,
    lacks: [
      'line_length',
      'positions',
      'print_fn',
      'expand_nested',
      'show_trainable',
      'layer_range',
    ],
  },
};

const isTrue = (value: Expr | undefined): boolean =>
  value?.kind === 'const' && value.value === true;

/** Translates the call of a method of a model; null for other methods and values. */
export function fitted(port: Port, call: Call, name: string, owner: Code): Code | null {
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  const { k } = owner.type ?? any;
  const isUnknown = !owner.type || k === 'any' || k === 'layer';
  if (!form || !(isModel(owner.type) || (isUnknown && name !== 'predict_on_batch'))) return null;
  if (isModel(owner.type) && owner.type?.k === 'object' && owner.type.info.methods.has(name))
    return null;
  port.needsTraining ||= name !== 'predict' && name !== 'summary' && name !== 'predict_on_batch';
  const target = within(owner, level.call);
  const { items, entries, pairs } = split(port, call, form, name);
  if (name === 'compile') remember(port, target, pairs);
  if (entries.length > 0) items.push(object(entries));
  const here = name === 'predict_on_batch' ? 'predict' : camel(name);
  const doc: Doc = { open: `${whole(target)}.${here}(`, items, close: ')' };
  if (name === 'summary') return called(doc, null);
  const x = pairs.find((each) => each.name === 'x')?.arg.value;
  if (x?.kind === 'name' && !port.scope.parent && !port.admit(x)) {
    port.traced = ['console.table(', target, '.traceMasks(', port.expr(x).doc, '));'];
  }
  const isStream =
    (name === 'evaluate' || name === 'predict') && x !== undefined && isLazy(port, x);
  const outputs = owner.type?.k === 'model' ? owner.type.outputs : undefined;
  const type = (here === 'predict' ? outputs : undefined) ?? form.type ?? null;
  const value = form.isPromise || isStream ? port.awaited(doc, type) : called(doc, type);
  if (name !== 'evaluate' && name !== 'train_on_batch' && name !== 'test_on_batch') return value;
  const returnsDict = isTrue(pairs.find((each) => each.name === 'return_dict')?.arg.value);
  return measures(port, value, target, returnsDict);
}

/** Returns whether rows arrive later: a generator, or an object of the program. */
function isLazy(port: Port, x: Expr): boolean {
  const { type } = port.expr(x);
  return type?.k === 'iterator' || type?.k === 'object' || type?.k === 'fn' || x.kind === 'comp';
}

function split(port: Port, call: Call, form: Form, name: string) {
  const pairs = pair(call.args, form.names);
  const x = pairs.find((each) => each.name === 'x')?.arg.value;
  // Without its first argument, no call of the package begins.
  const isAlone = port.admit(x) && form.first > 0;
  for (const { name: key, arg } of pairs) if (isAlone || key === 'y') port.admit(arg.value);
  const items: Doc[] = [];
  const entries: Doc[] = [];
  for (const each of pairs) {
    const { value, star } = each.arg;
    const index = each.name ? form.names.indexOf(each.name) : -1;
    if (star) {
      if (star === '**') entries.push(['...', within(port.expr(value), 1)]);
      else items.push(['...', within(port.expr(value), 1)]);
    } else if (each.name === null)
      port.note(value.at, 'guess', `${name}: this argument is left out`);
    else if (index >= 0 && index < form.first) items[index] = within(dataOf(port, value), 1);
    else if (form.lacks.includes(each.name)) dropped(port, name, each.name, value);
    else if (index < 0 && name !== 'compile') lacking(port, `${name}()`, each.name, value);
    else if (each.name !== 'verbose' || !isQuiet(value))
      entries.push(entry(camel(each.name), settingValue(port, each.name, value)));
  }
  const filled = Array.from({ length: items.length }, (_, i): Doc => items[i] ?? 'undefined');
  if (entries.length > 0 && name !== 'compile')
    while (filled.length < Math.min(form.first, 2) && name !== 'predict') filled.push('null');
  const hasY = pairs.some((each) => each.name === 'y');
  if (!hasY && form.first === 2 && filled.at(-1) === 'null') filled.pop();
  return { items: filled, entries, pairs };
}

/** Rows of a Sequence or PyDataset of the program are batches. */
function dataOf(port: Port, value: Expr): Code {
  const item = port.expr(value);
  if (item.type?.k === 'object' && item.type.info.base === 'Dataset') {
    return called([`${port.helper('batchesOf')}(`, item.doc, ')'], item.type);
  }
  // An iterator, because a list would be the inputs of one batch.
  if (value.kind === 'comp' && value.form === 'gen') {
    return called([within(item, level.call), '.values()'], { k: 'iterator', item: null });
  }
  return item;
}

/** fit() is quiet here unless `verbose` is 1, in Keras unless it is 0. */
const isQuiet = (value: Expr): boolean => value.kind === 'num' && value.text === '0';

function dropped(port: Port, method: string, name: string, value: Expr): void {
  if (name === 'return_dict' || name === 'verbose') return;
  lacking(port, `${method}()`, name, value);
}

/** Remembers whether a model has metrics: then Keras's evaluate() returns a list. */
function remember(
  port: Port,
  target: Doc,
  pairs: readonly { name: string | null; arg: Arg }[],
): void {
  const has = pairs.some(
    ({ name }) => name === 'metrics' || name === 'weighted_metrics' || name === null,
  );
  port.metrics.set(whole(target), has);
  port.metrics.set('', has);
}

/** Keras returns the loss alone, or a list with the metrics, where the package has a dictionary. */
function measures(port: Port, value: Code, target: Doc, returnsDict: boolean): Code {
  if (returnsDict) return { ...value, type: { k: 'dict', item: num } };
  const has = port.metrics.get(whole(target)) ?? port.metrics.get('') ?? false;
  if (!has) return called([within(value, level.call), '.loss'], num);
  return called(['Object.values(', value.doc, ')'], listOf(num));
}
