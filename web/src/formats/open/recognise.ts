// SPDX-License-Identifier: MIT
// Decides from the first bytes which reader a file needs. For others, such as an HTML error page,
// the message says what arrived.
import { FormatError } from '../../base/errors.js';
import { isRecord } from '../json.js';

/** A kind of file that `load.ts` has a reader for. */
export type Container = 'zip' | 'hdf5' | 'json' | 'pickle' | 'gzip' | 'savedModel' | 'tar';

const kModels =
  'a model is a .keras file, a .h5 file of Keras, or model.json of TensorFlow.js with its shards';

/**
 * Detects the container of a file from its first bytes; the name is used only in messages.
 * Throws FormatError for any other file: the message says what it looks like, what to do, and which
 * files are `expected`.
 */
export function containerOf(bytes: Uint8Array, name: string, expected = kModels): Container {
  const head = bytes.subarray(0, kHeadBytes);
  if (head.length === 0) throw new FormatError(`${name} is empty (0 bytes)`);
  if (starts(head, 'PK\x03\x04') || starts(head, 'PK\x05\x06')) return 'zip';
  if (starts(head, '\x89HDF\r\n\x1a\n')) return 'hdf5';
  if (isPickle(head)) return 'pickle';
  if (starts(head, '\x1f\x8b')) return 'gzip';
  if (isSavedModel(head) || isKerasMetadata(head)) return 'savedModel';
  if (starts(head.subarray(257), 'ustar')) return 'tar';
  const text = textOf(head);
  if (text.startsWith('{') || text.startsWith('[')) return 'json';
  const problem =
    strangerIn(bytes, name) ??
    `${name} is not a model file of a known format: it begins with ${showBytes(head)}`;
  throw new FormatError(`${problem}; ${expected}`);
}

/**
 * Returns whether it is a pickle of protocol 2 or later, or one that joblib compressed with zlib.
 */
function isPickle([first = 0, second = 0]: Uint8Array): boolean {
  if (first === 0x80) return second >= 2 && second <= 5;
  return first === 0x78 && (256 * first + second) % 31 === 0;
}

/** Number of bytes from which a format can be detected. */
export const kHeadBytes = 4096;

/**
 * Says what a file that is not a model looks like, and what to do about it; undefined if it looks
 * like nothing known.
 */
export function strangerIn(bytes: Uint8Array, name: string): string | undefined {
  const head = bytes.subarray(0, kHeadBytes);
  const text = textOf(head);
  return strangers.find(([matches]) => matches(text, head))?.[1].replace('%', () => name);
}

/** Returns the first bytes as text, without a byte order mark and leading whitespace. */
function textOf(head: Uint8Array): string {
  const text = latin1(head);
  return (text.startsWith('\xef\xbb\xbf') ? text.slice(3) : text).trimStart();
}

/** Returns whether a file with these first bytes is of a kind. */
type Test = (text: string, head: Uint8Array) => boolean;

const hasAt =
  (offset: number, signature: string): Test =>
  (_, head) =>
    starts(head.subarray(offset), signature);

const kWebPages = ['<!doctype', '<html', '<head', '<body', '<?xml', '<!--'];

/** Files that are not models: a test, and the message with % for the name. */
const strangers: readonly (readonly [Test, string])[] = [
  [
    (text) => text.startsWith('version https://git-lfs.github.com'),
    '% is a Git LFS pointer, not the file itself: run `git lfs pull`, or download the file itself',
  ],
  [
    (text) => {
      const start = text.slice(0, 10).toLowerCase();
      return kWebPages.some((tag) => start.startsWith(tag));
    },
    '% is a web page (HTML), perhaps an error page: check the address and that the server has the file',
  ],
  [
    hasAt(4, 'TFL3'),
    '% is a TensorFlow Lite model, which has no Keras layers: save the Keras model itself',
  ],
  [hasAt(0, '\x93NUMPY'), '% is a NumPy array, not a model'],
  [hasAt(0, 'GGUF'), '% is a GGUF model, not one of Keras'],
  [hasAt(0, '\x1f\x8b'), '% is compressed with gzip: decompress it first'],
  [
    (_, head) => head[8] === 0x7b && head.subarray(5, 8).every((byte) => byte === 0),
    '% looks like a safetensors file, which has weights only: read it with readTorch of maskflow/torch',
  ],
  [
    (_, head) => isSavedModel(head),
    '% is the graph of a TensorFlow SavedModel: open its folder with loadModel',
  ],
  [
    (_, head) =>
      head[0] === 8 && (head[1] as number) <= 32 && [0x12, 0x1a, 0x3a].includes(head[2] as number),
    '% looks like an ONNX model: save the model itself, with model.save("name.keras") of Keras, or with torch.save(model.state_dict(), path) of PyTorch for readTorch of maskflow/torch',
  ],
];

/**
 * Returns whether it is a saved_model.pb, which begins with its version, 1, then its graphs with
 * tags such as "serve".
 */
export const isSavedModel = (bytes: Uint8Array): boolean => {
  const head = bytes.subarray(0, kHeadBytes);
  return (
    starts(head, '\x08\x01\x12') &&
    ['serve', 'tensorflow', 'train'].some((word) => latin1(head).includes(word))
  );
};

/** Returns whether it is a keras_metadata.pb, whose first object is the model. */
const isKerasMetadata = (head: Uint8Array): boolean =>
  head[0] === 10 && latin1(head.subarray(0, 99)).includes('\x04root"');

function starts(head: Uint8Array, signature: string): boolean {
  return latin1(head.subarray(0, signature.length)) === signature;
}

const latin1 = (bytes: Uint8Array): string => String.fromCharCode(...bytes);

function showBytes(head: Uint8Array): string {
  const first = head.subarray(0, 8);
  return `the bytes ${[...first].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')}`;
}

/** Returns whether JSON describes a model, as Keras or TF.js writes it. */
export const isArchitecture = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((layer) => isRecord(layer) && 'class_name' in layer)
    : isRecord(value) &&
      ['class_name', 'layers', 'model_config', 'modelTopology'].some((key) => value[key] ?? false);
