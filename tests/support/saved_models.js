// SPDX-License-Identifier: MIT
// Writes SavedModel folders as Keras 2 wrote them: keras_metadata.pb or a graph with the same
// texts, and the table and shards of the folder `variables`.
const utf8 = (text) => new TextEncoder().encode(text);
const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

function varint(value) {
  const bytes = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

const number = (field, value) => (value === 0 ? [] : [...varint(field * 8), ...varint(value)]);
const bytesField = (field, bytes) => join(varint(field * 8 + 2), varint(bytes.length), bytes);
const textField = (field, text) => bytesField(field, utf8(text));
const message = (...fields) => join(...fields);
const uint32 = (value) => [0, 8, 16, 24].map((shift) => (value >>> shift) & 255);

/** The checksum of TensorFlow, masked, computed bit by bit. */
export function checksum(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** Returns entries as a block, in which keys share their beginnings. */
function block(entries, restartEvery) {
  const parts = [];
  const restarts = [];
  let size = 0;
  let last = new Uint8Array();
  entries.forEach(([key, value], i) => {
    let shared = 0;
    if (i % restartEvery === 0) restarts.push(size);
    else while (shared < last.length && last[shared] === key[shared]) shared++;
    const added = key.slice(shared);
    const part = join(varint(shared), varint(added.length), varint(value.length), added, value);
    parts.push(part);
    size += part.length;
    last = key;
  });
  return join(...parts, ...restarts.map(uint32), uint32(restarts.length));
}

/** Returns a sorted table of [text, bytes]. */
export function table(entries, { blockEntries = 4, restartEvery = 3, compression = 0 } = {}) {
  const sorted = entries
    .map(([key, value]) => [utf8(key), value])
    .sort(([a], [b]) => Buffer.compare(a, b));
  const parts = [];
  let at = 0;
  const add = (content) => {
    const marked = join(content, [compression]);
    parts.push(marked, uint32(checksum(marked)));
    const handle = join(varint(at), varint(content.length));
    at += content.length + 5;
    return handle;
  };
  const index = [];
  for (let i = 0; i < sorted.length; i += blockEntries) {
    const group = sorted.slice(i, i + blockEntries);
    index.push([group.at(-1)[0], add(block(group, restartEvery))]);
  }
  const meta = add(block([], 1));
  const handles = join(meta, add(block(index, 1)));
  const footer = new Uint8Array(48);
  footer.set(handles);
  footer.set([0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb], 40);
  return join(...parts, footer);
}

const shapeField = (shape) =>
  bytesField(2, message(...shape.map((dim) => bytesField(2, message(number(1, dim))))));

/** The objects of Python around the layers and their variables. */
class Objects {
  nodes = [];

  add(children = [], variable) {
    this.nodes.push({ children, variable });
    return this.nodes.length - 1;
  }

  bytes() {
    const nodes = this.nodes.map(({ children, variable }) => {
      const inside = children.map(([name, id]) =>
        bytesField(1, message(number(1, id), textField(2, name))),
      );
      const attribute =
        variable &&
        message(
          textField(1, 'VARIABLE_VALUE'),
          textField(2, variable.name),
          textField(3, variable.key),
        );
      return bytesField(1, message(...inside, ...(attribute ? [bytesField(2, attribute)] : [])));
    });
    return message(...nodes);
  }
}

/** Puts tensors into shards, in turns, and returns their entries. */
function stored(tensors, { shards, bigEndian }) {
  const contents = Array.from({ length: shards }, () => []);
  const sizes = new Array(shards).fill(0);
  const entries = tensors.map(({ key, dtype = 1, shape = [], bytes, sum = checksum(bytes) }, i) => {
    const shard = i % shards;
    const entry = message(
      ...[number(1, dtype), shapeField(shape), number(3, shard)],
      ...[number(4, sizes[shard]), number(5, bytes.length), varint(6 * 8 + 5), uint32(sum)],
    );
    contents[shard].push(bytes);
    sizes[shard] += bytes.length;
    return [key, entry];
  });
  const header = message(
    number(1, shards),
    number(2, bigEndian ? 1 : 0),
    bytesField(3, message(number(1, 1))),
  );
  return { entries: [['', header], ...entries], contents: contents.map((list) => join(...list)) };
}

const floatBytes = (data, bigEndian) => {
  const bytes = new Uint8Array(Float32Array.from(data).buffer);
  if (bigEndian) for (let at = 0; at < bytes.length; at += 4) bytes.subarray(at, at + 4).reverse();
  return bytes;
};

/** The texts that Keras wrote about the model and its layers. */
function metadataOf({ config, version, trainingConfig, layers, kind }) {
  const root = {
    ...{ name: config.config.name, class_name: config.class_name, config: config.config },
    ...{ keras_version: version, backend: 'tensorflow', model_config: config },
    ...(trainingConfig && { training_config: trainingConfig }),
  };
  return [
    { path: 'root', kind, json: root },
    ...layers.map(({ name, attribute }) => ({
      ...{ path: `root.${attribute}`, kind: '_tf_keras_layer' },
      json: { name, trainable: true },
    })),
    { path: 'root.keras_api.metrics.0', kind: '_tf_keras_metric', json: { name: 'loss' } },
  ];
}

const keyOf = (name) => `${name}/.ATTRIBUTES/VARIABLE_VALUE`;

/**
 * Returns the files of a SavedModel by path. `config` is the model in the dialect of Keras 2;
 * `layers` is [{ name, attribute, weights: [{ name, shape, data }] }]. With `inGraph`, the texts
 * are in saved_model.pb, as TensorFlow 2.0 to 2.4 wrote them.
 */
export function savedModelFiles({
  config,
  layers,
  version = '2.15.0',
  kind = '_tf_keras_sequential',
  trainingConfig,
  shards = 1,
  bigEndian = false,
  inGraph = false,
  tableOptions,
}) {
  const objects = new Objects();
  const tensors = [];
  objects.add();
  const children = layers.map(({ attribute, weights }) => {
    const variables = weights.map(({ name, shape, data }) => {
      const key = keyOf(`variables/${tensors.length}`);
      tensors.push({ key, shape, bytes: floatBytes(data, bigEndian) });
      return objects.add([], { name, key });
    });
    const list = objects.add(variables.map((id, i) => [String(i), id]));
    return [attribute, objects.add([['variables', list]])];
  });
  objects.nodes[0].children = children;
  const tree = objects.bytes();
  const text = join(varint(tree.length), uint32(checksum(uint32(tree.length))), tree);
  tensors.push({ key: '_CHECKPOINTABLE_OBJECT_GRAPH', dtype: 7, bytes: text });
  const { entries, contents } = stored(tensors, { shards, bigEndian });
  const texts = metadataOf({ config, version, trainingConfig, layers, kind });
  const files = {
    'saved_model.pb': graphBytes(inGraph ? texts : [], children),
    'variables/variables.index': table(entries, tableOptions),
  };
  if (!inGraph) {
    files['keras_metadata.pb'] = message(
      ...texts.map(({ path, kind: identifier, json }, id) =>
        bytesField(
          1,
          message(
            ...[number(2, id), textField(3, path), textField(4, identifier)],
            textField(5, JSON.stringify(json)),
          ),
        ),
      ),
    );
  }
  contents.forEach((bytes, i) => {
    const digits = (value) => String(value).padStart(5, '0');
    files[`variables/variables.data-${digits(i)}-of-${digits(shards)}`] = bytes;
  });
  return files;
}

/** A graph with its tag and its objects: the model and its layers have the texts. */
function graphBytes(texts, children) {
  const layers = texts.filter(({ path }) => path.split('.').length === 2);
  const user = ({ kind, json }) =>
    bytesField(4, message(textField(1, kind), textField(3, `${JSON.stringify(json)}`)));
  const named = new Map(children.map(([attribute], i) => [attribute, i + 1]));
  const links = [...named].map(([name, id]) =>
    bytesField(1, message(number(1, id), textField(2, name))),
  );
  const nodes =
    texts.length === 0
      ? []
      : [message(...links, user(texts[0])), ...layers.map((layer) => message(user(layer)))];
  const info = message(textField(4, 'serve'), textField(5, '2.15.0'));
  const graph = message(
    bytesField(1, info),
    bytesField(7, message(...nodes.map((node) => bytesField(1, node)))),
  );
  return message(number(1, 1), bytesField(2, graph));
}

/** Returns the content of a SavedModel with one of our models. */
export async function contentOf(model) {
  const json = JSON.parse(new TextDecoder().decode((await model.saveTfjs()).get('model.json')));
  const layers = model.layers.flatMap((layer, i) => {
    const all = [...layer.trainableWeights, ...layer.nonTrainableWeights];
    const values = new Map(layer.weights.map((weight, k) => [weight.path, layer.getWeights()[k]]));
    const weights = all.map(({ path, shape }) => ({
      name: path,
      shape,
      data: values.get(path).data(),
    }));
    return [{ name: layer.name, attribute: `layer-${i}`, weights }];
  });
  return { config: json.modelTopology.model_config, layers };
}

/** Returns files as a list that `loadModel({ files })` accepts. */
export const asList = (files, folder = '') =>
  Object.entries(files).map(([name, data]) => ({ name: folder + name, data }));

/** Returns an archive of tar. */
export function tar(files) {
  const parts = Object.entries(files).flatMap(([name, data]) => {
    const head = new Uint8Array(512);
    head.set(utf8(name));
    head.set(utf8('0000644\0'), 100);
    head.set(utf8(`${data.length.toString(8).padStart(11, '0')}\0`), 124);
    head.set(utf8('        '), 148);
    head[156] = 48;
    head.set(utf8('ustar\x0000'), 257);
    const sum = head.reduce((total, byte) => total + byte, 0);
    head.set(utf8(`${sum.toString(8).padStart(6, '0')}\0 `), 148);
    return [head, data, new Uint8Array(-data.length & 511)];
  });
  return join(...parts, new Uint8Array(1024));
}
