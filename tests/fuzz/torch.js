// SPDX-License-Identifier: MIT
// A case of the fuzzer: reads a damaged file of PyTorch, and makes its layers.
import { readdirSync, readFileSync } from 'node:fs';
import { unzipSync, zipSync } from 'fflate';
import { readTorch } from '../../dist/torch.js';
import * as mf from '../../dist/train.js';
import { generator, integer } from '../support/random.js';
import { mutateBytes, pick } from './mutate.js';
import { mutateZip } from './zip_damage.js';

const folder = new URL('../fixtures/torch/cases/', import.meta.url);
const paths = readdirSync(folder).flatMap((name) =>
  readdirSync(new URL(`${name}/`, folder))
    .filter((file) => !file.endsWith('.json'))
    .map((file) => `${name}/${file}`),
);

/** Opcodes and operands that matter to a reader of pickles. */
const words = [
  [0x52],
  [0x81],
  [0x62],
  [0x51],
  [0x28],
  [0x30],
  [0x31],
  [0x32],
  [0x68, 0],
  [0x68, 5],
  [0x71, 0],
  [0x4a, 255, 255, 255, 127],
  [0x4a, 255, 255, 255, 255],
  [0x8a, 9, 0, 0, 0, 0, 0, 0, 0, 0, 1],
  [0x58, 255, 255, 255, 255],
  [0x63, ...new TextEncoder().encode('os\nsystem\n')],
  [0x63, ...new TextEncoder().encode('torch\nUntypedStorage\n')],
  [0x58, 9, 0, 0, 0, ...new TextEncoder().encode('__proto__')],
  [0x95, 8, 0, 0, 0, 0, 0, 0, 0],
  [0x93],
  [0x94],
];

/** Inserts opcodes at random places, or damages any bytes. */
function mutatePickle(bytes, random) {
  if (random() < 0.5) return mutateBytes(bytes, random);
  let result = bytes;
  for (let n = integer(random, 1, 3); n > 0; n--) {
    const at = integer(random, 0, result.length);
    const removed = pick(random, [0, 0, 1, 2, 5]);
    result = Uint8Array.from([
      ...result.subarray(0, at),
      ...pick(random, words),
      ...result.subarray(at + removed),
    ]);
  }
  return result;
}

function damage(bytes, random) {
  if (bytes[0] !== 0x50) return (random() < 0.5 ? mutatePickle : mutateBytes)(bytes, random);
  if (random() < 0.25) return (random() < 0.5 ? mutateBytes : mutateZip)(bytes, random);
  const files = unzipSync(bytes);
  const names = Object.keys(files);
  const name =
    random() < 0.8 ? names.find((each) => each.endsWith('data.pkl')) : pick(random, names);
  files[name] = (name.endsWith('.pkl') ? mutatePickle : mutateBytes)(files[name], random);
  return zipSync(files, { level: pick(random, [0, 6]) });
}

const isTyped = (error) => error instanceof mf.MaskflowError;

/** Runs a call; returns whether it ended without a typed error. Other errors are thrown. */
function attempt(run) {
  try {
    run();
    return true;
  } catch (error) {
    if (!isTyped(error)) throw error;
    return false;
  }
}

const settings = {
  Embedding: { paddingIdx: 1 },
  LSTM: { returnState: true },
  Conv1d: { padding: 1 },
  MultiheadAttention: { numHeads: 1 },
  TransformerEncoder: { nhead: 1 },
  TransformerEncoderLayer: { nhead: 1 },
};

/** Uses everything that a file offers. Returns the number of its layers. */
function use(file) {
  let made = 0;
  for (const name of file.names.slice(0, 40)) attempt(() => mf.tidy(() => void file.get(name)));
  for (const { path, kind } of file.modules.slice(0, 20)) {
    made += attempt(() => file.layer(path, settings[kind] ?? {}).dispose());
  }
  return made;
}

export async function runCase(number) {
  const random = generator(number * 7919 + 1);
  const bytes = new Uint8Array(readFileSync(new URL(pick(random, paths), folder)));
  const prototype = Object.getOwnPropertyNames(Object.prototype).length;
  const { tensors } = mf.memory();
  let outcome;
  try {
    const file = await readTorch(damage(bytes, random), { limits: { bytes: 2 ** 28 } });
    outcome = use(file) > 0 ? 'layers' : 'tensors';
  } catch (error) {
    if (!isTyped(error)) throw error;
    outcome = error.name;
  }
  const left = mf.memory().tensors - tensors;
  if (left !== 0) return { failure: `${left} tensors are left` };
  if (Object.getOwnPropertyNames(Object.prototype).length !== prototype) {
    return { failure: 'Object.prototype changed' };
  }
  return { outcome };
}
