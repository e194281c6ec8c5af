// SPDX-License-Identifier: MIT
// Functions of TensorFlow that programs with Keras use: ops under their names there.
import type { Arg, Call, Expr } from './ast.js';
import { type Code, called, type Port, primary } from './context.js';
import { kerasCall } from './keras_calls.js';
import { opCall } from './op_calls.js';
import { dtypeText } from './settings.js';
import type { Doc } from './print.js';
import { rowOf } from './tables.js';
import { camel } from './identifiers.js';

interface Form {
  readonly op: string;
  /** Parameters of TensorFlow that have another name in ops. */
  readonly names?: { readonly [name: string]: string };
  /** TensorFlow's order, where it differs from that of ops. */
  readonly order?: readonly string[];
  /** Arguments that TensorFlow has by default. */
  readonly defaults?: { readonly [name: string]: string };
}

const input = {
  input: 'x',
  input_tensor: 'x',
  tensor: 'x',
  value: 'x',
  perm: 'axes',
  dim: 'axis',
};
const reduce = (op: string): Form => ({ op, names: input });

const forms: { readonly [name: string]: Form } = {
  reduce_mean: reduce('mean'),
  reduce_sum: reduce('sum'),
  reduce_max: reduce('max'),
  reduce_min: reduce('min'),
  reduce_prod: reduce('prod'),
  reduce_all: reduce('all'),
  reduce_any: reduce('any'),
  reduce_std: reduce('std'),
  reduce_variance: reduce('var'),
  reduce_logsumexp: reduce('logsumexp'),
  concat: { op: 'concatenate', names: { values: 'xs' } },
  gather: { op: 'take', names: { params: 'x', indices: 'indices' }, defaults: { axis: '0' } },
  range: { op: 'arange', names: { limit: 'stop', delta: 'step' } },
  constant: { op: 'convert_to_tensor', names: { value: 'x' } },
  fill: { op: 'full', names: { dims: 'shape', value: 'fill_value' } },
  transpose: { op: 'transpose', names: { a: 'x', perm: 'axes' } },
  clip_by_value: {
    op: 'clip',
    names: { t: 'x', clip_value_min: 'x_min', clip_value_max: 'x_max' },
  },
  argmax: { op: 'argmax', names: input, defaults: { axis: '0' } },
  argmin: { op: 'argmin', names: input, defaults: { axis: '0' } },
  one_hot: { op: 'one_hot', names: { indices: 'x', depth: 'num_classes' } },
  where: { op: 'where', names: { x: 'x1', y: 'x2' } },
  split: { op: 'split', names: { value: 'x', num_or_size_splits: 'indices_or_sections' } },
  multiply: { op: 'multiply' },
  pow: { op: 'power' },
  is_nan: { op: 'isnan' },
  l2_normalize: { op: 'normalize', names: { x: 'x' } },
  top_k: { op: 'top_k', names: { input: 'x' } },
  boolean_mask: { op: '' },
  stop_gradient: { op: 'stop_gradient', names: { input: 'variable' } },
  identity: { op: 'copy' },
  reverse: { op: 'flip', names: { tensor: 'x' } },
  squared_difference: { op: '' },
  expand_dims: { op: 'expand_dims', names: input },
  cast: { op: 'cast', names: input },
  equal: { op: 'equal' },
};

function renamed(arg: Arg, names: { readonly [name: string]: string }): Arg {
  const name = arg.name && Object.hasOwn(names, arg.name) ? (names[arg.name] as string) : arg.name;
  return { ...arg, name };
}

/** Translates the call of a name of TensorFlow; null for other names. */
export function tensorflowCall(port: Port, path: string, call: Call): Code | null {
  const [, name = ''] = /^tensorflow\.(?:nn\.)?(\w+)$/.exec(path) ?? [];
  if (path.startsWith('tensorflow.random.')) return random(port, path.slice(18), call);
  if (path === 'tensorflow.Variable') return kerasCall(port, 'keras.Variable', call);
  if (path === 'tensorflow.function') return null;
  if (/^tensorflow\.(config|compat\.v1\.(disable|enable))\b/.test(path)) {
    port.note(call.at, 'ignored', `${path} is left out; devices and modes are chosen by the core`);
    return /list_/.test(path) ? primary('[]', { k: 'list', item: null }) : called('', null);
  }
  if (!name) return null;
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  if (form?.op === '') return null;
  const args = call.args.map((arg) => renamed(arg, form?.names ?? input));
  const row = rowOf('ops', form?.op ?? name);
  const names = row?.settings.map((each) => each.name) ?? [];
  for (const [key, text] of Object.entries(form?.defaults ?? {})) {
    const position = names.indexOf(key);
    const isGiven = args.some((arg, i) => arg.name === key || (!arg.name && i === position));
    const value: Expr = { kind: 'num', text, at: call.at };
    if (!isGiven) args.push({ name: key, star: '', value });
  }
  return opCall(port, form?.op ?? name, { ...call, args: withoutName(args) });
}

/** TensorFlow's `name` of an op has no meaning here. */
const withoutName = (args: readonly Arg[]): Arg[] => args.filter(({ name }) => name !== 'name');

function random(port: Port, name: string, call: Call): Code | null {
  if (name === 'set_seed') return kerasCall(port, 'keras.utils.set_random_seed', call);
  return kerasCall(port, `keras.random.${name}`, call);
}

export function tensorflowValue(port: Port, path: string, at: number): Code | null {
  const [, name = ''] = /^tensorflow\.(?:nn\.)?(\w+)$/.exec(path) ?? [];
  if (/^(float|int|uint|bfloat)\d+$|^bool$/.test(name)) {
    const doc: Doc = dtypeText(port, name, at);
    return primary(doc, { k: 'str' });
  }
  if (name === 'newaxis') return primary('null', { k: 'none' });
  const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
  const row = rowOf('ops', form?.op || name);
  return row
    ? called(`${port.name('ops', row.isTraining)}.${camel(row.name)}`, {
        k: 'lib',
        path: `keras.ops.${row.name}`,
      })
    : null;
}
