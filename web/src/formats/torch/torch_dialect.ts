// SPDX-License-Identifier: MIT
// The list of functions that a pickle of PyTorch may call. Any other call is an error; nothing ever
// runs.
import { FormatError } from '../../base/errors.js';
import { visible } from '../../base/visible.js';
import type { Budget } from '../open/budget.js';
import {
  byName,
  type Constructor,
  type ConstructorGroup,
  constructors,
  listOf,
  mapOf,
  plain,
} from '../pickle/constructors.js';
import { opcodes, unknownOpcode } from '../pickle/opcodes.js';
import type { Dialect } from '../pickle/pickle_reader.js';
import { PythonName, PythonObject } from '../pickle/python_values.js';
import { rebuild } from './rebuild.js';
import { storageIn } from './storage_file.js';
import { unreadable } from './stored.js';

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

/** A storage of `pickle.dump`: a whole file of `torch.save`, with the storage alone. */
function storageOf([bytes]: readonly unknown[], budget: Budget, name: string): unknown {
  if (!(bytes instanceof Uint8Array)) return refuseCall(name);
  return storageIn(bytes, budget, innerDialect);
}

const unreadableTensor =
  (what: string): Constructor =>
  () =>
    unreadable(`a ${what} tensor`);

const groups: readonly ConstructorGroup[] = [
  [memberOf, 'builtins', 'getattr'],
  [memberOf, '__builtin__', 'getattr'],
  [listOf, 'torch', 'Size'],
  [plain, 'torch', 'device Generator'],
  [plain, 'torch.serialization', '_get_layout'],
  [rebuild(2), 'torch._utils', '_rebuild_tensor'],
  [rebuild(2), 'torch._utils', '_rebuild_tensor_v2'],
  [rebuild(3), 'torch._utils', '_rebuild_tensor_v3'],
  [first, 'torch._utils', '_rebuild_parameter _rebuild_parameter_with_state'],
  // Lists and dictionaries of torch.jit.save.
  [
    first,
    'torch.jit._pickle',
    'build_intlist build_doublelist build_boollist build_tensorlist restore_type_tag',
  ],
  [storageOf, 'torch.storage', '_load_from_bytes'],
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
];

/** The functions that a file of PyTorch may call. */
const allowed: ReadonlyMap<string, Constructor> = new Map([...constructors, ...byName(groups)]);

/**
 * Returns what a call becomes; nothing of the pickle runs. Throws FormatError for a function that
 * is not in the list.
 */
function call(name: string, args: readonly unknown[], budget: Budget, depth = 0): unknown {
  budget.checkDepth(depth, 'the calls of the pickle');
  // Objects of classes that define no constructor, and tensors of subclasses.
  const [target, , inner] = args;
  if (/^copy_?reg\._reconstructor$/.test(name) && target instanceof PythonName) {
    return new PythonObject(target.name);
  }
  if (name === 'torch._tensor._rebuild_from_type_v2' && target instanceof PythonName) {
    return call(target.name, Array.isArray(inner) ? inner : [], budget, depth + 1);
  }
  const make = allowed.get(name);
  return make ? make(args, budget, name) : refuseCall(name);
}

/** Returns an object of a class without running its constructor. */
function create(name: string, args: unknown): unknown {
  if (name === 'torch.Size')
    return Array.isArray(args) ? listOf(args, undefined as never, name) : [];
  const make = allowed.get(name);
  return make === mapOf ? new Map() : new PythonObject(name);
}

/** Files inside of pickles, which have no further files. */
const innerDialect: Dialect = {
  opcodes,
  unknownOpcode: (code, at) => unknownOpcode(code, at, 'which torch.save does not write'),
  call(_callee, _args, pickle) {
    throw pickle.damaged('a storage calls a function');
  },
  create,
};

/** Files of PyTorch: calls are those that `torch.save` writes; another one is an error. */
export const torchDialect: Dialect = {
  opcodes,
  unknownOpcode: (code, at) =>
    unknownOpcode(
      code,
      at,
      'which torch.save does not write; save the file with torch.save(model.state_dict(), path)',
    ),
  call(callee, args, pickle) {
    if (callee instanceof PythonName) return call(callee.name, args, pickle.budget);
    throw pickle.damaged('a call has no function');
  },
  create,
};
