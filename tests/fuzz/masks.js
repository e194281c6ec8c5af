// SPDX-License-Identifier: MIT
// Random small programs over the public calls on masks. Each runs eagerly and as a graph, with the
// same layers: results, masks and gradients must be equal, also after saving and loading.
import * as mf from '../../dist/train.js';
import { generator, integer, pick } from '../support/random.js';

const { Input, Layer, layers, loadModel, Model, ops, tensor, valueAndGradients } = mf;

const kTime = 4;
const kFeatures = 3;

/** A custom layer that uses the mask, and returns another one. */
class Halves extends Layer {
  call(inputs, { mask }) {
    const kept = mask === null ? inputs : ops.where(ops.expandDims(mask, -1), inputs, 0.5);
    return ops.multiply(kept, 2);
  }
  computeMask(_inputs, mask) {
    return mask === null ? null : ops.logicalNot(mask);
  }
}
mf.registerLayer(Halves, { package: 'masks', name: 'Halves' });

/** A nested model, which receives masks. */
function nested() {
  const input = Input({ shape: [null, kFeatures] });
  const y = layers.add().apply([input, layers.dense({ units: kFeatures }).apply(input)]);
  const outputs = layers.gru({ units: kFeatures, returnSequences: true }).apply(y);
  return new Model({ inputs: input, outputs });
}

const recurrent = (make) => () => make({ units: kFeatures, returnSequences: true });
const merge = (make) => ({ make, inputs: 2, list: true });
const heads = { numHeads: 2, keyDim: 2 };

/** Kinds of layers. `use`: how a call passes masks: as `mask`, or by the names of the inputs. */
const kinds = [
  { make: () => layers.dense({ units: kFeatures }) },
  { make: () => layers.layerNormalization() },
  { make: () => layers.batchNormalization() },
  { make: () => layers.masking({ maskValue: 0 }) },
  { make: recurrent(layers.gru) },
  { make: recurrent(layers.lstm) },
  { make: recurrent(layers.simpleRNN) },
  {
    make: () =>
      layers.bidirectional({
        layer: layers.gru({ units: kFeatures, returnSequences: true }),
        mergeMode: 'sum',
      }),
  },
  { make: () => layers.timeDistributed({ layer: layers.dense({ units: kFeatures }) }) },
  { make: () => layers.conv1D({ filters: kFeatures, kernelSize: 2, padding: 'same' }) },
  { make: () => new Halves() },
  { make: nested, copies: true },
  merge(() => layers.add()),
  merge(() => layers.average()),
  merge(() => layers.multiply()),
  merge(() => layers.maximum()),
  merge(() => layers.subtract()),
  { make: () => layers.attention(), inputs: 2, list: true },
  { make: () => layers.additiveAttention(), inputs: 2, list: true },
  { make: () => layers.multiHeadAttention(heads), inputs: 2, named: true, copies: true },
  {
    make: () => layers.groupQueryAttention({ headDim: 2, numQueryHeads: 2, numKeyValueHeads: 1 }),
    inputs: 2,
    named: true,
    copies: true,
  },
];

const unary = [
  (x) => ops.add(x, 0.25),
  (x) => ops.multiply(x, 1.5),
  (x) => ops.tanh(x),
  (x) => ops.subtract(1, x),
  (x) => x.add(0.125),
];

const maskUnary = [
  (m) => ops.logicalNot(m),
  (m) => m.logicalNot(),
  (m) => ops.cast(m, 'float32'),
  (m) => ops.cast(m, 'int32'),
  (m) => ops.notEqual(ops.cast(m, 'int32'), 0),
];
const maskBinary = [ops.logicalAnd, ops.logicalOr, ops.logicalXor];

/**
 * Draws the steps of a program. A step refers to values and masks by their number. Each step adds
 * one value; steps that read or compute a mask add to the masks.
 */
function draw(random) {
  const steps = [];
  let values = 2;
  let masks = 2;
  const value = () => integer(random, Math.max(0, values - 4), values - 1);
  const mask = () => integer(random, 0, masks - 1);
  const count = integer(random, 3, 9);
  for (let i = 0; i < count; i++) {
    const choice = random();
    if (choice < 0.2) {
      const how = random();
      const given = how < 0.5 ? mask() : how < 0.7 ? 'constant' : how < 0.85 ? 'flat' : null;
      steps.push({ do: 'withMask', x: value(), mask: given });
      values += 1;
    } else if (choice < 0.35) {
      steps.push({ do: 'operation', x: value(), f: pick(random, unary) });
      values += 1;
    } else if (choice < 0.45) {
      steps.push({ do: 'read', x: value(), else: mask() });
      masks += 1;
    } else if (choice < 0.52) {
      steps.push({ do: 'maskUnary', m: mask(), f: pick(random, maskUnary) });
      masks += 1;
    } else if (choice < 0.57) {
      steps.push({ do: 'maskBinary', m: [mask(), mask()], f: pick(random, maskBinary) });
      masks += 1;
    } else if (choice < 0.62) {
      steps.push({ do: 'where', x: value(), m: mask() });
      values += 1;
    } else {
      steps.push(drawCall(random, value, mask));
      values += 1;
      if (random() < 0.15) {
        steps.push({ do: 'computeMask', call: steps.at(-1), m: mask() });
        masks += 1;
      }
    }
  }
  return { steps, outputs: integer(random, 1, 2) };
}

function drawCall(random, value, mask) {
  const kind = pick(random, kinds);
  const inputs = Array.from({ length: kind.inputs ?? 1 }, value);
  const given = random() < 0.25;
  const masks = given ? inputs.map(() => (random() < 0.75 ? mask() : null)) : undefined;
  if (masks?.every((each) => each === null)) masks[0] = mask();
  const state = kind.make === kinds[4].make && random() < 0.3;
  return { do: 'call', kind, layer: kind.make(), inputs, masks, state };
}

const constant = [
  [true, true, false, true],
  [true, false, false, false],
];

/** Runs the steps on tensors or on symbolic tensors. Returns the values and the masks. */
function run({ steps }, [x, embedded], masks0) {
  const values = [x, embedded];
  const masks = [...masks0];
  const notes = [];
  for (const step of steps) {
    if (step.do === 'withMask') {
      const { mask } = step;
      const given =
        mask === 'constant' ? constant : mask === 'flat' ? tensor(constant) : (masks[mask] ?? null);
      values.push(values[step.x].withMask(given));
    } else if (step.do === 'operation') {
      values.push(step.f(values[step.x]));
    } else if (step.do === 'where') {
      values.push(ops.where(ops.expandDims(masks[step.m], -1), values[step.x], 0));
    } else if (step.do === 'read') {
      const { mask } = values[step.x];
      notes.push(mask === null ? 'no mask' : `${mask.dtype} ${mask.rank}`);
      masks.push(mask ?? masks[step.else]);
    } else if (step.do === 'maskUnary') {
      masks.push(step.f(masks[step.m]));
    } else if (step.do === 'maskBinary') {
      masks.push(step.f(...step.m.map((m) => masks[m])));
    } else if (step.do === 'computeMask') {
      masks.push(computeMask(step, values, masks, notes));
    } else {
      values.push(call(step, values, masks));
    }
  }
  return { values, masks, notes };
}

function computeMask({ call: { layer, inputs, kind }, m }, values, masks, notes) {
  const [first] = inputs.map((i) => values[i]);
  if (kind.inputs === 2 || kind.make === nested) return masks[m];
  const mask = layer.computeMask(first, masks[m]);
  notes.push(mask === null ? 'none' : 'a mask');
  return mask ?? masks[m];
}

function call({ kind, layer, inputs, masks: given, state }, values, masks) {
  let tensors = inputs.map((i) => values[i]);
  // Attention and models change the masks of their arguments, as in Keras. Copies are not affected.
  if (kind.copies) tensors = tensors.map((each) => each.withMask(each.mask));
  const chosen = given?.map((m) => (m === null ? null : masks[m]));
  if (kind.named) {
    const [query, value] = tensors;
    const [queryMask, valueMask] = chosen ?? [];
    return layer.apply({ query, value }, { queryMask, valueMask });
  }
  const options = chosen ? { mask: kind.list ? chosen : chosen[0] } : {};
  if (state) options.initialState = ops.mean(tensors[0], { axis: 1 });
  return layer.apply(kind.list ? tensors : tensors[0], options);
}

const closeTo = (a, b) =>
  Object.is(a, b) || Math.abs(a - b) <= 1e-5 + 1e-4 * Math.max(Math.abs(a), Math.abs(b));

/** Returns what differs between two tensors; undefined if nothing does. */
function difference(a, b) {
  if (a === null || b === null) return a === b ? undefined : `${a === null} and ${b === null}`;
  if (a.shape.join() !== b.shape.join()) return `shapes ${a.shape} and ${b.shape}`;
  const [p, q] = [a.data(), b.data()];
  const index = p.findIndex((each, i) => !closeTo(each, q[i]));
  return index < 0 ? undefined : `element ${index}: ${p[index]} and ${q[index]}`;
}

function inputsOf(random) {
  const numbers = (count) => Array.from({ length: count }, () => Math.fround(random() * 2 - 1));
  const x = tensor(Float32Array.from(numbers(2 * kTime * kFeatures)), {
    shape: [2, kTime, kFeatures],
  });
  const ids = Int32Array.from({ length: 2 * kTime }, () => Math.max(0, integer(random, -2, 5)));
  const mask = Uint8Array.from({ length: 2 * kTime }, () => (random() < 0.6 ? 1 : 0));
  return {
    x,
    ids: tensor(ids, { shape: [2, kTime] }),
    mask: tensor(mask, { shape: [2, kTime], dtype: 'bool' }),
  };
}

/** Runs the program eagerly on data. */
function eagerly(program, embedding, { x, ids, mask }) {
  const embedded = embedding.apply(ids);
  return run(program, [x, embedded], [mask, embedding.computeMask(ids)]);
}

/**
 * Builds the graph of the program. `masked`: whether the first input receives its mask by an op.
 */
function graphOf(program, embedding) {
  const inputs = {
    ids: Input({ shape: [null], dtype: 'int32', name: 'ids' }),
    mask: Input({ shape: [null], dtype: 'bool', name: 'mask' }),
    x: Input({ shape: [null, kFeatures], name: 'x' }),
  };
  const embedded = embedding.apply(inputs.ids);
  const masks = [inputs.mask, embedding.computeMask(inputs.ids)];
  return { inputs, ...run(program, [inputs.x, embedded], masks) };
}

const outputsOf = ({ values }, { outputs }) => values.slice(-outputs);

/** Returns the gradients of a weighted sum of the outputs. */
function gradientsOf(f, variables) {
  const loss = () =>
    f()
      .map((y, i) => ops.sum(ops.multiply(ops.sin(y), 1 + i)))
      .reduce((a, b) => ops.add(a, b));
  return valueAndGradients(loss, variables).gradients;
}

/** Runs the program of a seed and returns its faults. */
export async function maskProgram(seed, { files = false } = {}) {
  const random = generator(seed);
  const program = draw(random);
  const embedding = layers.embedding({ inputDim: 6, outputDim: kFeatures, maskZero: true });
  const data = inputsOf(random);
  const faults = [];
  const compare = (what, a, b) => {
    const differs = difference(a, b);
    if (differs) faults.push(`${what}: ${differs}`);
  };
  const eager = eagerly(program, embedding, data);
  const graph = graphOf(program, embedding);
  if (eager.notes.join() !== graph.notes.join()) {
    faults.push(`masks that are read: ${eager.notes} and ${graph.notes}`);
  }
  // An output of constants alone is not part of a graph.
  const expected = outputsOf(eager, program);
  const symbols = outputsOf(graph, program);
  const model = new Model({ inputs: graph.inputs, outputs: symbols });
  const results = [model.apply(data)].flat();
  expected.forEach((each, i) => {
    compare(`output ${i}`, each, results[i]);
    compare(`mask of output ${i}`, each.mask, results[i].mask);
  });
  const variables = [...model.trainableVariables, data.x];
  const [a, b] = [
    gradientsOf(() => outputsOf(eagerly(program, embedding, data), program), variables),
    gradientsOf(() => [model.apply(data)].flat(), variables),
  ];
  variables.forEach((variable, i) => {
    compare(`gradient of ${variable.path ?? 'x'}`, a[i], b[i]);
  });
  if (files) {
    const loaded = await loadModel(await model.save());
    const again = [loaded.apply(data)].flat();
    expected.forEach((each, i) => {
      compare(`loaded output ${i}`, each, again[i]);
      compare(`mask of loaded output ${i}`, each.mask, again[i].mask);
    });
  }
  const text = program.steps
    .map(({ do: name, kind: _, layer, f, call: of, ...rest }) =>
      [name, of?.layer.className ?? layer?.className ?? f ?? '', JSON.stringify(rest)].join(' '),
    )
    .join('\n  ');
  return faults.map((fault) => `seed ${seed}: ${fault}\n  ${text}`);
}
