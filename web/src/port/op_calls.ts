// SPDX-License-Identifier: MIT
// Calls of `ops` and `random`: arguments by position stay, options have names at the end.
import type { Arg, Call } from './ast.js';
import { type Code, called, level, type Port, within } from './context.js';
import { camel } from './identifiers.js';
import { type Doc, object } from './print.js';
import { dtypeText, entry, lacking, pair, passes, settingValue } from './settings.js';
import { type Row, rowOf } from './tables.js';
import { int, isTensor, listOf, num, tensor, type Type } from './types.js';

/** Ops whose results are not one tensor. */
const results: { readonly [name: string]: Type } = {
  split: listOf(tensor),
  array_split: listOf(tensor),
  unstack: listOf(tensor),
  meshgrid: listOf(tensor),
  moments: listOf(tensor),
  nonzero: listOf(tensor),
  top_k: listOf(tensor),
  shape: listOf(int),
  size: num,
};

/** Names of Keras with another one here. */
const others: { readonly [name: string]: string } = {
  amax: 'max',
  amin: 'min',
  empty: 'zeros',
  empty_like: 'zeros_like',
  hard_swish: 'hard_silu',
  swish: 'silu',
  identity: 'eye',
  saturate_cast: 'cast',
  vectorize: 'vectorized_map',
};

/** Ops that return their argument. */
const same = new Set(['copy', 'conj', 'conjugate', 'real', 'convert_to_numpy', 'identity_of']);

const first = (call: Call): Arg | undefined => call.args[0];

/** Translates the call of an op; null if the package has none of that name. */
export function opCall(port: Port, name: string, call: Call): Code | null {
  const argument = first(call);
  if (same.has(name) && argument) return { ...port.expr(argument.value), type: tensor };
  if ((name === 'array' || name === 'convert_to_tensor') && argument) return tensorOf(port, call);
  if (name === 'ndim' && argument)
    return called([within(port.expr(argument.value), level.call), '.rank'], int);
  if (name === 'is_tensor' && argument) {
    return called(
      [
        '(',
        within(port.expr(argument.value), level.relational),
        ` instanceof ${port.name('Tensor')})`,
      ],
      { k: 'bool' },
    );
  }
  const keras = Object.hasOwn(others, name) ? (others[name] as string) : name;
  const row = rowOf('ops', keras);
  return row ? opOfRow(port, row, call) : null;
}

/** Orders the arguments of an op: required ones by position, options by name. */
export function opOfRow(port: Port, row: Row, call: Call, space = 'ops'): Code {
  const names = row.settings.map(({ name }) => name);
  const items: (Doc | undefined)[] = [];
  const entries: Doc[] = [];
  for (const [position, { name, arg }] of pair(call.args, names).entries()) {
    const index = name === null ? position : names.indexOf(name);
    const setting = row.settings[index];
    if (arg.star) {
      const spread: Doc = ['...', within(port.expr(arg.value), 1)];
      if (arg.star === '*') items[position] = spread;
      else entries.push(spread);
    } else if (setting?.isAbsent || (name !== null && index < 0)) {
      lacking(port, `ops.${camel(row.name)}`, name as string, arg.value);
    } else if (!arg.name || !setting?.isOptional) {
      items[index < 0 ? position : index] = argumentOf(port, row, setting?.name ?? '', arg);
    } else entries.push(entry(camel(setting.name), settingValue(port, setting.name, arg.value)));
  }
  const filled: Doc[] = Array.from({ length: items.length }, (_, i) => items[i] ?? 'undefined');
  if (entries.length > 0) filled.push(object(entries));
  const type = (Object.hasOwn(results, row.name) ? results[row.name] : undefined) ?? tensor;
  const head = `${port.name(space, row.isTraining)}.${camel(row.name)}(`;
  return called({ open: head, items: filled, close: ')' }, type);
}

function argumentOf(port: Port, row: Row, name: string, arg: Arg): Doc {
  const { value } = arg;
  if (name === 'dtype' && value.kind === 'str') return dtypeText(port, value.value, value.at);
  const item = port.expr(value);
  if (item.type?.k === 'fn') passes(item.type.fn, [tensor, tensor, tensor]);
  if (item.type?.k === 'lib') return settingValue(port, name, value);
  // A shape may be a number.
  if (
    /^(zeros|ones|full|reshape|broadcast_to)$/.test(row.name) &&
    /shape/.test(name) &&
    item.type?.k === 'num'
  ) {
    return ['[', item.doc, ']'];
  }
  return within(item, 1);
}

/** `np.array(x, dtype)` and `ops.convert_to_tensor(x)`. */
export function tensorOf(port: Port, call: Call): Code {
  const pairs = pair(call.args, ['x', 'dtype']);
  const [x] = pairs;
  const dtype = pairs.find(({ name }) => name === 'dtype')?.arg.value;
  const value = x ? port.expr(x.arg.value) : undefined;
  if (!value) return called(`${port.name('tensor')}([])`, tensor);
  const text =
    dtype && !(dtype.kind === 'const')
      ? dtype.kind === 'str'
        ? dtypeText(port, dtype.value, dtype.at)
        : settingValue(port, 'dtype', dtype)
      : null;
  if (value.type?.k === 'tensor') {
    return text ? called([within(value, level.call), '.cast(', text, ')'], tensor) : value;
  }
  if (isTensor(value.type)) {
    return called(
      [
        `${port.name('ops')}.convertToTensor(`,
        value.doc,
        ...(text ? [', ', object([entry('dtype', text)])] : []),
        ')',
      ],
      tensor,
    );
  }
  const list = value.type?.k === 'list' && holdsTensors(value.type);
  if (list && !text) return called([`${port.name('ops')}.stack(`, value.doc, ')'], tensor);
  const items: Doc[] = [within(value, 1), ...(text ? [object([entry('dtype', text)])] : [])];
  return called(
    {
      open: `${port.name(list ? 'ops' : 'tensor')}${list ? '.stack' : ''}(`,
      items: list ? [items[0] as Doc] : items,
      close: ')',
    },
    tensor,
  );
}

const holdsTensors = (type: Type): boolean => type.k === 'list' && isTensor(type.item);

/** Translates the call of a name of `keras.random`. */
export function randomCall(port: Port, name: string, call: Call): Code | null {
  const row = rowOf('random', name);
  if (!row) return null;
  if (name === 'SeedGenerator') {
    const seed = call.args[0] ? port.expr(call.args[0].value).doc : '';
    return called([`new ${port.name('random')}.SeedGenerator(`, seed, ')'], null);
  }
  port.note(
    call.at,
    'random',
    `random.${camel(name)} draws other numbers than Keras, of the same distribution`,
  );
  const required = new Set([
    'shape',
    'logits',
    'num_samples',
    'minval',
    'maxval',
    'x',
    'inputs',
    'rate',
    'alpha',
    'beta',
    'counts',
    'probabilities',
  ]);
  const isUniform = name === 'uniform';
  const settings = row.settings.map((each) => ({
    ...each,
    isOptional: !required.has(each.name) || (isUniform && each.name !== 'shape'),
  }));
  return byName(port, { ...row, settings }, call);
}

/** Writes a call whose options all have names. */
function byName(port: Port, row: Row, call: Call): Code {
  const names = row.settings.map((each) => each.name);
  const args = pair(call.args, names).map(({ name, arg }): Arg => {
    const isOptional = row.settings.find((each) => each.name === name)?.isOptional;
    return isOptional && name && !arg.star ? { ...arg, name } : arg;
  });
  return opOfRow(port, row, { ...call, args }, 'random');
}
