// SPDX-License-Identifier: MIT
// Arguments of Keras's classes and functions as options with names in camelCase.
import type { Arg, Call, Expr } from './ast.js';
import type { Port } from './context.js';
import { within } from './context.js';
import { camel, isKey } from './identifiers.js';
import type { Doc } from './print.js';
import { quoted } from './strings.js';
import type { Row, Setting } from './tables.js';
import { type Fn, listOf, int, tensor, type Type, join } from './types.js';

/** Settings that all layers have. */
const ofLayers = [
  'name',
  'dtype',
  'trainable',
  'input_shape',
  'batch_input_shape',
  'batch_size',
  'activity_regularizer',
];
const ofMeasures = ['name', 'dtype', 'reduction'];
/** Settings by namespace beyond those of the table. */
export const common: { readonly [space: string]: readonly string[] } = {
  layers: ofLayers,
  losses: ofMeasures,
  metrics: ofMeasures,
  optimizers: ['name'],
};

/** Settings of Python programs that change nothing here, with the reason. */
const needless: { readonly [name: string]: string } = {
  input_length: 'Keras 3 ignores it',
  implementation: 'the implementation is chosen by the core',
  use_cudnn: 'the implementation is chosen by the core',
  unroll: 'the core needs no unrolled loops',
  time_major: 'inputs have the batch first',
  use_multiprocessing: 'data is read in one thread',
  workers: 'data is read in one thread',
  max_queue_size: 'data is read in one thread',
  run_eagerly: 'every call runs at once',
  jit_compile: 'the core is compiled already',
  steps_per_execution: 'each batch is one step',
  auto_scale_loss: 'losses are float32',
  flash_attention: 'the implementation is chosen by the core',
  autocast: 'everything is float32',
  synchronized: 'one device computes',
};

/** Adds what is known of the parameters of a function that the package will call. */
export function passes(fn: Fn, types: readonly Type[]): void {
  for (const [i, { name, star }] of fn.params
    .filter(({ name: each }) => each !== 'self')
    .entries()) {
    const type = types[i];
    if (type && star === '') fn.types.set(name, join(fn.types.get(name), type) ?? type);
  }
}

const shapeFirst = [listOf(int)];
const tensorsOnly = [tensor, tensor, tensor, tensor];

/** Translates the value of a setting. */
export function settingValue(port: Port, name: string, value: Expr): Doc {
  const { doc, type } = port.expr(value);
  if (type?.k === 'lib') return named(port, type.path, value) ?? doc;
  if (type?.k === 'fn') {
    const isInputs = name === 'function' || name === 'mask';
    const types: readonly Type[] = isInputs ? [{ k: 'inputs' }, { k: 'inputs' }] : tensorsOnly;
    passes(type.fn, name.endsWith('initializer') ? shapeFirst : types);
  }
  return doc;
}

/** Returns the name of a function of Keras: 'relu' for keras.activations.relu. */
function named(port: Port, path: string, value: Expr): Doc | null {
  const [, name] =
    /^(?:keras\.activations|keras\.ops|tensorflow\.nn|keras\.backend|tensorflow)\.(\w+)$/.exec(
      path,
    ) ?? [];
  if (name) return quoted(name === 'leaky_relu' ? 'leaky_relu' : name);
  const [, dtype] = /^(?:numpy|tensorflow)\.(float\d+|int\d+|uint8|bool_?)$/.exec(path) ?? [];
  if (dtype) return dtypeText(port, dtype, value.at);
  return null;
}

/** Writes a dtype that tensors have, with a note if it is another one. */
export function dtypeText(port: Port, dtype: string, at: number): Doc {
  if (/^(float64|double|float16|bfloat16|half)$/.test(dtype)) {
    port.note(at, 'dtype', `numbers are float32 here, not ${dtype}`);
    return "'float32'";
  }
  if (/^(u?int(8|16|64)|uint32|long)$/.test(dtype)) {
    if (dtype !== 'int64') port.note(at, 'dtype', `integers are int32 here, not ${dtype}`);
    return "'int32'";
  }
  return quoted(
    dtype.replace(/_$/, '') === 'float'
      ? 'float32'
      : dtype.replace(/_$/, '') === 'int'
        ? 'int32'
        : dtype.replace(/_$/, ''),
  );
}

const isNone = (value: Expr): boolean =>
  value.kind === 'const' && (value.value === null || value.value === false);

/** `key: value`, or `key` alone. */
export function entry(key: string, value: Doc): Doc {
  const name = isKey(key) ? key : `[${quoted(key)}]`;
  return value === key ? key : [name, ': ', value];
}

interface Target {
  /** How messages call the function. */
  readonly label: string;
  readonly settings: readonly Setting[];
  readonly others: readonly string[];
  /** Number of arguments by position that are not settings. */
  readonly skip?: number;
}

/** Settings that layers refuse to be without. */
const required = /^(units|input_dim|output_dim|num_heads|key_dim|filters|kernel_size|rate)$/;

/** Pairs the arguments of a call with names of parameters. */
export function pair(
  args: readonly Arg[],
  names: readonly string[],
): { name: string | null; arg: Arg }[] {
  let position = 0;
  return args.map((arg) => {
    if (arg.star || arg.name) return { name: arg.name, arg };
    return { name: names[position++] ?? null, arg };
  });
}

/** Returns arguments as entries of an options object. */
export function options(port: Port, call: Call, target: Target): Doc[] {
  const { label, settings, others, skip = 0 } = target;
  const positional = settings.map(({ name }) => name);
  const entries: Doc[] = [];
  for (const { name: given, arg } of pair(call.args.slice(skip), positional)) {
    const { at } = arg.value;
    // Keras 2 had a short name.
    const name = given === 'lr' && positional.includes('learning_rate') ? 'learning_rate' : given;
    if (arg.star === '**') entries.push(['...', within(port.expr(arg.value), 1)]);
    else if (arg.star === '*' || name === null) {
      port.note(
        at,
        'setting',
        `${label}: an argument by position has no name here; write it by name`,
      );
    } else {
      const known = settings.find((each) => each.name === name);
      const exists = known ? !known.isAbsent : others.includes(name);
      if (required.test(name)) port.admit(arg.value);
      if (exists) entries.push(entry(camel(name), settingValue(port, name, arg.value)));
      else lacking(port, label, name, arg.value);
    }
  }
  return entries;
}

/** Adds the note for a setting that the package lacks. */
export function lacking(port: Port, label: string, name: string, value: Expr): void {
  if (Object.hasOwn(needless, name)) {
    if (!isNone(value))
      port.note(value.at, 'ignored', `${label}: ${name} is left out; ${needless[name]}`);
  } else if (!isNone(value)) {
    port.note(value.at, 'setting', `${label} has no setting ${name} in maskflow; it is left out`);
  } else
    port.note(
      value.at,
      'ignored',
      `${label}: ${name} is left out; it has no effect with this value`,
    );
}

export const targetOf = (space: string, row: Row): Target => ({
  label: row.name,
  settings: row.settings,
  others: common[space] ?? [],
});
