// SPDX-License-Identifier: MIT
// Runs workloads in ONNX Runtime, with any of its packages.
import { ortGraph, ortStep } from './ort_graph.mjs';

/** Returns why a workload cannot be expressed, or undefined. */
export function refuses({ mask }) {
  if (mask === 'pre') return 'sequence_lens cannot describe padding in front';
  if (mask === 'holes') return 'sequence_lens cannot describe holes';
  return undefined;
}

/**
 * @returns the function that compare.mjs calls: `ort` is the package, `options` are those of its
 * sessions
 */
export const preparing = (ort, options) => async (workload) => {
  if (workload.unit === 'step') return stream(ort, options, workload);
  const { input, lengths } = workload;
  const [batch, time, ...features] = input.shape;
  const shape = batch === 1 ? [time, 1, ...features] : input.shape;
  const session = await ort.InferenceSession.create(ortGraph(workload), options);
  const run = async () => {
    const feeds = { x: new ort.Tensor(input.type, input.data, shape) };
    if (lengths) feeds.lengths = new ort.Tensor('int32', lengths, [batch]);
    return (await session.run(feeds)).y.data;
  };
  return { run, stop: () => session.release() };
};

/**
 * Runs step by step. The state of a step is an output of the graph and an input of the next step:
 * `kept`, with the initial shapes.
 */
async function stream(ort, options, { layers: specs, input: { shape, data } }) {
  const { graph, kept: stateLinks, output } = ortStep(specs.at(-1));
  const session = await ort.InferenceSession.create(graph, options);
  const [, steps, width] = shape;
  const floats = (values, dims) => new ort.Tensor('float32', values, dims);
  const empty = (dims) => floats(new Float32Array(dims.reduce((a, b) => a * b, 1)), dims);
  const run = async () => {
    let states = Object.fromEntries(stateLinks.map(({ from, begin }) => [from, empty(begin)]));
    for (let t = 0; t < steps; t++) {
      const feeds = { x: floats(data.subarray(t * width, (t + 1) * width), [1, 1, width]) };
      for (const { from, to } of stateLinks) feeds[to] = states[from];
      states = await session.run(feeds);
    }
    return states[output].data;
  };
  return { run, steps, stop: () => session.release() };
}
