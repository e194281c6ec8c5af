// SPDX-License-Identifier: MIT
// The model of bench/visit.mjs for onnxruntime-web, and the page that predicts with it.
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { at } from '../scripts/lib/files.mjs';
import { OnnxGraph } from './peers/onnx.mjs';
import { lstmGates, recurrentWeights } from './peers/ort_graph.mjs';

/** Returns a program that predicts one row of ids, padded with 0 at its end. */
export const onnxProgram = (row) => `import * as ort from 'onnxruntime-web/wasm';
ort.env.wasm.numThreads = 1;
const session = await ort.InferenceSession.create('./model.onnx');
const { y } = await session.run({
  x: new ort.Tensor('int32', [${row}], [${row.length}, 1]),
  lengths: new ort.Tensor('int32', [${row.filter(Boolean).length}], [1]),
});
`;

/** Returns an embedding, an LSTM of Keras 2 and a softmax as an ONNX file. */
export function onnxModel(loaded) {
  const [table, kernel, recurrent, bias, dense, denseBias] = loaded
    .getWeights()
    .map((weight) => ({ shape: weight.shape, data: weight.data() }));
  const [features, units] = [kernel.shape[0], recurrent.shape[0]];
  const graph = new OnnxGraph();
  const [time] = loaded.inputShape.slice(1);
  const x = graph.input('x', 'int32', [time, 1]);
  const lengths = graph.input('lengths', 'int32', [1]);
  const vectors = graph.op('Gather', [graph.constant(table.shape, table.data), x]);
  const spec = { features, units, weights: [kernel, recurrent, bias] };
  const [, h] = graph.node(
    'LSTM',
    [vectors, ...recurrentWeights(graph, spec, lstmGates), lengths],
    {
      outputs: ['', '*'],
      hidden_size: units,
      activations: ['HardSigmoid', 'Tanh', 'Tanh'],
    },
  );
  const state = graph.op('Reshape', [h, graph.ints(1, units)]);
  const product = graph.op('MatMul', [state, graph.constant(dense.shape, dense.data)]);
  const sum = graph.op('Add', [product, graph.constant(denseBias.shape, denseBias.data)]);
  graph.node('Softmax', [sum], { outputs: ['y'] });
  graph.output('y', 'float32', [1, dense.shape[1]]);
  return graph.bytes();
}

/** Copies the wasm beside the scripts if the bundler has not, as the package's guide says. */
export function copyWasm(out) {
  if (readdirSync(out, { recursive: true }).some((name) => name.endsWith('.wasm'))) return;
  const file = 'ort-wasm-simd-threaded.wasm';
  copyFileSync(
    at('bench', 'peers', 'node_modules', 'onnxruntime-web', 'dist', file),
    join(out, file),
  );
}
