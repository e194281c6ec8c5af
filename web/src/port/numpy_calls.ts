// SPDX-License-Identifier: MIT
// NumPy: arrays are tensors, functions are those of `ops`, and those of numbers are those of Math.
import { Absent } from './absent.js';
import type { Arg, Call, Expr } from './ast.js';
import { type Code, called, code, level, type Port, primary, within } from './context.js';
import { opCall, tensorOf } from './op_calls.js';
import { type Doc, list, object } from './print.js';
import { dtypeText, entry } from './settings.js';
import { shuffled } from './shuffle.js';
import { shape } from './subscripts.js';
import { asNumber, operate } from './operators.js';
import { bool, int, isNumber, isTensor, itemOf, num, tensor, type Type } from './types.js';

const constants: { readonly [name: string]: Code } = {
  newaxis: primary('null', { k: 'none' }),
  pi: primary('Math.PI', num),
  e: primary('Math.E', num),
  inf: primary('Infinity', num),
  Inf: primary('Infinity', num),
  nan: primary('NaN', num),
  NaN: primary('NaN', num),
};

/** Functions of numbers. */
const maths: { readonly [name: string]: string } = {
  sqrt: 'sqrt',
  exp: 'exp',
  log: 'log',
  log10: 'log10',
  log2: 'log2',
  abs: 'abs',
  absolute: 'abs',
  fabs: 'abs',
  floor: 'floor',
  ceil: 'ceil',
  sin: 'sin',
  cos: 'cos',
  tan: 'tan',
  tanh: 'tanh',
  maximum: 'max',
  minimum: 'min',
  sign: 'sign',
  trunc: 'trunc',
};

const comparisons: { readonly [name: string]: string } = {
  less: '<',
  less_equal: '<=',
  greater: '>',
  greater_equal: '>=',
  equal: '==',
  not_equal: '!=',
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
  power: '**',
};

type Maker = (port: Port, call: Call) => Code;
const argument = (call: Call, name: string, position: number): Expr | undefined =>
  call.args.find((arg) => arg.name === name)?.value ??
  call.args.filter((arg) => !arg.name && !arg.star)[position]?.value;

/** `np.zeros((2, 3))`: the dtype has a name. */
const filled =
  (name: string): Maker =>
  (port, call) => {
    const size = argument(call, 'shape', 0);
    const value = name === 'full' ? argument(call, 'fill_value', 1) : undefined;
    const dtype = argument(call, 'dtype', name === 'full' ? 2 : 1);
    const items: Doc[] = [size ? shape(port, size) : '[]'];
    if (value) items.push(within(port.expr(value), 1));
    if (dtype) items.push(object([entry('dtype', dtypeOf(port, dtype))]));
    return called({ open: `${port.name('ops')}.${name}(`, items, close: ')' }, tensor);
  };

/** Writes a dtype that is a text, `np.int32`, `int` or `bool`. */
export function dtypeOf(port: Port, node: Expr): Doc {
  if (node.kind === 'str') return dtypeText(port, node.value, node.at);
  const names: { readonly [id: string]: string } = { int: 'int32', float: 'float32', bool: 'bool' };
  const id = node.kind === 'name' ? node.id : node.kind === 'attr' ? node.name : '';
  if (Object.hasOwn(names, id)) return `'${names[id]}'`;
  if (/^(float|int|uint|bool)/.test(id)) return dtypeText(port, id.replace(/_$/, ''), node.at);
  return port.expr(node).doc;
}

const random = (port: Port, call: Call, name: string, items: Doc[]): Code => {
  port.note(
    call.at,
    'random',
    `random.${name} draws other numbers than NumPy, of the same distribution`,
  );
  return called({ open: `${port.name('random')}.${name}(`, items, close: ')' }, tensor);
};

/** Returns the one number of a random tensor of shape [], when no size is given. */
const drawn = (port: Port, call: Call, name: string, size: Expr | undefined, rest: Doc[]): Code => {
  if (size && !(size.kind === 'const'))
    return random(port, call, name, [shape(port, size), ...rest]);
  const { doc } = random(port, call, name, ['[]', ...rest]);
  return called([doc, '.item()'], name === 'randint' ? int : num);
};

const sizes: (name: string) => Maker = (name) => (port, call) => {
  const dims = call.args.map((arg) => port.expr(arg.value).doc);
  if (dims.length === 0) return drawn(port, call, name, undefined, []);
  return random(port, call, name, [list(dims)]);
};

const ranged =
  (name: string, low: string, high: string): Maker =>
  (port, call) => {
    const rest = [argument(call, low, 0), argument(call, high, 1)].map((each) =>
      each ? port.expr(each).doc : null,
    );
    const keys = name === 'uniform' ? ['minval', 'maxval'] : ['mean', 'stddev'];
    const entries = rest.flatMap((doc, i) => (doc ? [entry(keys[i] as string, doc)] : []));
    return drawn(
      port,
      call,
      name,
      argument(call, 'size', 2),
      entries.length > 0 ? [object(entries)] : [],
    );
  };

const integers: Maker = (port, call) => {
  const [first, second] = [argument(call, 'low', 0), argument(call, 'high', 1)];
  const isOne = !second || (second.kind === 'const' && second.value === null);
  const low = isOne || !first ? '0' : within(port.expr(first), 1);
  const high = within(
    isOne && first ? port.expr(first) : second ? port.expr(second) : primary('1'),
    1,
  );
  return drawn(port, call, 'randint', argument(call, 'size', 2), [low, high]);
};

const seed: Maker = (port, call) => {
  port.note(
    call.at,
    'random',
    'random numbers differ from those of NumPy; the seed repeats those of maskflow',
  );
  const value = call.args[0] ? port.expr(call.args[0].value).doc : '0';
  return port.awaited([`${port.name('ready')}(`, object([entry('seed', value)]), ')'], null);
};

const makers: { readonly [name: string]: Maker } = {
  array: arrayOf,
  asarray: arrayOf,
  ascontiguousarray: arrayOf,
  asanyarray: arrayOf,
  zeros: filled('zeros'),
  ones: filled('ones'),
  empty: filled('zeros'),
  full: filled('full'),
  'random.rand': sizes('uniform'),
  'random.random': (port, call) => drawn(port, call, 'uniform', argument(call, 'size', 0), []),
  'random.random_sample': (port, call) =>
    drawn(port, call, 'uniform', argument(call, 'size', 0), []),
  'random.randn': sizes('normal'),
  'random.standard_normal': (port, call) =>
    drawn(port, call, 'normal', argument(call, 'size', 0), []),
  'random.uniform': ranged('uniform', 'low', 'high'),
  'random.normal': ranged('normal', 'loc', 'scale'),
  'random.randint': integers,
  'random.integers': integers,
  'random.seed': seed,
  'random.choice': chosen,
  'random.shuffle': (port, call) => {
    const name = argument(call, 'x', 0);
    const value = name && port.expr(name);
    if (!value || !isTensor(value.type)) return shuffled(port, call);
    const isOwn = name.kind === 'name' && !port.scope.parameters.has(name.id);
    if (!isOwn) {
      throw new Absent('absent', call.at, 'tensors do not change; write x = random.shuffle(x)');
    }
    port.scope.find(name.id)?.last.set(`${name.id}=`, tensor);
    const { doc } = random(port, call, 'shuffle', [value.doc]);
    return code([value.doc, ' = ', doc], level.arrow, null);
  },
  'random.permutation': (port, call) => {
    const value = port.expr((call.args[0] as Arg).value);
    const items =
      value.type?.k === 'num' ? [`${port.name('ops')}.arange(`, value.doc, ')'] : value.doc;
    return random(port, call, 'shuffle', [items]);
  },
  'random.default_rng': (port, call) => {
    seed(port, call);
    return primary(`/* the generator of NumPy */ ${port.name('random')}`, {
      k: 'lib',
      path: 'numpy.random',
    });
  },
  'random.RandomState': (port, call) => {
    seed(port, call);
    return primary(port.name('random'), { k: 'lib', path: 'numpy.random' });
  },
  prod: (port, call) =>
    ofNumbersOr(port, call, 'prod', (items) => [items, '.reduce((a, b) => a * b, 1)']),
  sum: (port, call) =>
    ofNumbersOr(port, call, 'sum', (items) => [items, '.reduce((a, b) => a + b, 0)']),
  mean: (port, call) =>
    ofNumbersOr(port, call, 'mean', (items) => [
      items,
      '.reduce((a, b, _, list) => a + b / list.length, 0)',
    ]),
  max: (port, call) => ofNumbersOr(port, call, 'max', (items) => ['Math.max(...', items, ')']),
  min: (port, call) => ofNumbersOr(port, call, 'min', (items) => ['Math.min(...', items, ')']),
  stack: (port, call) => opCall(port, 'stack', renamed(call, 'arrays', 'x')) as Code,
  concatenate: (port, call) => opCall(port, 'concatenate', renamed(call, 'arrays', 'xs')) as Code,
  set_printoptions: () => called('', null),
  shape: (port, call) => opCall(port, 'shape', call) as Code,
  identity: (port, call) => opCall(port, 'eye', call) as Code,
  amax: (port, call) => opCall(port, 'max', call) as Code,
  amin: (port, call) => opCall(port, 'min', call) as Code,
  copy: (port, call) => port.expr((call.args[0] as Arg).value),
  clip: (port, call) =>
    opCall(port, 'clip', renamed(renamed(call, 'a_min', 'x_min'), 'a_max', 'x_max')) as Code,
  expand_dims: (port, call) => opCall(port, 'expand_dims', call) as Code,
  isscalar: (port, call) =>
    code(
      ['typeof ', within(port.expr((call.args[0] as Arg).value), level.unary), " === 'number'"],
      level.equality,
      bool,
    ),
};

/** `np.random.choice(items, size, replace, p)`: one item, or several with or without repetition. */
function chosen(port: Port, call: Call): Code {
  const [items, size, replace, shares] = ['a', 'size', 'replace', 'p'].map((name, i) =>
    argument(call, name, i),
  );
  if (!items) throw new Absent('absent', call.at, 'this call lacks arguments');
  const isDistinct = replace?.kind === 'const' && replace.value === false;
  const hasSize = size && size.kind !== 'const';
  const value = port.expr(items);
  const isCount = value.type?.k === 'num';
  if (isDistinct && hasSize && !shares && port.expr(size).type?.k === 'num') {
    const rows: Doc = isCount ? [`${port.name('ops')}.arange(`, value.doc, ')'] : value.doc;
    const { doc } = random(port, call, 'shuffle', [rows]);
    return called([doc, '.getItem([{ stop: ', port.expr(size).doc, ' }])'], tensor);
  }
  if (isDistinct || (hasSize && port.expr(size).type?.k !== 'num')) {
    throw new Absent('absent', call.at, 'draw the items one by one, with np.random.choice(items)');
  }
  const args = [items, ...(shares ? [shares] : [])].map((each) => within(port.expr(each), 1));
  random(port, call, 'uniform', []);
  const one = called(
    { open: `${port.helper('choice')}(`, items: args, close: ')' },
    isCount ? int : itemOf(value.type),
  );
  if (!hasSize) return one;
  const count = within(port.expr(size), 1);
  const list_: Doc = ['Array.from({ length: ', count, ' }, () => ', one.doc, ')'];
  if (itemOf(value.type)?.k === 'str') return called(list_, { k: 'list', item: one.type });
  return called([`${port.name('tensor')}(`, list_, ')'], tensor);
}

function arrayOf(port: Port, call: Call): Code {
  const [x] = call.args;
  const dtype = argument(call, 'dtype', 1);
  const plain: Call = { ...call, args: x ? [x] : [] };
  const { doc } = tensorOf(port, plain);
  if (!dtype) return tensorOf(port, plain);
  const text = dtypeOf(port, dtype);
  const value = x && port.expr(x.value);
  if (value && isTensor(value.type))
    return called([within(value, level.call), '.cast(', text, ')'], tensor);
  if (value?.type?.k === 'list' && isTensor(value.type.item))
    return called([doc, '.cast(', text, ')'], tensor);
  const items: Doc[] = [value ? within(value, 1) : '[]', object([entry('dtype', text)])];
  return called({ open: `${port.name('tensor')}(`, items, close: ')' }, tensor);
}

/** A reduction of a list of numbers is a number; of a tensor it is an op. */
function ofNumbersOr(port: Port, call: Call, name: string, write: (items: Doc) => Doc): Code {
  const [first] = call.args;
  const value = first ? port.expr(first.value) : undefined;
  const isList =
    value?.type?.k === 'list' && isNumber(itemOf(value.type)) && call.args.length === 1;
  if (isList && value) return called(write(within(value, level.call)), itemOf(value.type));
  return opCall(port, name, renamed(call, 'a', 'x')) as Code;
}

const renamed = (call: Call, from: string, to: string): Call => ({
  ...call,
  args: call.args.map((arg) => (arg.name === from ? { ...arg, name: to } : arg)),
});

/** A function of Python's numbers, `math.sqrt` or `np.sqrt` of a number. */
export function mathCall(port: Port, name: string, call: Call): Code | null {
  const values = call.args.map((arg) => port.expr(arg.value));
  if (!values.every(({ type }) => isNumber(type))) return null;
  if (Object.hasOwn(comparisons, name) && values.length === 2) {
    return operate(
      port,
      comparisons[name] as string,
      values[0] as Code,
      values[1] as Code,
      call.at,
    );
  }
  if (!Object.hasOwn(maths, name) || values.length === 0) return null;
  const docs: Doc[] = values.map((value) => within(value, 1));
  const type: Type = /^(floor|ceil|trunc)$/.test(name) ? int : num;
  return called({ open: `Math.${maths[name]}(`, items: docs, close: ')' }, type);
}

/** Comparisons of numbers that may be tensors of one number: `np.less(current, best)`. */
function comparisonCall(port: Port, name: string, call: Call): Code | null {
  if (!Object.hasOwn(comparisons, name) || call.args.length !== 2) return null;
  const values = call.args.map((arg) => port.expr(arg.value));
  const isTensors = values.some(({ type }) => isTensor(type) || type?.k === 'list');
  if (isTensors || !values.some(({ type }) => isNumber(type))) return null;
  return operate(port, comparisons[name] as string, values[0] as Code, values[1] as Code, call.at);
}

/** Translates the call of a name of NumPy; null for other names. */
export function numpyCall(port: Port, path: string, call: Call): Code | null {
  const [, name] = /^numpy\.([\w.]+)$/.exec(path) ?? [];
  if (!name) return null;
  if (/array$/.test(name)) port.admit(call.args[0]?.value);
  const number = mathCall(port, name, call) ?? comparisonCall(port, name, call);
  if (number) return number;
  const [, scalar] = /^(float|int)(\d*)$/.exec(name) ?? [];
  if (scalar && call.args[0]) return scalarOf(port, name, call.args[0]);
  const maker = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (maker) return maker(port, call);
  const [first, ...rest] = call.args;
  const named =
    first?.name && ['a', 'arr', 'array', 'm'].includes(first.name)
      ? { ...first, name: null }
      : first;
  return opCall(port, name, named ? { ...call, args: [named, ...rest] } : call);
}

function scalarOf(port: Port, name: string, { value }: Arg): Code {
  const item = port.expr(value);
  if (isTensor(item.type))
    return called(
      [within(item, level.call), '.cast(', dtypeText(port, name, value.at), ')'],
      tensor,
    );
  const number = asNumber(item);
  return name.startsWith('int') ? called(['Math.trunc(', number.doc, ')'], int) : number;
}

export function numpyValue(port: Port, path: string, at: number): Code | null {
  const [, name = ''] = /^numpy\.([\w.]+)$/.exec(path) ?? [];
  if (Object.hasOwn(constants, name)) return constants[name] as Code;
  if (/^(float|int|uint)\d+$|^bool_?$/.test(name))
    return primary(dtypeText(port, name, at), { k: 'str' });
  return null;
}
