// SPDX-License-Identifier: MIT
// Model files whose class names, settings, layer and weight names try to break out of the module
// that writeSkeleton() writes.
import assert from 'node:assert/strict';
import { strToU8, zipSync } from 'fflate';
import * as mf from '../../dist/index.js';
import { writeWithLibhdf5 } from '../support/hdf5.js';
import { generator, integer, pick } from '../support/random.js';

const kCanary = 'globalThis.escaped = true';
const kNames = [
  'Attention',
  'PositionalEncoding',
  'class',
  'await',
  'undefined',
  'Layer',
  'layers',
  'Object',
  'constructor',
  '__proto__',
  'prototype',
  'toString',
  'settings',
  'handle',
  'weights',
  'name',
  '1st',
  '',
  ' ',
  'a b',
  'Größe',
  '変換',
  '😀',
  '\ud800',
  'a\u2028b',
  'x\u202ey',
  '*/',
  `*/ ${kCanary}; /*`,
  `"; ${kCanary}; "`,
  `'); ${kCanary}; ('`,
  `\`; ${kCanary}; \``,
  `\${${kCanary}}`,
  `\n${kCanary}\n`,
  `\u2028${kCanary}\u2028`,
  `\\"; ${kCanary}; //`,
  `A { static { ${kCanary} } } class B`,
  `</script><script>${kCanary}</script `,
  'x'.repeat(300),
];

const value = (random, depth = 0) => {
  const kind = integer(random, 0, depth < 2 ? 7 : 5);
  if (kind === 6) return [value(random, depth + 1), value(random, depth + 1)];
  if (kind === 7) return { [pick(random, kNames)]: value(random, depth + 1) };
  return [pick(random, kNames), integer(random, -3, 9), 0.5, null, true, 8][kind];
};

const settings = (random) =>
  Object.fromEntries(
    Array.from({ length: integer(random, 0, 4) }, () => [pick(random, kNames), value(random)]),
  );

const shape = (random) =>
  Array.from({ length: integer(random, 1, 3) }, () => integer(random, 1, 9));

/**
 * A name that HDF5 accepts. Keras 2 on Windows wrote paths with backslashes, and `layers` is the
 * list of a Sequential model.
 */
const groupName = (random, used) => {
  const name = pick(random, kNames).replace(/[/\\\ud800]|^layers$/g, '|') || 'empty';
  const free = used.has(name) || name === 'vars' || name === '.' ? `${name}${used.size}` : name;
  used.add(free);
  return free;
};

/** A layer's weights as nested groups: [arrays, children by name]. */
function group(random, depth = 0) {
  const arrays = Array.from({ length: integer(random, 0, 3) }, () => shape(random));
  const used = new Set();
  const children = Array.from({ length: depth < 3 ? integer(random, 0, 3) : 0 }, () => [
    groupName(random, used),
    group(random, depth + 1),
  ]);
  return { arrays, children, name: pick(random, ['own', 'dense_1', 'lstm', 'my_attention_2']) };
}

function writeGroup(parent, { arrays, children, name }) {
  const vars = parent.create_group('vars');
  vars.create_attribute('name', name);
  arrays.forEach((dims, i) => {
    const data = new Float32Array(dims.reduce((a, b) => a * b, 1)).fill(0.5);
    vars.create_dataset({ name: String(i), data, shape: dims });
  });
  for (const [key, child] of children) writeGroup(parent.create_group(key), child);
}

/**
 * A `.keras` file of one seed. Layers of a class have weights of equal structure. `loads`: whether
 * the core accepts all texts.
 */
export function hostileFile(seed) {
  const random = generator(seed);
  const groups = new Map();
  const entries = Array.from({ length: integer(random, 1, 4) }, (_, i) => {
    const className = pick(random, kNames) || 'Empty';
    const pack = pick(random, ['Custom', 'my_package', ...kNames]);
    const registered = pick(random, [`${pack}>${className}`, className]);
    if (!groups.has(registered)) groups.set(registered, group(random));
    return {
      module: pick(random, [null, 'my_module', pick(random, kNames)]),
      class_name: className,
      config: { ...settings(random), name: `${pick(random, kNames)} of ${i}`, trainable: true },
      registered_name: registered,
      build_config: { input_shape: [null, 4, 8] },
    };
  });
  const input = { class_name: 'InputLayer', module: 'keras.layers', registered_name: null };
  const config = {
    module: 'keras',
    class_name: 'Sequential',
    registered_name: null,
    config: {
      name: 'hostile',
      layers: [{ ...input, config: { batch_shape: [null, 4, 8], name: 'start' } }, ...entries],
    },
    build_config: { input_shape: [null, 4, 8] },
  };
  const weights = writeWithLibhdf5((file) => {
    const root = file.create_group('layers');
    const used = new Set();
    for (const { config: own, registered_name: registered } of entries) {
      const stored = { ...groups.get(registered), name: own.name };
      writeGroup(root.create_group(groupName(random, used)), stored);
    }
  });
  const text = JSON.stringify(config);
  const bytes = zipSync(
    {
      'config.json': strToU8(text),
      'metadata.json': strToU8(JSON.stringify({ keras_version: '3.15.1' })),
      'model.weights.h5': weights,
    },
    { level: 0 },
  );
  return { bytes, loads: !text.includes('\\ud800') };
}

const entry = new URL('../../dist/index.js', import.meta.url).href;
const kRegister = `export const objects = Object.create(null);
const registerLayer = (Class, { package: pack, name }) => {
  objects[pack + '>' + name] = Class;
  if (pack === 'Custom') objects[name] ??= Class;
};`;

/**
 * Writes the skeleton of a file and runs it, without registering its classes for other cases.
 * Returns what predict() then did: 'not written' (the error of an unwritten call), or a typed
 * error.
 */
export async function runSkeleton(bytes) {
  try {
    const text = await mf.writeSkeleton(bytes);
    const module = text.replace(/^import \{(.*)\} from 'maskflow';$/m, (_, names) => {
      const others = names.replace(' registerLayer,', '');
      return `import {${others}} from ${JSON.stringify(entry)};\n${kRegister}`;
    });
    const { objects } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
    assert.equal(globalThis.escaped, undefined, text);
    const model = await mf.loadModel(bytes, { customObjects: objects });
    model.predict(mf.ops.ones([2, 4, 8]));
    return 'ran';
  } catch (error) {
    if (!(error instanceof mf.MaskflowError)) throw error;
    return /is not written yet/.test(error.message) ? 'not written' : String(error);
  }
}

/** Runs the skeletons of files by their seeds, and returns a line for each failure. */
export async function fuzzSkeletons(first, end, told = () => {}) {
  await mf.ready({ onMaskDropped: 'silent' });
  const failures = [];
  for (let seed = first; seed < end; seed++) {
    const { bytes, loads } = hostileFile(seed);
    const outcome = await runSkeleton(bytes).catch((error) => `untyped: ${error.stack}`);
    const isRight = loads ? outcome === 'not written' : !outcome.startsWith('untyped');
    if (!isRight) failures.push(`file ${seed}: ${outcome}`);
    told(seed - first + 1);
  }
  return failures;
}
