// SPDX-License-Identifier: MIT
// docs/keras-names.md says which public names of Keras the package has. It is generated from the
// names of the installed Keras (tests/fuzz/keras_names.py) and from the package:
// `node tests/web/keras_names.test.js --write` writes it.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import * as mf from '../../dist/train.js';

await mf.ready();
const page = new URL('../../docs/keras-names.md', import.meta.url);
const fixture = new URL('../fixtures/keras_names/names.json', import.meta.url);
const { version, ...namespaces } = JSON.parse(readFileSync(fixture, 'utf8'));

/** Names of Keras and of the package differ in case and underscores. */
const plain = (name) => name.replaceAll('_', '').toLowerCase();
const plainNames = (object) => new Set(Object.keys(object ?? {}).map(plain));
const topLevel = plainNames(mf);

function isActivation(name) {
  try {
    mf.layers.activation({ activation: name }).dispose?.();
    return true;
  } catch {
    return false;
  }
}

/** Members that other members of the package replace: [namespace, name, its replacement]. */
const replaced = [
  ['*', 'get', 'a name in a string'],
  ['*', 'serialize', '`getConfig()`'],
  ['*', 'deserialize', '`deserializeLayer`, or a config'],
  ['layers', 'InputLayer', '`Input`'],
  ['layers', 'InputSpec', '`build(shape)`'],
  ['layers', 'Wrapper', '`class … extends Layer`'],
  ...['TextVectorization', 'StringLookup', 'IntegerLookup', 'Hashing', 'HashedCrossing'].map(
    (name) => ['layers', name, 'in `maskflow/text`'],
  ),
  ...[
    ['AvgPool1D', 'averagePooling1D'],
    ['Convolution1D', 'conv1D'],
    ['Convolution1DTranspose', 'conv1DTranspose'],
    ['GlobalAvgPool1D', 'globalAveragePooling1D'],
    ['GlobalMaxPool1D', 'globalMaxPooling1D'],
    ['MaxPool1D', 'maxPooling1D'],
    ['SeparableConvolution1D', 'separableConv1D'],
  ].map(([name, own]) => ['layers', name, `\`layers.${own}\`; the name is read in files`]),
  ['utils', 'register_keras_serializable', '`registerLayer`'],
  ['utils', 'set_random_seed', '`ready({ seed })`'],
  ['utils', 'serialize_keras_object', '`serializeLayer`'],
  ['utils', 'deserialize_keras_object', '`deserializeLayer`'],
  ['utils', 'custom_object_scope', '`loadModel(source, { customObjects })`'],
  ['utils', 'clear_session', '`restart()`'],
  ['callbacks', 'History', 'the result of `fit`'],
  ['ops', 'abs', '`ops.absolute`'],
  ['ops', 'amax', '`ops.max`'],
  ['ops', 'amin', '`ops.min`'],
  ['ops', 'array', '`tensor`'],
  ['ops', 'convert_to_numpy', '`x.array()`, `x.data()`'],
  ['ops', 'copy', '`ops.stopGradient`'],
  ['ops', 'dtype', '`x.dtype`'],
  ['ops', 'hard_swish', '`ops.hardSilu`'],
  ['ops', 'identity', '`ops.eye`'],
  ['ops', 'is_tensor', '`x instanceof Tensor`'],
  ['ops', 'ndim', '`x.rank`'],
  ['ops', 'swish', '`ops.silu`'],
];

/** Why other names are absent. The first pattern that matches counts. */
const reasons = [
  [
    /2D|3D|Random|RandAugment|Pipeline|BoundingBox|Image|Crop|Resizing|CutMix|MixUp|AugMix|Auto|Equalization|Solarization|img|image/,
    'images and volumes',
  ],
  [/^(depth_to_space|space_to_depth|fold|unfold|psnr|adaptive_)/, 'images and volumes'],
  [
    /fft|stft|STFT|Mel|complex|^(angle|conj|conjugate|imag|isreal|polar|real)$/,
    'signals and complex numbers',
  ],
  [/bitwise|shift$/, 'bits of integers'],
  [
    /cholesky|^(det|eig|eigh|inv|logdet|lstsq|lu_factor|matrix_rank|pinv|qr|slogdet|solve|solve_triangular|svd|jvp)$/,
    'linear algebra',
  ],
  [/^nan/, 'sums and extremes that leave NaN out'],
  [
    /Jax|Flax|Torch|TFSM|Orbax|RemoteMonitor|vectorize$|custom_gradient|associative_scan/,
    'of a back end or of a service',
  ],
  [
    /directory|get_file|plot_model|model_to_dot|logging|Progbar|PyDataset|Sequence$|audio|FeatureSpace/,
    'files and output of Python',
  ],
  [
    /^(bartlett|blackman|hamming|hanning|kaiser|i0|sinc|correlate|trapezoid|vander)$/,
    'signals and complex numbers',
  ],
];
const reasonOf = (name) => reasons.find(([pattern]) => pattern.test(name))?.[1] ?? 'not available';

const replacementOf = (space, name) =>
  replaced.find(([of, each]) => (of === '*' || of === space) && each === name)?.[2];

function sorted(space, names) {
  const own = plainNames(space.split('.').reduce((object, key) => object?.[key], mf));
  if (space === 'optimizers.schedules') for (const name of plainNames(mf.schedules)) own.add(name);
  const has = (name) =>
    own.has(plain(name)) ||
    (/^[A-Z]|^utils$/.test(space === 'utils' ? space : name) && topLevel.has(plain(name))) ||
    (space === 'activations' && isActivation(name));
  const have = names.filter(has);
  const rest = names.filter((name) => !has(name));
  const instead = rest.filter((name) => replacementOf(space, name));
  const absent = new Map();
  for (const name of rest.filter((name) => !replacementOf(space, name))) {
    const reason = reasonOf(name);
    absent.set(reason, [...(absent.get(reason) ?? []), name]);
  }
  return { have, instead, absent };
}

const code = (names) => names.map((name) => `\`${name}\``).join(', ');

function section(space, names) {
  const { have, instead, absent } = sorted(space, names);
  const lines = [`## keras.${space}`, '', `${have.length} of ${names.length}: ${code(have)}.`, ''];
  if (instead.length > 0) {
    const each = instead.map((name) => `\`${name}\` (${replacementOf(space, name)})`);
    lines.push(`Instead: ${each.join(', ')}.`, '');
  }
  for (const [reason, missing] of absent) lines.push(`Absent, ${reason}: ${code(missing)}.`, '');
  return lines;
}

/** Breaks lines before column 101. */
const wrapped = (line) => line.replace(/(.{1,100})(?: |$)/g, '$1\n').trimEnd();

const text = `${[
  '# Names of Keras',
  '',
  `The public names of Keras ${version}, by namespace: those that maskflow has, in camelCase and as`,
  'functions in place of classes; those with another name here; and those that are absent.',
  'This page is generated from the installed Keras and from the package, and a test compares it.',
  '',
  ...Object.entries(namespaces).flatMap(([space, names]) => section(space, names)),
]
  .map(wrapped)
  .join('\n')
  .trimEnd()}\n`;

if (process.argv.includes('--write')) writeFileSync(page, text);

test('docs/keras-names.md lists the names that the package has', () => {
  assert.equal(readFileSync(page, 'utf8'), text);
});
