// SPDX-License-Identifier: MIT
// Writes files as old versions of Keras wrote them.
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { build } from 'esbuild';

// The package's own HDF5 writer, which it does not export.
const source = fileURLToPath(
  new URL('../../web/src/formats/hdf5_writer/write_hdf5.ts', import.meta.url),
);
const { outputFiles } = await build({
  entryPoints: [source],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
});
const code = Buffer.from(outputFiles[0].contents).toString('base64');
const { NewGroup, writeHdf5 } = await import(`data:text/javascript;base64,${code}`);

/** Returns a named float32 array for a file. */
export const array = (name, shape, data) => ({ name, shape, data: Float32Array.from(data) });

/** Returns the weights of one of our layers or models: [{ shape, data }]. */
export function valuesOf(layer) {
  return layer.getWeights().map((weight) => {
    const { shape } = weight;
    const data = weight.data();
    weight.dispose();
    return { shape, data };
  });
}

/** Pairs the weights with their names in the file. */
export const withNames = (values, names) =>
  values.map(({ shape, data }, i) => array(names[i], shape, data));

function attribute(group, name, value, parts) {
  if (parts === 1) {
    group.attributes.set(name, value);
    return;
  }
  const size = Math.ceil(value.length / parts);
  for (let i = 0; i < parts; ++i) {
    group.attributes.set(`${name}${i}`, value.slice(i * size, (i + 1) * size));
  }
}

const emptyArray = { shape: [0], dtype: 'float64', data: new Float64Array(0) };
const strings = (list) => (list.length > 0 ? { fixed: list } : emptyArray);

function addLayers(group, layers) {
  group.attributes.set('layer_names', strings(layers.map(({ name }) => name)));
  for (const { name, weights } of layers) {
    const inside = group.group(name);
    inside.attributes.set('weight_names', strings(weights.map((weight) => weight.name)));
    for (const { name: path, shape, data } of weights) {
      const at = path.lastIndexOf('/');
      const holder = inside.group(path.slice(0, Math.max(0, at)));
      holder.children.set(path.slice(at + 1), { shape, dtype: 'float32', data });
    }
  }
}

/**
 * Returns a whole model as `.h5`. `config` is JSON text or an object, `layers` is [{ name, weights:
 * [{ name, shape, data }] }]. The config is split over `parts` attributes. Without `config` the
 * file contains only weights.
 */
export function legacyH5({ config, version, backend = 'tensorflow', layers, parts = 1 }) {
  const root = new NewGroup();
  const weights = config ? root.group('model_weights') : root;
  addLayers(weights, layers);
  for (const group of [root, weights]) {
    if (version) group.attributes.set('keras_version', version);
    group.attributes.set('backend', backend);
  }
  if (config) {
    const text = typeof config === 'string' ? config : JSON.stringify(config);
    attribute(root, 'model_config', text, parts);
  }
  return writeHdf5(root);
}

/**
 * Returns a `.weights.h5` with arrays by path, such as `layers/dense/vars/0`. A part of a path may
 * contain backslashes, as Windows writes them.
 */
export function treeH5(arrays) {
  const root = new NewGroup();
  for (const [path, { shape, data }] of Object.entries(arrays)) {
    const parts = path.split('/');
    const last = parts.pop();
    root.group(parts.join('/')).children.set(last, { shape, dtype: 'float32', data });
  }
  return writeHdf5(root);
}

const u16 = (n) => [n & 255, n >> 8];
const u32 = (n) => [...u16(n & 0xffff), ...u16(n >>> 16)];

/** Returns a zip archive whose entries are stored without compression: { name: bytes or JSON }. */
export function storedZip(entries) {
  const out = [];
  const directory = [];
  let count = 0;
  for (const [name, content] of Object.entries(entries)) {
    const bytes =
      content instanceof Uint8Array ? content : new TextEncoder().encode(JSON.stringify(content));
    const title = [...new TextEncoder().encode(name)];
    const about = [
      ...[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0],
      ...[crc32(bytes), bytes.length, bytes.length].flatMap(u32),
      ...u16(title.length),
      ...[0, 0],
    ];
    const header = [...u32(0x02014b50), 20, 0, ...about, ...new Array(10).fill(0)];
    directory.push(...header, ...u32(out.length), ...title);
    out.push(...u32(0x04034b50), ...about, ...title, ...bytes);
    ++count;
  }
  const size = u32(directory.length);
  const end = [...u32(0x06054b50), 0, 0, 0, 0, ...u16(count), ...u16(count), ...size];
  return Uint8Array.from([...out, ...directory, ...end, ...u32(out.length), 0, 0]);
}
