// SPDX-License-Identifier: MIT
// Programs of masks, recurrent layers and attention return the numbers of Keras:
// tests/fixtures/guide_programs/sequences.py.
import * as mf from '../../../dist/train.js';
import { everyProgramOf, fill, ids, oneHot, program, wave } from '../../support/guide_programs.js';

const { callbacks, Input, Layer, layers, losses, Model, ops, optimizers, Sequential } = mf;
const { padSequences, tensor } = mf;
await mf.ready({ seed: 1 });

program('masking_guide', () => {
  const rawInputs = [
    [711, 632, 71],
    [73, 8, 3215, 55, 927],
    [83, 91, 1, 645, 1253, 927],
  ];
  const padded = padSequences(rawInputs, { padding: 'post' });
  const embedding = layers.embedding({ inputDim: 5000, outputDim: 16, maskZero: true });
  const maskedOutput = embedding.apply(padded);
  const maskingLayer = layers.masking();
  const unmaskedEmbedding = ops.cast(ops.tile(ops.expandDims(padded, -1), [1, 1, 10]), 'float32');
  const maskedEmbedding = maskingLayer.apply(unmaskedEmbedding);
  return {
    padded,
    mask: maskedOutput.mask,
    'of masking': maskedEmbedding.mask,
    values: maskedEmbedding,
    computed: embedding.computeMask(padded),
  };
});

class CustomEmbedding extends Layer {
  constructor({ inputDim, outputDim, maskZero = false, ...config }) {
    super(config);
    this.inputDim = inputDim;
    this.outputDim = outputDim;
    this.maskZero = maskZero;
  }
  build() {
    this.embeddings = this.addWeight({
      shape: [this.inputDim, this.outputDim],
      initializer: 'random_normal',
      dtype: 'float32',
    });
  }
  call(inputs) {
    return ops.take(this.embeddings, ops.cast(inputs, 'int32'), { axis: 0 });
  }
  computeMask(inputs) {
    return this.maskZero ? ops.notEqual(inputs, 0) : null;
  }
}

program('mask_layers', () => {
  class TemporalSplit extends Layer {
    call(inputs) {
      return ops.split(inputs, 2, { axis: 1 });
    }
    computeMask(_inputs, mask = null) {
      return mask === null ? null : ops.split(mask, 2, 1);
    }
  }
  class TemporalSoftmax extends Layer {
    call(inputs, { mask }) {
      const broadcast = ops.expandDims(ops.cast(mask, 'float32'), -1);
      const exp = ops.exp(inputs).multiply(broadcast);
      return exp.divide(ops.sum(exp.multiply(broadcast), { axis: 1, keepdims: true }));
    }
  }
  class MyActivation extends Layer {
    constructor(config) {
      super(config);
      this.supportsMasking = true;
    }
    call(inputs) {
      return ops.relu(inputs);
    }
  }
  const x = ids([2, 6], 10);
  const embedding = new CustomEmbedding({ inputDim: 10, outputDim: 4, maskZero: true });
  const embedded = embedding.apply(x);
  fill(embedding);
  const [first, second] = new TemporalSplit().apply(embedding.apply(x));
  const inputs = Input({ shape: [null], dtype: 'int32' });
  let y = new CustomEmbedding({ inputDim: 10, outputDim: 4, maskZero: true }).apply(inputs);
  y = layers.dense({ units: 1 }).apply(new MyActivation().apply(y));
  const model = fill(new Model({ inputs, outputs: new TemporalSoftmax().apply(y) }));
  return {
    masks: [first.mask, second.mask],
    shape: embedded.shape,
    softmax: model.apply(x),
  };
});

program('text_lstm', async () => {
  const inputs = Input({ shape: [null], dtype: 'int32' });
  let x = layers.embedding({ inputDim: 30, outputDim: 6, maskZero: true }).apply(inputs);
  x = layers.bidirectional(layers.lstm({ units: 4, returnSequences: true })).apply(x);
  x = layers.bidirectional(layers.lstm({ units: 4 })).apply(x);
  const outputs = layers.dense({ units: 1, activation: 'sigmoid' }).apply(x);
  const model = fill(new Model({ inputs, outputs }));
  const rows = Array.from({ length: 8 }, (_, i) => ids([4 + (i % 3)], 30, 1));
  const xTrain = padSequences(rows, { maxlen: 8 });
  const yTrain = ids([8], 2);
  model.compile({ optimizer: 'adam', loss: 'binary_crossentropy', metrics: ['accuracy'] });
  const { history } = await model.fit(xTrain, yTrain, { batchSize: 4, epochs: 2, shuffle: false });
  return { history, y: model.predict(xTrain) };
});

program('cross_batch_states', () => {
  const lstmLayer = layers.lstm({ units: 4, stateful: true });
  const paragraphs = [0, 1, 2].map((phase) => wave([2, 5, 3], phase));
  lstmLayer.apply(paragraphs[0]);
  fill(lstmLayer);
  lstmLayer.resetState();
  const outputs = paragraphs.map((paragraph) => lstmLayer.apply(paragraph));
  const existingState = lstmLayer.states;
  const newLayer = layers.lstm({ units: 4 });
  newLayer.build([null, 5, 3]);
  fill(newLayer);
  const newOutput = newLayer.apply(paragraphs[2], { initialState: existingState });
  lstmLayer.resetState();
  return { outputs, new: newOutput, again: lstmLayer.apply(paragraphs[0]) };
});

program('nested_cell', async () => {
  class NestedCell extends Layer {
    constructor(unit1, unit2, config) {
      super(config);
      this.unit1 = unit1;
      this.unit2 = unit2;
      this.stateSize = [unit1, unit2];
      this.outputSize = unit1;
    }
    build(inputShape) {
      const features = inputShape.at(-1);
      const initializer = 'uniform';
      this.kernel1 = this.addWeight({
        shape: [features, this.unit1],
        initializer,
        name: 'kernel_1',
      });
      this.kernel2 = this.addWeight({
        shape: [features, this.unit2],
        initializer,
        name: 'kernel_2',
      });
    }
    call(inputs, { states }) {
      const [s1, s2] = states;
      const output1 = ops.matmul(inputs, this.kernel1).add(s1.multiply(0.5));
      const state2 = s2.add(ops.tanh(ops.matmul(inputs, this.kernel2)));
      const mean = ops.mean(state2, { axis: -1, keepdims: true });
      return [output1.add(mean), [output1, state2]];
    }
  }
  const rnn = layers.rnn(new NestedCell(3, 2), { returnSequences: true });
  const inputs = Input({ shape: [null, 4] });
  const model = fill(new Model({ inputs, outputs: rnn.apply(inputs) }));
  model.compile({ optimizer: 'adam', loss: 'mse', metrics: ['mae'] });
  const [x, y] = [wave([4, 5, 4]), wave([4, 5, 3], 1)];
  const { history } = await model.fit(x, y, { batchSize: 2, shuffle: false });
  return { history, y: model.predict(x) };
});

program('stacked_cells', () => {
  const cells = [
    layers.lstmCell({ units: 3 }),
    layers.gruCell({ units: 4 }),
    layers.simpleRNNCell({ units: 2 }),
  ];
  const inputs = Input({ shape: [5, 2] });
  const rnn = layers.rnn({ cell: cells, returnSequences: true, returnState: true });
  const [whole, ...states] = rnn.apply(inputs);
  const model = fill(new Model({ inputs, outputs: [whole, ...states] }));
  return { y: model.apply(wave([2, 5, 2])) };
});

/** Trains the pair of encoder and decoder; returns both and the data. */
async function trainedSeq2seq(tokens, latent) {
  const encoderInputs = Input({ shape: [null, tokens] });
  const encoder = layers.lstm({ units: latent, returnState: true });
  const [, stateH, stateC] = encoder.apply(encoderInputs);
  const encoderStates = [stateH, stateC];
  const decoderInputs = Input({ shape: [null, tokens] });
  const decoderLstm = layers.lstm({ units: latent, returnSequences: true, returnState: true });
  const [sequence] = decoderLstm.apply(decoderInputs, { initialState: encoderStates });
  const decoderDense = layers.dense({ units: tokens, activation: 'softmax' });
  const model = fill(
    new Model({ inputs: [encoderInputs, decoderInputs], outputs: decoderDense.apply(sequence) }),
  );
  model.compile({
    optimizer: 'rmsprop',
    loss: 'categorical_crossentropy',
    metrics: ['accuracy'],
  });
  const source = oneHot(ids([6, 4], tokens), tokens);
  const target = oneHot(ids([6, 5], tokens), tokens);
  const following = target.map(([first, ...rest]) => [...rest, first]);
  const { history } = await model.fit([source, target], following, {
    batchSize: 3,
    epochs: 2,
    shuffle: false,
  });
  const encoderModel = new Model({ inputs: encoderInputs, outputs: encoderStates });
  return { history, source, decoderInputs, decoderLstm, decoderDense, encoderModel };
}

program('seq2seq', async () => {
  const [tokens, latent] = [6, 4];
  const { history, source, decoderInputs, decoderLstm, decoderDense, encoderModel } =
    await trainedSeq2seq(tokens, latent);
  const stateInputs = [Input({ shape: [latent] }), Input({ shape: [latent] })];
  const [outputs, ...states] = decoderLstm.apply(decoderInputs, { initialState: stateInputs });
  const decoderModel = new Model({
    inputs: [decoderInputs, ...stateInputs],
    outputs: [decoderDense.apply(outputs), ...states],
  });
  let statesValue = encoderModel.predict(source.slice(0, 1));
  let targetSeq = oneHot([[0]], tokens);
  const decoded = [];
  let last;
  for (let i = 0; i < 6; i++) {
    const [outputTokens, h, c] = decoderModel.predict([targetSeq, ...statesValue]);
    const sampled = ops.argmax(outputTokens.getItem([0, -1])).item();
    decoded.push(sampled);
    targetSeq = oneHot([[sampled]], tokens);
    statesValue = [h, c];
    last = outputTokens;
  }
  return { history, decoded, last, state: statesValue[0] };
});

class TransformerBlock extends Layer {
  constructor(embedDim, numHeads, ffDim, rate = 0.1) {
    super();
    this.att = layers.multiHeadAttention({ numHeads, keyDim: embedDim });
    this.ffn = new Sequential([
      layers.dense({ units: ffDim, activation: 'relu' }),
      layers.dense({ units: embedDim }),
    ]);
    this.layernorm1 = layers.layerNormalization({ epsilon: 1e-6 });
    this.layernorm2 = layers.layerNormalization({ epsilon: 1e-6 });
    this.dropout1 = layers.dropout({ rate });
    this.dropout2 = layers.dropout({ rate });
  }
  call(inputs, { training = false }) {
    const attention = this.att.apply({ query: inputs, value: inputs });
    const out1 = this.layernorm1.apply(inputs.add(this.dropout1.apply(attention, { training })));
    const ffnOutput = this.ffn.apply(out1);
    return this.layernorm2.apply(out1.add(this.dropout2.apply(ffnOutput, { training })));
  }
}

class TokenAndPositionEmbedding extends Layer {
  constructor(maxlen, vocabSize, embedDim) {
    super();
    this.tokenEmb = layers.embedding({ inputDim: vocabSize, outputDim: embedDim });
    this.posEmb = layers.embedding({ inputDim: maxlen, outputDim: embedDim });
  }
  call(x) {
    const positions = ops.arange(0, x.shape.at(-1), 1);
    return this.tokenEmb.apply(x).add(this.posEmb.apply(positions));
  }
}

program('transformer', async () => {
  const inputs = Input({ shape: [7], dtype: 'int32' });
  let x = new TokenAndPositionEmbedding(7, 20, 8).apply(inputs);
  x = new TransformerBlock(8, 2, 5, 0).apply(x);
  x = layers.globalAveragePooling1D().apply(x);
  x = layers.dense({ units: 4, activation: 'relu' }).apply(x);
  const outputs = layers.dense({ units: 2, activation: 'softmax' }).apply(x);
  const model = fill(new Model({ inputs, outputs }));
  const loss = 'sparse_categorical_crossentropy';
  model.compile({ optimizer: 'adam', loss, metrics: ['accuracy'] });
  const [tokens, y] = [ids([8, 7], 20), ids([8], 2)];
  const { history } = await model.fit(tokens, y, { batchSize: 4, epochs: 2, shuffle: false });
  return { history, y: model.predict(tokens) };
});

program('mini_gpt', async () => {
  const causalAttentionMask = (batchSize, nDest, nSrc) => {
    const i = ops.arange(nDest).expandDims(1);
    const j = ops.arange(nSrc);
    const mask = ops.cast(i.greaterEqual(j.subtract(nSrc).add(nDest)), 'bool');
    return ops.tile(ops.reshape(mask, [1, nDest, nSrc]), [batchSize, 1, 1]);
  };
  class PositionEmbedding extends Layer {
    constructor(inputDim, outputDim) {
      super();
      this.table = layers.embedding({ inputDim, outputDim });
    }
    call(x) {
      return x.add(this.table.apply(ops.arange(0, x.shape[1])));
    }
  }
  const [vocabulary, maxlen, size] = [11, 6, 6];
  const inputs = Input({ shape: [maxlen], dtype: 'int32' });
  const embedded = layers.embedding({ inputDim: vocabulary, outputDim: size }).apply(inputs);
  let x = new PositionEmbedding(maxlen, size).apply(embedded);
  const mha = layers.multiHeadAttention({ numHeads: 2, keyDim: size });
  const attention = mha.apply({ query: x, value: x }, { useCausalMask: true });
  x = layers.layerNormalization({ epsilon: 1e-6 }).apply(x.add(attention));
  const model = fill(new Model({ inputs, outputs: layers.dense({ units: vocabulary }).apply(x) }));
  model.compile({
    optimizer: 'adam',
    loss: losses.sparseCategoricalCrossentropy({ fromLogits: true }),
  });
  const text = ids([6, maxlen + 1], vocabulary);
  const [before, after] = [text.map((row) => row.slice(0, -1)), text.map((row) => row.slice(1))];
  const { history } = await model.fit(before, after, { batchSize: 2, epochs: 2, shuffle: false });
  const tokens = [3, 1];
  while (tokens.length < maxlen) {
    const start = padSequences([tokens], { maxlen, padding: 'post' });
    const logits = model.predict(start).getItem([0, tokens.length - 1]);
    tokens.push(ops.argmax(logits).item());
  }
  return { history, tokens, mask: causalAttentionMask(2, 3, 4) };
});

program('forecast', async () => {
  const series = tensor(wave([60, 2]));
  const [past, future] = [8, 3];
  const train = series.getItem([{ stop: 40 }]);
  const features = series.subtract(train.mean(0)).divide(train.std(0));
  const rows = features.array();
  const x = rows.slice(0, 49).map((_, start) => rows.slice(start, start + past));
  const y = rows.slice(0, 49).map((_, start) => [rows[start + past + future - 1][0]]);
  const inputs = Input({ shape: [past, 2] });
  const lstmOut = layers.lstm({ units: 5 }).apply(inputs);
  const model = fill(new Model({ inputs, outputs: layers.dense({ units: 1 }).apply(lstmOut) }));
  model.compile({ optimizer: optimizers.adam({ learningRate: 0.001 }), loss: 'mse' });
  const { history } = await model.fit(x.slice(0, 32), y.slice(0, 32), {
    epochs: 3,
    batchSize: 8,
    shuffle: false,
    validationData: [x.slice(32), y.slice(32)],
    callbacks: [callbacks.earlyStopping({ monitor: 'val_loss', minDelta: 0, patience: 5 })],
  });
  return { history, forecast: model.predict(x.slice(-2)) };
});

everyProgramOf('sequences');
