// SPDX-License-Identifier: MIT
// A case of the fuzzer: reads a damaged file of PyTorch, and makes its layers.
import { readdirSync, readFileSync } from 'node:fs';
import { unzipSync, zipSync } from 'fflate';
import { readTorch } from '../../dist/torch.js';
import * as mf from '../../dist/train.js';
import { generator, integer } from '../support/random.js';
import { mutateBytes, pick } from './mutate.js';
import { mutateOpcodes, splitPickle } from './pickle_damage.js';
import { mutateZip } from './zip_damage.js';

const folder = new URL('../fixtures/torch/cases/', import.meta.url);
const paths = readdirSync(folder).flatMap((name) =>
  readdirSync(new URL(`${name}/`, folder))
    .filter((file) => !file.endsWith('.json'))
    .map((file) => `${name}/${file}`),
);

const mutatePickle = (bytes, random) =>
  (random() < 0.25 ? mutateBytes : mutateOpcodes)(bytes, random);

/** Damages one of the pickles of a file before PyTorch 1.6, mostly the one of the content. */
function mutateLegacy(bytes, random) {
  let at = 0;
  for (let skipped = pick(random, [0, 2, 3, 3, 3, 3, 4]); skipped > 0; skipped--) {
    at = bytes.length - splitPickle(bytes.subarray(at)).rest.length + 1;
  }
  return Uint8Array.from([...bytes.subarray(0, at), ...mutatePickle(bytes.subarray(at), random)]);
}

const oddNumbers = [
  null,
  -1,
  0,
  1,
  1.5,
  7,
  2 ** 31,
  2 ** 53,
  1e308,
  '1',
  [],
  {},
  'F32',
  'F64',
  'BOOL',
];

/** Changes numbers and words in the header of a .safetensors file. */
function mutateHeader(bytes, random) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
  // A copy, because a later change of the header may fill its arrays and objects.
  const oddNumber = () => structuredClone(pick(random, oddNumbers));
  for (let n = pick(random, [1, 1, 2]); n > 0; n--) {
    const entry = header[pick(random, Object.keys(header))];
    const key = pick(random, Object.keys(entry));
    const inner = pick(random, [entry, entry[key]]);
    if (inner === entry) entry[key] = oddNumber();
    else if (Array.isArray(inner)) inner[integer(random, 0, 1)] = oddNumber();
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(BigUint64Array.of(BigInt(text.length)).buffer);
  return Uint8Array.from([...length, ...text, ...bytes.subarray(start)]);
}

function damage(bytes, random) {
  if (bytes[0] === 0x80) return (random() < 0.75 ? mutateLegacy : mutateBytes)(bytes, random);
  if (bytes[0] !== 0x50) return (random() < 0.75 ? mutateHeader : mutateBytes)(bytes, random);
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
  Embedding: { maskId: 1 },
  LSTM: { returnState: true },
  Conv1d: { padding: 1 },
  MultiheadAttention: { numHeads: 1 },
  TransformerEncoder: { nhead: 1 },
  TransformerEncoderLayer: { nhead: 1 },
};

const optionNames = [
  'kind name paddingIdx maskZero maskId returnSequences returnState nonlinearity numLayers bidirectional activation',
  'bias eps momentum normalizedShape rank kernelSize stride padding dilation groups paddingMode',
  'numHeads nhead embedDim kdim normFirst layerNormEps causal dropout',
].flatMap((names) => names.split(' '));
const optionValues = [
  ...[0, 1, 2, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 10n, null, true, false],
  ...[
    '',
    'same',
    'relu',
    'gelu',
    'LSTM',
    'constructor',
    '\u001b[0m',
    '\ud800',
    [],
    [2],
    [1, 2],
    {},
  ],
  ...[Object.create(null), new Map(), Symbol('x'), () => 1],
];

/** Returns one or two options that the module may or may not have. */
const oddOptions = (random) =>
  Object.fromEntries([1, 2].map(() => [pick(random, optionNames), pick(random, optionValues)]));

/** Uses everything that a file offers. Returns the number of its layers. */
function use(file, random) {
  let made = 0;
  for (const name of file.names.slice(0, 40)) attempt(() => mf.tidy(() => void file.get(name)));
  for (const { path, kind } of file.modules.slice(0, 20)) {
    const usual = settings[kind] ?? {};
    made += attempt(() => file.layer(path, usual).dispose());
    attempt(() => file.layer(path, { ...usual, ...oddOptions(random) }).dispose());
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
    outcome = use(file, random) > 0 ? 'layers' : 'tensors';
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
