// SPDX-License-Identifier: MIT
import { FormatError } from '../../base/errors.js';
import { isRecord } from '../json.js';

export type Container = 'zip' | 'hdf5' | 'json';

/**
 * What a file is, by its first bytes, whatever its name. FormatError for what no reader here takes, saying what
 * it looks like and what to do.
 */
export function containerOf(bytes: Uint8Array, name: string): Container {
  const head = bytes.subarray(0, kLooked);
  if (head.length === 0) throw new FormatError(`${name} is empty (0 bytes)`);
  if (starts(head, 'PK\x03\x04') || starts(head, 'PK\x05\x06')) return 'zip';
  if (starts(head, '\x89HDF\r\n\x1a\n')) return 'hdf5';
  const text = textOf(head);
  if (text.startsWith('{') || text.startsWith('[')) return 'json';
  const what =
    strangerIn(bytes, name) ??
    `${name} is not a model file of a known format: it begins with ${show(head)}`;
  throw new FormatError(
    `${what}; a model is a .keras file, a .h5 file of Keras, or model.json of TensorFlow.js with its shards`,
  );
}

/** Enough of a file to tell by what it is. */
export const kLooked = 4096;

/** What a file is instead of one that is wanted, and what to do; undefined when it looks like nothing that is known. */
export function strangerIn(bytes: Uint8Array, name: string): string | undefined {
  const head = bytes.subarray(0, kLooked);
  const text = textOf(head);
  return strangers.find(([is]) => is(text, head))?.[1].replace('%', () => name);
}

/** The beginning as text, without the mark of UTF-8 and space. */
function textOf(head: Uint8Array): string {
  const text = latin1(head);
  return (text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text).trimStart();
}

type Test = (text: string, head: Uint8Array) => boolean;

const at =
  (place: number, signature: string): Test =>
  (_, head) =>
    starts(head.subarray(place), signature);

const kWebPages = ['<!doctype', '<html', '<head', '<body', '<?xml', '<!--'];

const strangers: readonly (readonly [Test, string])[] = [
  [
    (text) => text.startsWith('version https://git-lfs.github.com'),
    '% is a pointer of Git LFS, not the file itself: run `git lfs pull`, or fetch the file from where it is kept',
  ],
  [
    (text) => {
      const start = text.slice(0, 10).toLowerCase();
      return kWebPages.some((tag) => start.startsWith(tag));
    },
    '% is a web page (HTML), perhaps an error page: check the address, and that the server has the file',
  ],
  [
    at(4, 'TFL3'),
    '% is a TensorFlow Lite model, which is compiled already: save the Keras model itself',
  ],
  [at(0, '\x93NUMPY'), '% is a NumPy array, not a model'],
  [at(0, 'GGUF'), '% is a GGUF model, not one of Keras'],
  [at(0, '\x1f\x8b'), '% is packed with gzip: unpack it first'],
  [
    (_, head) => head[0] === 0x80 && (head[1] as number) >= 2 && (head[1] as number) <= 5,
    '% is a Python pickle (as PyTorch and joblib write), which only Python can run: save with model.save("name.keras")',
  ],
  [(_, head) => isSavedModel(head), savedModel('%')],
  [
    (_, head) =>
      head[0] === 8 && (head[1] as number) <= 32 && [0x12, 0x1a, 0x3a].includes(head[2] as number),
    '% looks like an ONNX model: save the Keras model itself with model.save("name.keras")',
  ],
  [
    (_, head) => head[8] === 0x7b && head.subarray(5, 8).every((byte) => byte === 0),
    '% looks like a safetensors file, which has weights only',
  ],
];

/** saved_model.pb begins with its version, 1, and then its graphs, tagged for instance "serve". */
const isSavedModel = (head: Uint8Array): boolean =>
  starts(head, '\x08\x01\x12') &&
  ['serve', 'tensorflow', 'train'].some((word) => latin1(head).includes(word));

/** What to say of a folder of TensorFlow's own. */
export function savedModel(name: string): string {
  return `${name} is a SavedModel of TensorFlow, whose graph has no Keras layers left: load it in Python and save it with model.save("name.keras")`;
}

function starts(head: Uint8Array, signature: string): boolean {
  return latin1(head.subarray(0, signature.length)) === signature;
}

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

function show(head: Uint8Array): string {
  const first = head.subarray(0, 8);
  return `the bytes ${[...first].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;
}

/** Does JSON describe a model, or a TF.js model with its weights? */
export const isArchitecture = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((layer) => isRecord(layer) && 'class_name' in layer)
    : isRecord(value) &&
      ['class_name', 'layers', 'model_config', 'modelTopology'].some((key) => value[key] ?? false);
