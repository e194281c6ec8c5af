// SPDX-License-Identifier: MIT
// Programs that build models return the numbers of Keras: tests/fixtures/guide_programs/models.py.
import * as mf from '../../../dist/train.js';
import {
  everyProgramOf,
  fill,
  ids,
  map,
  oneHot,
  program,
  wave,
} from '../../support/guide_programs.js';

const { Input, layers, losses, Model, ops, optimizers, Sequential, tensor } = mf;
await mf.ready({ seed: 1 });

program('sequential_guide', () => {
  const model = new Sequential([], { name: 'three' });
  model.add(Input({ shape: [4] }));
  model.add(layers.dense({ units: 2, activation: 'relu', name: 'layer1' }));
  model.add(layers.dense({ units: 3, activation: 'relu', name: 'layer2' }));
  model.add(layers.dense({ units: 4, name: 'layer3' }));
  fill(model);
  const x = wave([3, 4]);
  const first = model.apply(x);
  model.pop();
  return {
    all: first,
    'without the last': model.apply(x),
    layers: model.layers.map((layer) => layer.name),
    parameters: model.countParams(),
    shape: model.outputShape,
  };
});

program('feature_extraction', () => {
  const initialModel = new Sequential([
    Input({ shape: [12, 3] }),
    layers.conv1D({ filters: 4, kernelSize: 5, strides: 2, activation: 'relu' }),
    layers.conv1D({
      filters: 4,
      kernelSize: 3,
      activation: 'relu',
      name: 'my_intermediate_layer',
    }),
    layers.globalMaxPooling1D(),
  ]);
  fill(initialModel);
  const extractor = new Model({
    inputs: initialModel.inputs,
    outputs: initialModel.layers.map((layer) => layer.output),
  });
  const middle = new Model({
    inputs: initialModel.inputs,
    outputs: initialModel.getLayer('my_intermediate_layer').output,
  });
  const x = tensor(wave([2, 12, 3]));
  return { features: extractor.apply(x), middle: middle.apply(x) };
});

program('autoencoder', () => {
  const encoderInput = Input({ shape: [8, 2], name: 'series' });
  let x = layers.conv1D({ filters: 4, kernelSize: 3, activation: 'relu' }).apply(encoderInput);
  x = layers.maxPooling1D({ poolSize: 2 }).apply(x);
  const encoderOutput = layers.flatten().apply(x);
  const encoder = new Model({ inputs: encoderInput, outputs: encoderOutput, name: 'encoder' });

  const decoderInput = Input({ shape: [12], name: 'code' });
  x = layers.reshape({ targetShape: [3, 4] }).apply(decoderInput);
  x = layers.upSampling1D({ size: 2 }).apply(x);
  const decoderOutput = layers
    .conv1DTranspose({ filters: 2, kernelSize: 3, activation: 'relu' })
    .apply(x);
  const decoder = new Model({ inputs: decoderInput, outputs: decoderOutput, name: 'decoder' });

  const inputs = Input({ shape: [8, 2], name: 'again' });
  const outputs = decoder.apply(encoder.apply(inputs));
  const both = new Model({ inputs, outputs, name: 'autoencoder' });
  fill(both);
  const series = wave([2, 8, 2]);
  return {
    code: encoder.predict(series),
    image: both.predict(series),
    names: both.layers.map(({ name }) => name),
  };
});

program('ensemble', () => {
  const getModel = () => {
    const inputs = Input({ shape: [6] });
    return new Model({ inputs, outputs: layers.dense({ units: 1 }).apply(inputs) });
  };
  const models = [getModel(), getModel(), getModel()];
  const inputs = Input({ shape: [6] });
  const outputs = layers.average().apply(models.map((model) => model.apply(inputs)));
  const ensembleModel = fill(new Model({ inputs, outputs }));
  const x = wave([3, 6]);
  return { y: ensembleModel.predict(x), first: models[0].predict(x) };
});

program('tickets', async () => {
  const titleInput = Input({ shape: [null], name: 'title', dtype: 'int32' });
  const bodyInput = Input({ shape: [null], name: 'body', dtype: 'int32' });
  const tagsInput = Input({ shape: [3], name: 'tags' });
  const embedding = () => layers.embedding({ inputDim: 20, outputDim: 5, maskZero: true });
  const title = layers.lstm({ units: 4 }).apply(embedding().apply(titleInput));
  const body = layers.lstm({ units: 3 }).apply(embedding().apply(bodyInput));
  const x = layers.concatenate().apply([title, body, tagsInput]);
  const priority = layers.dense({ units: 1, name: 'priority' }).apply(x);
  const department = layers.dense({ units: 4, name: 'department' }).apply(x);
  const model = new Model({
    inputs: [titleInput, bodyInput, tagsInput],
    outputs: { priority, department },
  });
  fill(model);
  model.compile({
    optimizer: optimizers.rmsprop(1e-3),
    loss: {
      priority: losses.binaryCrossentropy({ fromLogits: true }),
      department: losses.categoricalCrossentropy({ fromLogits: true }),
    },
    lossWeights: { priority: 1, department: 0.2 },
  });
  const data = { title: ids([8, 5], 20), body: ids([8, 7], 20), tags: wave([8, 3]) };
  const targets = { priority: ids([8, 1], 2), department: oneHot(ids([8], 4), 4) };
  const history = await model.fit(data, targets, { epochs: 2, batchSize: 4, shuffle: false });
  return {
    history: history.history,
    predictions: model.predict(data),
    evaluation: model.evaluate(data, targets),
  };
});

program('residual', () => {
  const inputs = Input({ shape: [10, 3], name: 'signal' });
  const conv = { filters: 4, kernelSize: 3, activation: 'relu' };
  let x = layers.conv1D(conv).apply(inputs);
  const block1Output = layers.maxPooling1D({ poolSize: 2 }).apply(x);
  x = layers.conv1D({ ...conv, padding: 'same' }).apply(block1Output);
  x = layers.conv1D({ ...conv, padding: 'same' }).apply(x);
  const block2Output = layers.add().apply([x, block1Output]);
  x = layers.globalAveragePooling1D().apply(block2Output);
  x = layers.dense({ units: 8, activation: 'relu' }).apply(x);
  x = layers.dropout({ rate: 0.5 }).apply(x);
  const outputs = layers.dense({ units: 3 }).apply(x);
  const model = fill(new Model({ inputs, outputs, name: 'toy_resnet' }));
  model.compile({
    optimizer: optimizers.adam(1e-3),
    loss: losses.sparseCategoricalCrossentropy({ fromLogits: true }),
    metrics: ['acc'],
  });
  const [signal, y] = [wave([6, 10, 3]), ids([6], 3)];
  const { loss, acc } = model.evaluate(signal, y);
  return { logits: model.predict(signal), scores: [loss, acc] };
});

program('shared_layers', async () => {
  const sharedEmbedding = layers.embedding({ inputDim: 30, outputDim: 4 });
  const sharedLstm = layers.lstm({ units: 3 });
  const textA = Input({ shape: [null], dtype: 'int32' });
  const textB = Input({ shape: [null], dtype: 'int32' });
  const encodedA = sharedLstm.apply(sharedEmbedding.apply(textA));
  const encodedB = sharedLstm.apply(sharedEmbedding.apply(textB));
  const similarity = layers.dot({ axes: 1, normalize: true }).apply([encodedA, encodedB]);
  const model = fill(new Model({ inputs: [textA, textB], outputs: similarity }));
  const [a, b] = [ids([4, 5], 30), ids([4, 6], 30)];
  model.compile({ loss: 'mse', optimizer: 'sgd' });
  const { loss } = await model.trainOnBatch([a, b], wave([4, 1]));
  return { loss, after: model.predict([a, b]), weights: model.weights.length };
});

program('ops_in_graphs', () => {
  const inputs = Input({ shape: [4, 3] });
  const scaled = inputs.divide(2).subtract(0.1);
  let x = layers.dense({ units: 3 }).apply(scaled);
  x = ops.relu(x).add(inputs);
  x = ops.concatenate([x, ops.square(inputs)], -1);
  const last = x.getItem([{}, -1]);
  const best = ops.max(x, 1);
  const outputs = [last, best, ops.softmax(ops.sum(x, -1))];
  const model = fill(new Model({ inputs, outputs }));
  return { y: model.apply(wave([2, 4, 3])) };
});

program('embedding_dot', async () => {
  const [users, movies] = [9, 7];
  class RecommenderNet extends Model {
    constructor(numUsers, numMovies, embeddingSize) {
      super();
      const table = (inputDim, outputDim) => layers.embedding({ inputDim, outputDim });
      this.userEmbedding = table(numUsers, embeddingSize);
      this.userBias = table(numUsers, 1);
      this.movieEmbedding = table(numMovies, embeddingSize);
      this.movieBias = table(numMovies, 1);
    }
    call(inputs) {
      const [user, movie] = [inputs.getItem([{}, 0]), inputs.getItem([{}, 1])];
      const vectors = ops.multiply(
        this.userEmbedding.apply(user),
        this.movieEmbedding.apply(movie),
      );
      const dot = ops.sum(vectors, { axis: 1, keepdims: true });
      return ops.sigmoid(dot.add(this.userBias.apply(user)).add(this.movieBias.apply(movie)));
    }
  }
  const model = new RecommenderNet(users, movies, 4);
  const movieIds = ids([12], movies);
  const x = tensor(ids([12], users).map((user, i) => [user, movieIds[i]]));
  model.apply(x);
  fill(model);
  model.compile({
    loss: losses.binaryCrossentropy(),
    optimizer: optimizers.adam({ learningRate: 0.01 }),
  });
  const rating = (values) => map(values, (value) => (value + 1) / 2);
  const history = await model.fit(x, rating(wave([12])), {
    batchSize: 4,
    epochs: 3,
    shuffle: false,
    validationData: [x.getItem([{ stop: 4 }]), rating(wave([4], 1))],
  });
  const scores = model.predict(x).reshape([-1]);
  const best = ops.flip(ops.argsort(scores).getItem([{ start: -3 }]));
  return { history: history.history, best, scores };
});

program('subclassed_model', () => {
  class MyModel extends Model {
    constructor() {
      super();
      this.dense1 = layers.dense({ units: 8, activation: 'relu' });
      this.dense2 = layers.dense({ units: 3, activation: 'softmax' });
      this.dropout = layers.dropout({ rate: 0.5 });
    }
    call(inputs, { training = false }) {
      const x = this.dropout.apply(this.dense1.apply(inputs), { training });
      return this.dense2.apply(x);
    }
  }
  const model = new MyModel();
  const [x, y] = [wave([6, 4]), ids([6], 3)];
  model.apply(x);
  fill(model);
  const optimizer = 'rmsprop';
  model.compile({ optimizer, loss: 'sparse_categorical_crossentropy', metrics: ['accuracy'] });
  return {
    y: model.apply(x),
    scores: model.evaluate(x, y),
    weights: model.weights.map(({ shape }) => shape),
  };
});

everyProgramOf('models');
