// SPDX-License-Identifier: MIT
// The effect of each opcode of a pickle, for all dialects. text_opcodes.ts adds protocols 0 and 1.
import { FormatError } from '../../base/errors.js';
import { build } from './constructors.js';
import type { PickleReader, Step } from './pickle_reader.js';
import { PythonName, PythonObject, setPairs } from './python_values.js';

/** An opcode that adds a value to the stack. */
export const push =
  (read: (pickle: PickleReader) => unknown): Step =>
  (pickle) =>
    pickle.push(read(pickle));

const tuple = (size: number): Step => push((pickle) => pickle.pop(size));

/** Adds pairs of key and value to a dictionary, or to an object that behaves like one. */
function setItems(pickle: PickleReader, items: readonly unknown[]): void {
  const target = pickle.top;
  if (target instanceof PythonObject) target.setItems(items);
  else if (target instanceof Map) setPairs(target, items);
  else throw pickle.damaged('items are set in a value without items');
}

function append(pickle: PickleReader, items: readonly unknown[]): void {
  const target = pickle.top;
  if (target instanceof PythonObject) target.append(items);
  else if (Array.isArray(target)) for (const item of items) target.push(item);
  else throw pickle.damaged('items are appended to a value without items');
}

function dictionary(items: readonly unknown[]): Map<unknown, unknown> {
  return setPairs(new Map<unknown, unknown>(), items);
}

function newObject(pickle: PickleReader, operands: number): void {
  const [type, args] = pickle.pop(operands);
  if (!(type instanceof PythonName)) throw pickle.damaged('an object has no class');
  pickle.push(pickle.dialect.create(type.name, args));
}

export function nameOf(pickle: PickleReader, [module, name]: readonly unknown[]): PythonName {
  if (typeof module === 'string' && typeof name === 'string') {
    return new PythonName(`${module}.${name}`);
  }
  throw pickle.damaged('a name is not text');
}

function reduce(pickle: PickleReader): void {
  const [callee, args] = pickle.pop(2);
  if (!Array.isArray(args)) throw pickle.damaged('a call has no arguments');
  pickle.push(pickle.dialect.call(callee, args, pickle));
}

function setState(pickle: PickleReader): void {
  const [state] = pickle.pop(1);
  build(pickle.top, state, pickle.budget);
  const { dialect } = pickle;
  if (dialect.built) pickle.push(dialect.built(pickle.pop(1)[0], pickle));
}

/** The opcodes of protocols from 2 on. */
export const opcodes: { readonly [code: number]: Step } = {
  // PROTO and FRAME describe the pickle itself.
  128: (pickle) => pickle.uint(1),
  149: (pickle) => pickle.uint(8),
  40: (pickle) => pickle.mark(),
  48: (pickle) => pickle.pop(1),
  49: (pickle) => pickle.popMark(),
  50: push((pickle) => pickle.top),
  78: push(() => null),
  136: push(() => true),
  137: push(() => false),
  74: push((pickle) => pickle.uint(4) | 0),
  75: push((pickle) => pickle.uint(1)),
  77: push((pickle) => pickle.uint(2)),
  138: push((pickle) => pickle.long(pickle.uint(1))),
  139: push((pickle) => pickle.long(pickle.uint(4))),
  71: push((pickle) => pickle.double()),
  88: push((pickle) => pickle.text(4)),
  140: push((pickle) => pickle.text(1)),
  141: push((pickle) => pickle.text(8)),
  84: push((pickle) => pickle.text(4)),
  85: push((pickle) => pickle.text(1)),
  66: push((pickle) => pickle.bytes(4)),
  67: push((pickle) => pickle.bytes(1)),
  142: push((pickle) => pickle.bytes(8)),
  150: push((pickle) => pickle.bytes(8)),
  93: push(() => []),
  41: push(() => []),
  143: push(() => []),
  125: push(() => new Map()),
  133: tuple(1),
  134: tuple(2),
  135: tuple(3),
  116: push((pickle) => pickle.popMark()),
  108: push((pickle) => pickle.popMark()),
  145: push((pickle) => pickle.popMark()),
  100: push((pickle) => dictionary(pickle.popMark())),
  97: (pickle) => append(pickle, pickle.pop(1)),
  101: (pickle) => append(pickle, pickle.popMark()),
  144: (pickle) => append(pickle, pickle.popMark()),
  115: (pickle) => setItems(pickle, pickle.pop(2)),
  117: (pickle) => setItems(pickle, pickle.popMark()),
  99: push((pickle) => nameOf(pickle, [pickle.line(), pickle.line()])),
  147: push((pickle) => nameOf(pickle, pickle.pop(2))),
  82: reduce,
  129: (pickle) => newObject(pickle, 2),
  146: (pickle) => newObject(pickle, 3),
  98: setState,
  81: push((pickle) => pickle.persistent(pickle.pop(1)[0])),
  113: (pickle) => pickle.remember(pickle.uint(1)),
  114: (pickle) => pickle.remember(pickle.uint(4)),
  148: (pickle) => pickle.remember(pickle.memoSize),
  104: push((pickle) => pickle.recall(pickle.uint(1))),
  106: push((pickle) => pickle.recall(pickle.uint(4))),
};

/** The error for an unknown opcode; `reason` says why it is an error. */
export function unknownOpcode(code: number, at: number, reason: string): FormatError {
  const shown =
    code > 32 && code < 127 ? `'${String.fromCharCode(code)}'` : `0x${code.toString(16)}`;
  return new FormatError(`the pickle has the opcode ${shown} at ${at}, ${reason}`);
}
