// SPDX-License-Identifier: MIT
// Builds the layers of a workload as an ONNX graph, as good for ONNX Runtime as a user could write
// it: recurrent operators with sequence_lens, and attention as its one fused operator.
import { OnnxGraph } from './onnx.mjs';

/**
 * Transposes a weight of Keras, [rows, gates * units], to ONNX's [gates * units, rows]. `gates` are
 * indices of Keras's gates in ONNX's order.
 */
function gateRows({ shape: [rows, columns], data }, units, gates) {
  const result = new Float32Array(rows * columns);
  gates.forEach((gate, place) => {
    for (let unit = 0; unit < units; unit++) {
      for (let row = 0; row < rows; row++) {
        result[(place * units + unit) * rows + row] = data[row * columns + gate * units + unit];
      }
    }
  });
  return result;
}

const concatenate = (arrays) => Float32Array.from(arrays.flatMap((array) => [...array]));

// Keras's gates in ONNX's order. For the LSTM, ONNX has input, output, forget, cell and Keras
// input, forget, cell, output. For the GRU, both have z, r, h.
export const lstmGates = [0, 3, 1, 2];
const gruGates = [0, 1, 2];

/** Adds the weights of a recurrent layer; returns their names in the order of ONNX. */
export function recurrentWeights(graph, spec, gates) {
  const { features, units, weights } = spec;
  const directions = weights.length / 3;
  const each = Array.from({ length: directions }, (_, i) => weights.slice(3 * i, 3 * i + 3));
  const wide = gates.length * units;
  const biasOf = ({ shape, data }) => {
    const biasRow = (row) => gateRows({ shape: [1, wide], data: row }, units, gates);
    // Adds zeros as a second bias, because ONNX's LSTM has two biases and Keras's has one.
    return shape.length === 1
      ? [...biasRow(data), ...new Float32Array(wide)]
      : [...biasRow(data.subarray(0, wide)), ...biasRow(data.subarray(wide))];
  };
  return [
    graph.constant(
      [directions, wide, features],
      concatenate(each.map(([w]) => gateRows(w, units, gates))),
    ),
    graph.constant(
      [directions, wide, units],
      concatenate(each.map(([, r]) => gateRows(r, units, gates))),
    ),
    graph.constant([directions, 2 * wide], concatenate(each.map(([, , b]) => biasOf(b)))),
  ];
}

// Functions that add a layer; x is [time, batch, features], as ONNX Runtime's recurrent operators
// require.
const layers = {
  masking: (_graph, x) => x,
  embedding: (graph, x, { ids, width, weights }) =>
    graph.op('Gather', [graph.constant([ids, width], weights[0].data), x]),
  lstm: (graph, x, spec, { batch, lengths, states }) => {
    const { units, both: isBidirectional, sequences } = spec;
    const directions = isBidirectional ? 2 : 1;
    const [y, h, c] = graph.node(
      'LSTM',
      [x, ...recurrentWeights(graph, spec, lstmGates), lengths ?? '', ...(states ?? [])],
      {
        outputs: sequences ? ['*'] : ['', '*', '*'],
        hidden_size: units,
        direction: isBidirectional ? 'bidirectional' : 'forward',
      },
    );
    if (states) return [h, c];
    if (sequences) return graph.op('Squeeze', [y, graph.ints(1)]);
    const rows = isBidirectional ? graph.op('Transpose', [h], { perm: [1, 0, 2] }) : h;
    return graph.op('Reshape', [rows, graph.ints(batch, directions * units)]);
  },
  gru: (graph, x, spec, { batch, lengths }) => {
    const { units } = spec;
    const inputs = [x, ...recurrentWeights(graph, spec, gruGates), lengths ?? ''];
    const [, h] = graph.node('GRU', inputs, {
      outputs: ['', '*'],
      hidden_size: units,
      linear_before_reset: 1,
    });
    return graph.op('Reshape', [h, graph.ints(batch, units)]);
  },
  dense: (graph, x, spec) => {
    const sum = dense(graph, x, spec);
    return spec.activation === 'sigmoid' ? graph.op('Sigmoid', [sum]) : sum;
  },
};

function dense(graph, x, { features, units, weights: [kernel, bias] }) {
  const product = graph.op('MatMul', [x, graph.constant([features, units], kernel.data)]);
  return graph.op('Add', [product, graph.constant([units], bias.data)]);
}

/** Converts Keras's kernel [size, features, filters] to ONNX's [filters, features, size]. */
function convolution(graph, x, { features, filters, size, weights: [kernel, bias] }) {
  const data = new Float32Array(kernel.data.length);
  for (let k = 0; k < size; k++) {
    for (let c = 0; c < features; c++) {
      for (let f = 0; f < filters; f++) {
        data[(f * features + c) * size + k] = kernel.data[(k * features + c) * filters + f];
      }
    }
  }
  const weights = [
    graph.constant([filters, features, size], data),
    graph.constant([filters], bias.data),
  ];
  const channels = graph.op('Transpose', [x], { perm: [0, 2, 1] });
  const y = graph.op('Conv', [channels, ...weights], { kernel_shape: [size] });
  return graph.op('Transpose', [y], { perm: [2, 0, 1] });
}

/**
 * Adds a transformer block. `lengths` of its rows and `past`, the keys and values of earlier steps,
 * are optional. Returns the output and `present`: the keys and values up to this step.
 */
function transformer(graph, x, spec, { lengths = '', past = '' }) {
  const { width, heads, attention, normalisations, denses } = spec;
  const [q, qBias, k, kBias, v, vBias, o, oBias] = attention.map(({ data }) => data);
  const qkv = new Float32Array(3 * width * width);
  for (let row = 0; row < width; row++) {
    [q, k, v].forEach((part, i) => {
      qkv.set(part.subarray(row * width, (row + 1) * width), (row * 3 + i) * width);
    });
  }
  const bias = graph.constant([3 * width], concatenate([qBias, kBias, vBias]));
  const [heard, present] = graph.node(
    'Attention',
    [x, graph.constant([width, 3 * width], qkv), bias, lengths, past],
    {
      domain: 'com.microsoft',
      num_heads: heads,
      unidirectional: spec.causal ? 1 : 0,
      outputs: past ? ['*', '*'] : ['*'],
    },
  );
  const projection = { features: width, units: width, weights: [{ data: o }, { data: oBias }] };
  const normalise = (sum, [gamma, beta]) =>
    graph.op(
      'LayerNormalization',
      [sum, graph.constant([width], gamma.data), graph.constant([width], beta.data)],
      {
        axis: -1,
        epsilon: 0.001,
      },
    );
  const normalized = normalise(
    graph.op('Add', [x, dense(graph, heard, projection)]),
    normalisations[0],
  );
  const inner = graph.op('Relu', [dense(graph, normalized, denses[0])]);
  const sum = graph.op('Add', [normalized, dense(graph, inner, denses[1])]);
  return [normalise(sum, normalisations[1]), present];
}

/** Builds a graph with the inputs x (batch first, as in maskflow) and lengths, and output y. */
export function ortGraph({ layers: specs, input, lengths }) {
  const graph = new OnnxGraph();
  const [batch, time, ...features] = input.shape;
  // With one row, time first has the same bytes as batch first, so no Transpose is needed.
  const shape = batch === 1 ? [time, 1, ...features] : input.shape;
  let x = graph.input('x', input.type, shape);
  const rows = lengths ? graph.input('lengths', 'int32', [batch]) : undefined;
  const kind = specs.at(-1).kind;
  if (kind === 'transformer') {
    [x] = transformer(graph, x, specs.at(-1), { lengths: rows });
  } else {
    const remaining = [...specs];
    if (remaining[0].kind === 'conv') x = convolution(graph, x, remaining.shift());
    else if (batch > 1) x = graph.op('Transpose', [x], { perm: [1, 0, ...features.map(() => 2)] });
    for (const spec of remaining) x = layers[spec.kind](graph, x, spec, { batch, lengths: rows });
  }
  graph.node('Identity', [x], { outputs: ['y'] });
  graph.output(
    'y',
    'float32',
    kind === 'transformer' ? input.shape : [batch, widthOf(specs.at(-1))],
  );
  return graph.bytes();
}

const widthOf = ({ units, both: isBidirectional }) => (isBidirectional ? 2 : 1) * units;

/**
 * Builds a graph of one step from x to `output`. Each entry of `kept` is a state: copy the output
 * `from` to the input `to` of the next step. The first step starts with zeros.
 */
export function ortStep(spec) {
  return spec.kind === 'transformer' ? decoderStep(spec) : lstmStep(spec);
}

function lstmStep(spec) {
  const graph = new OnnxGraph();
  const { features, units } = spec;
  const dims = [1, 1, units];
  const x = graph.input('x', 'float32', [1, 1, features]);
  const states = ['h', 'c'].map((name) => graph.input(name, 'float32', dims));
  const nextStates = layers.lstm(graph, x, spec, { batch: 1, states });
  const kept = ['h', 'c'].map((to, i) => {
    const from = `${to}Next`;
    graph.node('Identity', [nextStates[i]], { outputs: [from] });
    graph.output(from, 'float32', dims);
    return { from, to, begin: dims };
  });
  return { graph: graph.bytes(), kept, output: 'hNext' };
}

function decoderStep(spec) {
  const graph = new OnnxGraph();
  const { width, heads } = spec;
  const dims = (steps) => [2, 1, heads, steps, width / heads];
  const x = graph.input('x', 'float32', [1, 1, width]);
  const past = graph.input('past', 'float32', dims('before'));
  const [y, present] = transformer(graph, x, spec, { past });
  for (const [from, to, shape] of [
    [y, 'y', [1, 1, width]],
    [present, 'present', dims('seen')],
  ]) {
    graph.node('Identity', [from], { outputs: [to] });
    graph.output(to, 'float32', shape);
  }
  const kept = [{ from: 'present', to: 'past', begin: dims(0) }];
  return { graph: graph.bytes(), kept, output: 'y' };
}
