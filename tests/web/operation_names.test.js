// SPDX-License-Identifier: MIT
// Names of operations in saved graphs. Keras computes masks again when it loads a graph; an
// operation of the file must not have the name of one that Keras creates.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import * as mf from '../../dist/train.js';

await mf.ready({ onMaskDropped: 'silent' });
const { Input, Layer, layers, loadModel, Model, ops, registerLayer } = mf;

class Plain extends Layer {
  supportsMasking = true;
  call(x) {
    return ops.multiply(x, 2);
  }
}
registerLayer(Plain, { package: 'OperationNames' });

/** A graph in which a layer uses the mask of an Embedding, then a last layer. */
function masked(last) {
  const ids = Input({ shape: [null], dtype: 'int32' });
  const embedded = layers.embedding({ inputDim: 9, outputDim: 2, maskZero: true }).apply(ids);
  const normal = layers.batchNormalization().apply(embedded);
  const sum = layers.add({ name: 'sum' }).apply([embedded, normal]);
  return new Model({ inputs: ids, outputs: ops.add(last.apply(sum), 1) });
}

const graphIn = (bytes) => {
  const { config } = JSON.parse(new TextDecoder().decode(unzipSync(bytes)['config.json']));
  return config;
};

/** Names of the operations that a structure refers to. */
const references = (value) => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'keras_history' ? [item[0]] : references(item),
  );
};

/** Names of operations that are not layers. */
const operationsIn = ({ layers: entries }) =>
  entries.filter(({ module }) => module?.startsWith('keras.src.ops')).map(({ name }) => name);

test('a graph with a custom layer has no operation with a name that Keras creates', async () => {
  const model = masked(new Plain());
  const bytes = await model.save();
  const graph = graphIn(bytes);
  assert.deepEqual(operationsIn(graph), ['op_not_equal', 'op_add']);
  const names = graph.layers.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, config, inbound_nodes: calls } of graph.layers) {
    assert.equal(config.name, name);
    for (const used of references(calls)) assert.ok(names.includes(used), used);
  }
  assert.deepEqual(graph.output_layers.flat(), ['op_add', 0, 0]);
  const ids = [[1, 2, 0]];
  const loaded = await loadModel(bytes);
  assert.deepEqual(loaded.predict(ids).data(), model.predict(ids).data());
  assert.deepEqual(operationsIn(graphIn(await loaded.save())), ['op_not_equal', 'op_add']);
});

test('a layer with the new name of an operation keeps it', async () => {
  const graph = graphIn(await masked(new Plain({ name: 'op_not_equal' })).save());
  assert.deepEqual(operationsIn(graph), ['op_op_not_equal', 'op_add']);
});

test('a graph of built-in layers has the names that Keras gives', async () => {
  const graph = graphIn(await masked(layers.activation({ activation: 'tanh' })).save());
  const operations = operationsIn(graph);
  assert.equal(operations[0], 'not_equal');
  assert.ok(operations.every((name) => !name.startsWith('op_')));
});
