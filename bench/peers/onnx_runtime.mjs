// SPDX-License-Identifier: MIT
// Workloads for ONNX Runtime, whichever of its packages runs them.
import { ortGraph, ortStep } from './ort_graph.mjs';

/** Why a workload cannot be expressed, or undefined. */
export function refuses({ mask }) {
  if (mask === 'pre') return 'sequence_lens counts from the front: no padding in front';
  if (mask === 'holes') return 'sequence_lens cannot say holes';
  return undefined;
}

/** @returns what compare.mjs calls: `ort` is the package, `options` those of its sessions */
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

/** What one step has to remember is an output of the graph, and an input of the next step: `kept`, with shapes at the beginning. */
async function stream(ort, options, { layers: specs, input: { shape, data } }) {
  const { graph, kept, output } = ortStep(specs.at(-1));
  const session = await ort.InferenceSession.create(graph, options);
  const [, steps, width] = shape;
  const floats = (values, dims) => new ort.Tensor('float32', values, dims);
  const empty = (dims) => floats(new Float32Array(dims.reduce((a, b) => a * b, 1)), dims);
  const run = async () => {
    let states = Object.fromEntries(kept.map(({ from, begin }) => [from, empty(begin)]));
    for (let t = 0; t < steps; t++) {
      const feeds = { x: floats(data.subarray(t * width, (t + 1) * width), [1, 1, width]) };
      for (const { from, to } of kept) feeds[to] = states[from];
      states = await session.run(feeds);
    }
    return states[output].data;
  };
  return { run, steps, stop: () => session.release() };
}
