// SPDX-License-Identifier: MIT
// Pickles of any program: nothing is refused because it is unknown, since nothing runs. Unknown
// calls are objects with their arguments.
import { FormatError } from '../../base/errors.js';
import type { Budget } from '../open/budget.js';
import { constructors, mapOf } from './constructors.js';
import { opcodes, unknownOpcode } from './opcodes.js';
import { readPickle } from './pickle.js';
import type { Dialect, PickleReader } from './pickle_reader.js';
import { PythonName, PythonObject } from './python_values.js';
import { NumpyArray, NumpyDtype } from './numpy_values.js';
import { textOpcodes } from './text_opcodes.js';

/** Returns the attribute of a class or function as a name. */
function attribute([owner, key]: readonly unknown[], budget: Budget): unknown {
  if (owner instanceof PythonName && typeof key === 'string') {
    budget.spend('text', owner.name.length + key.length, 'the pickle');
    return new PythonName(`${owner.name}.${key}`);
  }
  return new PythonObject('builtins.getattr', [owner, key]);
}

/** An object of a class that defines no constructor: (class, its base, the value of the base). */
function reconstruct([type, , base]: readonly unknown[], budget: Budget): unknown {
  const object = new PythonObject(type instanceof PythonName ? type.name : 'object');
  if (Array.isArray(base) || base instanceof Map) {
    budget.spend('nodes', Array.isArray(base) ? base.length : base.size, 'the pickle');
    object.items = Array.isArray(base) ? [...base] : new Map(base);
  }
  return object;
}

/** Functions that become plain values, as in files of PyTorch. */
const plainValues =
  /^(collections|builtins|__builtin__)\.(OrderedDict|defaultdict|Counter|deque|set|frozenset|list|tuple|dict|bytes|bytearray)$|^_codecs\.encode$|^numpy\.(dtype$|_?core\.)/;

function call(callee: unknown, args: readonly unknown[], { budget }: PickleReader): unknown {
  if (!(callee instanceof PythonName)) return new PythonObject('call', [callee, ...args]);
  const { name } = callee;
  if (/^(builtins|__builtin__)\.getattr$/.test(name)) return attribute(args, budget);
  if (/^copy_?reg\._reconstructor$/.test(name)) return reconstruct(args, budget);
  const make = plainValues.test(name) ? constructors.get(name) : undefined;
  return make ? make(args, budget, name) : new PythonObject(name, args);
}

/** joblib's note in place of an array, whose bytes follow in the file. */
const isJoblibArray = (value: unknown): value is PythonObject =>
  value instanceof PythonObject && /joblib\.numpy_pickle\.NumpyArrayWrapper$/.test(value.className);

/** Reads the array that follows joblib's note. */
function joblibArray({ attributes }: PythonObject, pickle: PickleReader): NumpyArray {
  const [dtype, shape] = ['dtype', 'shape'].map((name) => attributes.get(name));
  if (!(dtype instanceof NumpyDtype) || !Array.isArray(shape)) {
    throw pickle.damaged('an array of joblib has no dtype or shape');
  }
  const isFortran = attributes.get('order') === 'F';
  const { file, budget } = pickle;
  if (dtype.kind === 'O') {
    budget.checkDepth(pickle.depth + 1, 'the pickles of the file');
    const { value, end } = readPickle(file, pickle.at, budget, {
      resolve: pickle.persistent,
      dialect: plainDialect,
      depth: pickle.depth + 1,
    });
    pickle.at = end;
    if (value instanceof NumpyArray) return value;
    throw pickle.damaged('an array of joblib has another value in its place');
  }
  if (typeof attributes.get('numpy_array_alignment_bytes') === 'number') {
    pickle.skip(pickle.uint(1));
  }
  const size = dtype.size * shape.reduce((count, dim) => count * Number(dim), 1);
  if (!(size >= 0)) throw pickle.damaged(`an array has the shape [${shape.slice(0, 64)}]`);
  const from = pickle.skip(size);
  const content = file.subarray(from, from + size);
  return new NumpyArray().set({ dtype, shape, content, isFortran }, budget);
}

export const plainDialect: Dialect = {
  opcodes: { ...opcodes, ...textOpcodes },
  unknownOpcode: (code, at) =>
    unknownOpcode(code, at, 'which is not one of a pickle with all its data inside'),
  call,
  create(name, args) {
    if (constructors.get(name) === mapOf) return new Map();
    return new PythonObject(name, Array.isArray(args) ? args : []);
  },
  built: (target, pickle) => (isJoblibArray(target) ? joblibArray(target, pickle) : target),
};

/** The resolver of pickles that refer to nothing outside. */
export function noPersistent(id: unknown): never {
  throw new FormatError(
    `the pickle refers to data outside of it (${typeof id === 'string' ? id.slice(0, 40) : typeof id}); files of PyTorch are read with readTorch of maskflow/torch`,
  );
}
