// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import { visible } from '../../base/visible.js';
import type { Budget } from '../open/budget.js';
import { PythonName, PythonObject } from './python_values.js';
import { rebuild } from './rebuild.js';
import { isTensor, unreadable } from './stored.js';

/** A value of Python that calls of this function become. */
type Constructor = (args: readonly unknown[], budget: Budget, name: string) => unknown;

const listOf: Constructor = ([items]) => (Array.isArray(items) ? items : []);

/** Counts values that one opcode copies: a few bytes of a pickle can copy a large value many times. */
const spendCopies = (budget: Budget, count: number): void =>
  budget.spend('nodes', count, 'the pickle');

/** OrderedDict, defaultdict, Counter: their items follow in the pickle, or come as an argument. */
const mapOf: Constructor = (args, budget) => {
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
const plain: Constructor = (_args, _budget, name) => new PythonObject(name);

const first: Constructor = ([value]) => value;

/** A function of PyTorch such as torch.tanh, which a module may have as an attribute: a name. */
const memberOf: Constructor = ([owner, key], budget, name) => {
  if (owner instanceof PythonName && owner.name.startsWith('torch.') && typeof key === 'string') {
    budget.spend('text', owner.name.length + key.length, 'the pickle');
    return new PythonName(`${owner.name}.${key}`);
  }
  return refuseCall(name);
};

function refuseCall(name: string): never {
  throw new FormatError(
    `the pickle calls '${visible(name)}', which is not run: readTorch reads data only; save the weights alone, torch.save(model.state_dict(), path)`,
  );
}

const unreadableTensor =
  (what: string): Constructor =>
  () =>
    unreadable(`a ${what} tensor`);

/** Names for each constructor, by module; `__builtin__` and `copy_reg` are of Python 2. */
const groups: readonly (readonly [Constructor, string, string])[] = [
  [mapOf, 'collections', 'OrderedDict defaultdict Counter'],
  [listOf, 'collections', 'deque'],
  [listOf, 'builtins', 'set frozenset list tuple'],
  [listOf, '__builtin__', 'set frozenset list tuple'],
  [mapOf, 'builtins', 'dict'],
  [mapOf, '__builtin__', 'dict'],
  [plain, 'builtins', 'slice range complex bytearray object'],
  [plain, '__builtin__', 'slice xrange complex bytearray object'],
  [memberOf, 'builtins', 'getattr'],
  [memberOf, '__builtin__', 'getattr'],
  [plain, '_codecs', 'encode'],
  [listOf, 'torch', 'Size'],
  [plain, 'torch', 'device Generator'],
  [plain, 'torch.serialization', '_get_layout'],
  [rebuild(2), 'torch._utils', '_rebuild_tensor'],
  [rebuild(2), 'torch._utils', '_rebuild_tensor_v2'],
  [rebuild(3), 'torch._utils', '_rebuild_tensor_v3'],
  [first, 'torch._utils', '_rebuild_parameter _rebuild_parameter_with_state'],
  [unreadableTensor('quantized'), 'torch._utils', '_rebuild_qtensor'],
  [
    unreadableTensor('sparse'),
    'torch._utils',
    '_rebuild_sparse_tensor _rebuild_sparse_csr_tensor _rebuild_nested_tensor',
  ],
  [
    unreadableTensor('meta'),
    'torch._utils',
    '_rebuild_meta_tensor_no_storage _rebuild_wrapper_subclass _rebuild_device_tensor_from_numpy',
  ],
  [
    unreadableTensor('uninitialized'),
    'torch.nn.parameter',
    'UninitializedParameter UninitializedBuffer',
  ],
  [plain, 'numpy', 'dtype ndarray'],
  [plain, 'numpy.random._pickle', '__randomstate_ctor __bit_generator_ctor __generator_ctor'],
  [plain, 'numpy.core.multiarray', 'scalar _reconstruct'],
  [plain, 'numpy._core.multiarray', 'scalar _reconstruct'],
  [plain, 'pathlib', 'Path PosixPath WindowsPath PurePosixPath PureWindowsPath'],
  [plain, 'pathlib._local', 'Path PosixPath WindowsPath'],
  [plain, 'datetime', 'datetime date time timedelta timezone'],
  [plain, 'decimal', 'Decimal'],
  [plain, 'uuid', 'UUID'],
  [plain, 'argparse', 'Namespace'],
  [plain, 'types', 'SimpleNamespace'],
  [plain, 'functools', 'partial'],
];

/** The functions that a pickle may call. */
const constructors: ReadonlyMap<string, Constructor> = new Map(
  groups.flatMap(([make, module, names]) =>
    names.split(' ').map((name) => [`${module}.${name}`, make] as const),
  ),
);

/**
 * Returns what a call becomes; nothing of the pickle runs. Throws FormatError for a function that
 * is not in the list.
 */
export function call(name: string, args: readonly unknown[], budget: Budget, depth = 0): unknown {
  budget.checkDepth(depth, 'the calls of the pickle');
  // Objects of classes that define no constructor, and tensors of subclasses.
  const [target, , inner] = args;
  if (/^copy_?reg\._reconstructor$/.test(name) && target instanceof PythonName) {
    return new PythonObject(target.name);
  }
  if (name === 'torch._tensor._rebuild_from_type_v2' && target instanceof PythonName) {
    return call(target.name, Array.isArray(inner) ? inner : [], budget, depth + 1);
  }
  const make = constructors.get(name);
  return make ? make(args, budget, name) : refuseCall(name);
}

/** Returns an object of a class without running its constructor. */
export function create(name: string, args: unknown): unknown {
  if (name === 'torch.Size')
    return Array.isArray(args) ? listOf(args, undefined as never, name) : [];
  const make = constructors.get(name);
  return make === mapOf ? new Map() : new PythonObject(name);
}

/** Sets the attributes of an object: a dictionary, or a pair of dictionaries. */
export function build(target: unknown, state: unknown, budget: Budget): void {
  if (target instanceof PythonObject) {
    const parts = Array.isArray(state) ? state : [state];
    spendCopies(budget, parts.length);
    for (const part of parts) {
      if (!(part instanceof Map)) continue;
      spendCopies(budget, part.size);
      for (const [key, value] of part) target.attributes.set(key, value);
    }
    return;
  }
  // Attributes of dictionaries, lists and tensors are of no interest.
  if (target instanceof Map || Array.isArray(target) || isTensor(target)) return;
  throw new FormatError('the pickle is damaged: it sets attributes of a value that has none');
}
