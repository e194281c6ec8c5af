// SPDX-License-Identifier: MIT
// Damages JSON that stays valid JSON: settings, graphs, manifests and other trees.
import { integer } from '../support/random.js';
import { pick } from './mutate.js';

const values = [
  null,
  true,
  false,
  -1,
  0,
  1,
  3,
  0.5,
  1e9,
  2 ** 31,
  2 ** 53,
  1e308,
  '',
  'x',
  'relu',
  'keras.layers',
  'constructor',
  '__proto__',
  [],
  {},
  [null],
  [null, null, 4],
  [[0]],
  'a'.repeat(100_000),
  'Lambda',
  { class_name: 'LSTM', config: {} },
];
const classNames = [
  'LSTM',
  'GRU',
  'Dense',
  'Embedding',
  'Bidirectional',
  'TimeDistributed',
  'Functional',
  'Sequential',
  'InputLayer',
  'Lambda',
  'RNN',
  'MultiHeadAttention',
  'Conv1D',
  'Reshape',
  'RepeatVector',
  'Masking',
  'NoSuchLayer',
  'BatchNormalization',
  'NotEqual',
  'Flatten',
  'Attention',
  'constructor',
  'toString',
  'SGD',
  'Muon',
  'LossScaleOptimizer',
  'CosineDecay',
  'Huber',
  'AUC',
  'function',
  'TensorFlowOpLayer',
  'Merge',
];
/** Numbers around the limits of 16, 31, 32 and 53 bits, and of memory. */
const sizes = [
  1024,
  65_537,
  2 ** 20,
  2 ** 24,
  2 ** 28,
  2 ** 30,
  2 ** 30 + 1,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 32,
  2 ** 32 + 1,
  2 ** 40,
  2 ** 53,
  1e308,
  -(2 ** 31),
];
const settings = [
  'units',
  'filters',
  'kernel_size',
  'dilation_rate',
  'strides',
  'pool_size',
  'size',
  'input_dim',
  'output_dim',
  'n',
  'num_heads',
  'key_dim',
  'target_shape',
  'batch_shape',
  'batch_input_shape',
  'axis',
  'groups',
  'shape',
  'cropping',
  'padding',
  'depth_multiplier',
  'max_value',
  'learning_rate',
  'loss_weights',
  'gradient_accumulation_steps',
  'decay_steps',
];
const names = ['__proto__', 'constructor', 'toString', '', 'a/b', '..', 'x'.repeat(70_000)];

/** Returns the container and the key of every value in JSON. Stops soon after `limit` values. */
function placesIn(root, limit) {
  const places = [];
  const pending = [root];
  // Uses a list of pending values, because the nesting may be too deep for recursion.
  while (pending.length > 0 && places.length <= limit) {
    const value = pending.pop();
    if (typeof value !== 'object' || value === null) continue;
    for (const key of Object.keys(value)) {
      places.push([value, key]);
      pending.push(value[key]);
    }
  }
  return places;
}

function nested(depth) {
  let value = 1;
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { config: value };
  return value;
}

const shapeOf = (random) =>
  Array.from({ length: integer(random, 0, 4) }, () => pick(random, [1, 2, null, ...sizes]));

/** Ops that create large values from nothing or from small ones. */
const creators = [
  ['Ones', (random) => ({ shape: shapeOf(random) })],
  ['Zeros', (random) => ({ shape: shapeOf(random) })],
  ['Full', (random) => ({ shape: shapeOf(random), fill_value: 1 })],
  ['Arange', (random) => ({ start: 0, stop: pick(random, sizes) })],
  ['Eye', (random) => ({ N: pick(random, sizes) })],
  ['Tile', (random) => ({ repeats: shapeOf(random) })],
  ['Repeat', (random) => ({ repeats: pick(random, sizes), axis: 1 })],
  ['BroadcastTo', (random) => ({ shape: shapeOf(random) })],
  ['Reshape', (random) => ({ newshape: shapeOf(random) })],
  [
    'Pad',
    (random) => ({
      pad_width: [
        [0, 0],
        [0, pick(random, sizes)],
      ],
    }),
  ],
  ['OneHot', (random) => ({ num_classes: pick(random, sizes) })],
  ['ExpandDims', (random) => ({ axis: pick(random, sizes) })],
  ['Roll', (random) => ({ shift: pick(random, sizes) })],
];

const graphsIn = (all) => [
  ...new Set(
    all.flatMap(([holder, key]) =>
      key === 'layers' && Array.isArray(holder[key]) ? [holder] : [],
    ),
  ),
];

/** Returns the container and the index of each layer name in a symbolic tensor. */
const histories = (all) =>
  all.filter(
    ([holder, key]) =>
      String(key) === '0' && Array.isArray(holder) && typeof holder[1] === 'number',
  );

function addCreator(random, all) {
  const graphs = graphsIn(all);
  if (graphs.length === 0) return;
  const graph = pick(random, graphs);
  const [className, kwargs] = pick(random, creators);
  const from = pick(random, graph.layers)?.name;
  const tensor = { class_name: '__keras_tensor__', config: { keras_history: [from, 0, 0] } };
  graph.layers.push({
    module: 'keras.src.ops.numpy',
    class_name: className,
    config: { name: 'maker' },
    registered_name: className,
    name: 'maker',
    inbound_nodes: [{ args: random() < 0.8 ? [tensor] : [], kwargs: kwargs(random) }],
  });
  if (random() < 0.5) graph.output_layers = ['maker', 0, 0];
}

const mutations = [
  (_, __, [container, key]) =>
    Array.isArray(container) ? container.splice(Number(key), 1) : delete container[key],
  (random, _, [container, key]) => {
    container[key] = pick(random, values);
  },
  (random, all, [container, key]) => {
    const [other, otherKey] = pick(random, all);
    container[key] = structuredClone(other[otherKey]);
  },
  (random, _, [container, key]) => {
    container[key] = nested(pick(random, [3, 120, 400, 3000]));
  },
  (random, _, [container]) => {
    const added = [...settings, 'activation', 'extra', 'mask', '__proto__'];
    container[pick(random, added)] = pick(random, values);
  },
  (_, __, [container, key]) =>
    Array.isArray(container) && container.push(structuredClone(container[key])),
  function scale(random, all) {
    const matches = all.filter(([holder, name]) => typeof holder[name] === 'number');
    if (matches.length === 0) return;
    const [holder, name] = pick(random, matches);
    holder[name] *= pick(random, [-1, 0.5, 2, 1e3, 1e6, 1e9]);
  },
  function giant(random, all) {
    const matches = all.filter(([, name]) => settings.includes(name));
    if (matches.length === 0) return;
    const [holder, name] = pick(random, matches);
    const size = pick(random, sizes);
    holder[name] = Array.isArray(holder[name]) ? holder[name].map(() => size) : size;
  },
  function otherClass(random, all) {
    const named = all.filter(([, name]) => name === 'class_name');
    if (named.length > 0) pick(random, named)[0].class_name = pick(random, classNames);
  },
  function sameName(random, all) {
    const named = all.filter(
      ([holder, name]) => name === 'name' && typeof holder[name] === 'string',
    );
    if (named.length > 1) pick(random, named)[0].name = pick(random, named)[0].name;
  },
  function strangeName(random, all) {
    const named = all.filter(([, name]) => name === 'name' || name === 'class_name');
    if (named.length > 0) {
      const [holder, key] = pick(random, named);
      holder[key] = pick(random, names);
    }
  },
  function strangeKey(random, _, [container, key]) {
    if (Array.isArray(container)) return;
    const name = pick(random, names);
    if (name !== '__proto__') container[name] = container[key];
  },
  // Changes the layer, the call or the output that a tensor comes from; the new origin may run
  // later than its user.
  function otherOrigin(random, all) {
    const origins = histories(all);
    if (origins.length < 2) return;
    const [holder] = pick(random, origins);
    const [other] = pick(random, origins);
    const place = pick(random, [0, 0, 0, 1, 2]);
    holder[place] = place === 0 ? other[0] : pick(random, [0, 1, 2, -1, 2 ** 31, 2 ** 53]);
  },
  (random, all) => addCreator(random, all),
  function manyCopies(random, all) {
    const lists = all.filter(([holder, key]) => Array.isArray(holder[key]) && holder[key].length);
    if (lists.length === 0) return;
    const [holder, key] = pick(random, lists);
    const item = pick(random, holder[key]);
    const size = JSON.stringify(item)?.length ?? 1;
    // Limits the count, because the memory of the fuzzer is limited.
    const count = Math.min(pick(random, [10, 100, 1000, 20_000]), Math.ceil(4e6 / size));
    for (let i = 0; i < count; i++) holder[key].push(item);
  },
  function reversed(random, all) {
    const graphs = graphsIn(all);
    if (graphs.length > 0) pick(random, graphs).layers.reverse();
  },
];

/**
 * Returns JSON text with one to three kinds of damage. Some texts have NaN or are too deep, so they
 * are not valid JSON.
 */
export function mutateJson(original, random) {
  const json = JSON.parse(new TextDecoder().decode(original));
  let limit = 1e6;
  // Prefers the compile config, which is a small part of the file.
  const part = json?.compile_config?.optimizer && random() < 0.6 ? json.compile_config : json;
  for (let n = pick(random, [1, 1, 2, 3]); n > 0; n--) {
    const all = placesIn(part, limit);
    // A lengthened list repeats one object, so lengthening lists inside it would multiply.
    if (all.length === 0 || all.length > limit) break;
    limit = all.length + 100;
    pick(random, mutations)(random, all, pick(random, all));
  }
  let text = JSON.stringify(json);
  if (random() < 0.05)
    text = text.replace('null', pick(random, ['NaN', '-Infinity', 'NaNNaN', '-NaN']));
  if (random() < 0.02) text = '['.repeat(pick(random, [200, 100_000])) + text;
  return new TextEncoder().encode(text);
}
