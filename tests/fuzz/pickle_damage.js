// SPDX-License-Identifier: MIT
// Damages a pickle opcode by opcode, so that most of it stays valid: other integers, names and
// text, opcodes left out, repeated or moved.
import { integer, pick } from '../support/random.js';

/** Bytes of the operand by opcode; other opcodes have none. */
const fixed = {
  128: 1,
  149: 8,
  74: 4,
  75: 1,
  77: 2,
  71: 8,
  113: 1,
  114: 4,
  104: 1,
  106: 4,
};
/** Bytes of the length before the operand. */
const counted = {
  138: 1,
  139: 4,
  88: 4,
  140: 1,
  141: 8,
  84: 4,
  85: 1,
  66: 4,
  67: 1,
  142: 8,
  150: 8,
};
const kGlobal = 0x63;
const kStop = 0x2e;
const kLineFeed = 10;

/** Returns the end of the operand of the opcode at `at`. */
function operandEnd(bytes, at) {
  const code = bytes[at];
  if (code === kGlobal) {
    return bytes.indexOf(kLineFeed, bytes.indexOf(kLineFeed, at) + 1) + 1;
  }
  const size = counted[code];
  if (size === undefined) return at + 1 + (fixed[code] ?? 0);
  let length = 0;
  for (let i = size; i > 0; i--) length = length * 256 + bytes[at + i];
  return at + 1 + size + length;
}

/**
 * Returns the opcodes of the pickle at the start, each with its operand, and the bytes after it.
 */
export function splitPickle(bytes) {
  const opcodes = [];
  let at = 0;
  while (at < bytes.length && bytes[at] !== kStop) {
    const end = operandEnd(bytes, at);
    if (end <= at || end > bytes.length) break;
    opcodes.push([...bytes.subarray(at, end)]);
    at = end;
  }
  return { opcodes, rest: [...bytes.subarray(at)] };
}

const words = new TextEncoder();
const text = (value) => [0x58, value.length, 0, 0, 0, ...words.encode(value)];
const name = (value) => [kGlobal, ...words.encode(`${value}\n`)];
const int = (value) => [0x4a, value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24];

const integers = [-1, 0, 1, 2, 3, 5, 255, 65_536, 2 ** 31 - 1, -(2 ** 31)].map(int);
const texts = [
  '',
  '.',
  'weight',
  'a.weight',
  '__proto__',
  'storage',
  'cpu',
  '0',
  'param_groups',
  '\ud800',
];
const names = [
  'os\nsystem',
  'builtins\ngetattr',
  'torch\nUntypedStorage',
  'torch\nQInt8Storage',
  'torch._utils\n_rebuild_tensor_v3',
  'torch._utils\n_rebuild_parameter',
  'torch._tensor\n_rebuild_from_type_v2',
  'collections\nOrderedDict',
  'torch.nn.modules.rnn\nLSTM',
];
const others = [
  [0x4e],
  [0x88],
  [0x28],
  [0x30],
  [0x31],
  [0x32],
  [0x52],
  [0x51],
  [0x62],
  [0x81],
  [0x85],
  [0x93],
  [0x5d],
  [0x7d],
  [0x8a, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  [0x8d, 255, 255, 255, 255, 255, 255, 255, 255],
  [0x47, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0],
];

/** An opcode of the same kind as the given one: what the next opcodes expect. */
function alike([code], random) {
  if ([0x4a, 0x4b, 0x4d, 0x8a].includes(code)) return pick(random, integers);
  if ([0x58, 0x8c].includes(code)) return text(pick(random, texts));
  if (code === kGlobal) return name(pick(random, names));
  if ([0x68, 0x6a].includes(code)) return [0x68, integer(random, 0, 255)];
  return pick(random, others);
}

const changes = [
  (opcodes, at, random) => opcodes.splice(at, 1, alike(opcodes[at], random)),
  (opcodes, at, random) => opcodes.splice(at, 1, alike(opcodes[at], random)),
  (opcodes, at) => opcodes.splice(at, 1),
  (opcodes, at) => opcodes.splice(at, 0, opcodes[at]),
  (opcodes, at, random) => opcodes.splice(at, 0, pick(random, others)),
  (opcodes, at, random) => opcodes.splice(at, 1, opcodes[integer(random, 0, opcodes.length - 1)]),
];

/** Returns the pickle with one to three opcodes changed. */
export function mutateOpcodes(bytes, random) {
  const { opcodes, rest } = splitPickle(bytes);
  for (let n = pick(random, [1, 1, 2, 3]); n > 0 && opcodes.length > 0; n--) {
    pick(random, changes)(opcodes, integer(random, 0, opcodes.length - 1), random);
  }
  return Uint8Array.from([...opcodes.flat(), ...rest]);
}
