// SPDX-License-Identifier: MIT
// The calls that a pickle may make, each replaced by a function of this file. A name that is not in
// the table never runs.
import { FormatError } from '../../base/errors.js';
import type { Budget } from '../open/budget.js';
import { NumpyArray, NumpyDtype, scalarOf } from './numpy_values.js';
import { PythonObject } from './python_values.js';

/** A value of Python that calls of this function become. */
export type Constructor = (args: readonly unknown[], budget: Budget, name: string) => unknown;

export const listOf: Constructor = ([items]) => (Array.isArray(items) ? items : []);

/**
 * Counts values that one opcode copies: a few bytes of a pickle can copy a large value many times.
 */
const spendCopies = (budget: Budget, count: number): void =>
  budget.spend('nodes', count, 'the pickle');

/** OrderedDict, defaultdict, Counter: their items follow in the pickle, or come as an argument. */
export const mapOf: Constructor = (args, budget) => {
  const items = args.at(-1);
  if (items instanceof Map) {
    spendCopies(budget, items.size);
    return new Map(items);
  }
  const pairs = Array.isArray(items) ? items : [];
  spendCopies(budget, pairs.length);
  return new Map(pairs.filter(Array.isArray).map(([key, value]) => [key, value]));
};

/** A value of no interest, such as a path or a date: an object without attributes. */
export const plain: Constructor = (_args, _budget, name) => new PythonObject(name);

/** Encodes a text whose characters are bytes. */
function latin1Bytes(text: string, budget: Budget): Uint8Array {
  budget.unpack(text.length, 'the bytes of the pickle');
  const encoded = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) encoded[i] = text.charCodeAt(i);
  return encoded;
}

/** Bytes, as Python 3 writes them in protocols 0 to 2: text in latin1. */
const encode: Constructor = ([text, encoding], budget, name) =>
  typeof text === 'string' && encoding === 'latin1'
    ? latin1Bytes(text, budget)
    : new PythonObject(name, [text, encoding]);

const bytes: Constructor = ([value, encoding], budget) =>
  value instanceof Uint8Array
    ? value
    : typeof value === 'string' && encoding === 'latin-1'
      ? latin1Bytes(value, budget)
      : new Uint8Array();

const dtype: Constructor = ([code]) => new NumpyDtype(code);
const emptyArray: Constructor = () => new NumpyArray();
const scalar: Constructor = ([type, content], budget) => scalarOf(type, content, budget);
const frombuffer: Constructor = ([content, type, shape, order], budget) =>
  new NumpyArray().set({ content, dtype: type, shape, isFortran: order === 'F' }, budget);

/** A constructor, a module, and its functions that become a value. */
export type ConstructorGroup = readonly [Constructor, string, string];

/** Names for each constructor, by module; `__builtin__` and `copy_reg` are of Python 2. */
const groups: readonly ConstructorGroup[] = [
  [mapOf, 'collections', 'OrderedDict defaultdict Counter'],
  [listOf, 'collections', 'deque'],
  [listOf, 'builtins', 'set frozenset list tuple'],
  [listOf, '__builtin__', 'set frozenset list tuple'],
  [mapOf, 'builtins', 'dict'],
  [mapOf, '__builtin__', 'dict'],
  [bytes, 'builtins', 'bytes bytearray'],
  [bytes, '__builtin__', 'bytes bytearray'],
  [plain, 'builtins', 'slice range complex object'],
  [plain, '__builtin__', 'slice xrange complex object'],
  [encode, '_codecs', 'encode'],
  [dtype, 'numpy', 'dtype'],
  [plain, 'numpy', 'ndarray'],
  [plain, 'numpy.random._pickle', '__randomstate_ctor __bit_generator_ctor __generator_ctor'],
  [emptyArray, 'numpy.core.multiarray', '_reconstruct'],
  [emptyArray, 'numpy._core.multiarray', '_reconstruct'],
  [scalar, 'numpy.core.multiarray', 'scalar'],
  [scalar, 'numpy._core.multiarray', 'scalar'],
  [frombuffer, 'numpy.core.numeric', '_frombuffer'],
  [frombuffer, 'numpy._core.numeric', '_frombuffer'],
  [plain, 'pathlib', 'Path PosixPath WindowsPath PurePosixPath PureWindowsPath'],
  [plain, 'pathlib._local', 'Path PosixPath WindowsPath'],
  [plain, 'datetime', 'datetime date time timedelta timezone'],
  [plain, 'decimal', 'Decimal'],
  [plain, 'uuid', 'UUID'],
  [plain, 'argparse', 'Namespace'],
  [plain, 'types', 'SimpleNamespace'],
  [plain, 'functools', 'partial'],
];

/** Returns constructors by the names of their functions. */
export const byName = (list: readonly ConstructorGroup[]): [string, Constructor][] =>
  list.flatMap(([make, module, names]) =>
    names.split(' ').map((name): [string, Constructor] => [`${module}.${name}`, make]),
  );

/** The functions of Python and NumPy that a pickle may call. */
export const constructors: ReadonlyMap<string, Constructor> = new Map(byName(groups));

/** Sets the attributes of an object: a dictionary, or a pair of dictionaries. */
export function build(target: unknown, state: unknown, budget: Budget): void {
  if (target instanceof NumpyArray) target.setState(state, budget);
  else if (target instanceof NumpyDtype) target.setState(state);
  else if (target instanceof PythonObject) {
    const parts = Array.isArray(state) ? state : [state];
    spendCopies(budget, parts.length);
    for (const part of parts) {
      if (!(part instanceof Map)) continue;
      spendCopies(budget, part.size);
      for (const [key, value] of part) target.attributes.set(key, value);
    }
    if (!parts.some((part) => part instanceof Map)) target.state = state;
  } else refuseState(target);
}

/** Attributes of dictionaries, lists and tensors are of no interest; other values have none. */
function refuseState(target: unknown): void {
  if (typeof target === 'object' && target !== null) return;
  throw new FormatError('the pickle is damaged: it sets attributes of a value that has none');
}
