// SPDX-License-Identifier: MIT
// This package as one of the peers: runs workloads in a copy of it. Each copy has an instance of
// its own.

const makersOf = ({ layers }) => ({
  masking: () => layers.masking({ maskValue: 0 }),
  embedding: ({ ids, width }) =>
    layers.embedding({ inputDim: ids, outputDim: width, maskZero: true }),
  lstm: ({ units, sequences, both: isBidirectional, stateful }) => {
    const layer = layers.lstm({ units, returnSequences: sequences, stateful });
    return isBidirectional ? layers.bidirectional({ layer }) : layer;
  },
  gru: ({ units }) => layers.gru({ units }),
  dense: ({ units, activation }) => layers.dense({ units, activation }),
  conv: ({ filters, size }) => layers.conv1D({ filters, kernelSize: size }),
});

const values = (weights) => weights.map(({ data }) => data);

function sequential(mf, specs) {
  const makers = makersOf(mf);
  const modelLayers = specs.map((spec) => makers[spec.kind](spec));
  const model = new mf.Sequential(modelLayers);
  return {
    model,
    set: () => {
      for (const [i, layer] of modelLayers.entries()) layer.setWeights(values(specs[i].weights));
    },
  };
}

function block(mf, specs) {
  const { Input, layers, Model } = mf;
  const makers = makersOf(mf);
  const spec = specs.at(-1);
  const input = Input({ shape: [null, spec.width] });
  const mha = layers.multiHeadAttention({ numHeads: spec.heads, keyDim: spec.width / spec.heads });
  const norms = [layers.layerNormalization({}), layers.layerNormalization({})];
  const denses = spec.denses.map(makers.dense);
  const x = specs.length > 1 ? makers.masking().apply(input) : input;
  const heard = mha.apply({ query: x, value: x }, { useCausalMask: spec.causal });
  const normalized = norms[0].apply(layers.add().apply([x, heard]));
  const feedForward = denses.reduce((y, layer) => layer.apply(y), normalized);
  const outputs = norms[1].apply(layers.add().apply([normalized, feedForward]));
  const set = () => {
    mha.setWeights(values(spec.attention));
    for (const [i, layer] of norms.entries()) layer.setWeights(values(spec.normalisations[i]));
    for (const [i, layer] of denses.entries()) layer.setWeights(values(spec.denses[i].weights));
  };
  return { model: new Model({ inputs: input, outputs }), set };
}

function predictor({ tensor }, model, shape) {
  return (data) => {
    const input = tensor(data, { shape });
    const result = model.predict(input, { batchSize: 0 });
    const output = result.data();
    input.dispose();
    result.dispose();
    return output;
  };
}

function stream({ model, set }, { units, width: outputs = units }, { shape, data }) {
  const [, count, width] = shape;
  if (!model.built) model.build([1, null, width]);
  const running = model.stream();
  set();
  const steps = Array.from({ length: count }, (_, t) => data.subarray(t * width, (t + 1) * width));
  const out = new Float32Array(outputs);
  const run = () => {
    running.reset();
    for (const step of steps) running.step(step, { out });
    return out;
  };
  return { run, steps: steps.length, stop: () => running.dispose() };
}

/** Compiles a model and runs its first step. Returns runs of a step and of its forward pass. */
function training({ tensor }, { model, set }, { input, target, loss }) {
  model.compile({ optimizer: 'adam', loss });
  const x = tensor(input.data, { shape: input.shape, dtype: input.type });
  const dtype = target.data instanceof Int32Array ? 'int32' : 'float32';
  const y = tensor(target.data, { shape: target.shape, dtype });
  model.trainOnBatch(x, y);
  set();
  return {
    step: () => model.trainOnBatch(x, y),
    /** Measures prediction as a user calls it, with unchanged weights. */
    forward: () => model.predict(x).dispose(),
    stop() {
      for (const object of [model, x, y]) object.dispose();
    },
  };
}

/** The functions that benchmarks call, for the copy `mf` of the package with these options. */
export function maskflowPackage(mf, name = 'maskflow', options = {}) {
  const createModel = (specs) =>
    specs.at(-1).kind === 'transformer' ? block(mf, specs) : sequential(mf, specs);
  return {
    name,
    async start() {
      await mf.ready(options);
      const { version, variant, threads, threadsReason } = mf.runtimeInfo();
      if (threads !== (options.threads ?? 1)) throw new Error(threadsReason);
      return `${version} (${variant})`;
    },
    /** Returns a function from the input to the output, both typed arrays. */
    async prepare({ unit, layers: specs, input, quantize }) {
      const { model, set } = createModel(specs);
      if (unit === 'step') return stream({ model, set }, specs.at(-1), input);
      const run = predictor(mf, model, input.shape);
      run(input.data);
      set();
      if (quantize) await model.quantize('int8', quantize);
      return { run: () => run(input.data), model };
    },
    prepareTraining: (workload) => training(mf, createModel(workload.layers), workload),
  };
}
