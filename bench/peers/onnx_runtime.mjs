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
  if (workload.id === 'W6') return stream(ort, options, workload);
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

async function stream(ort, options, { layers: [spec], input: { shape, data } }) {
  const session = await ort.InferenceSession.create(ortStep(spec), options);
  const [, steps, width] = shape;
  const zeros = () => new ort.Tensor('float32', new Float32Array(spec.units), [1, 1, spec.units]);
  const run = async () => {
    let states = { hNext: zeros(), cNext: zeros() };
    for (let t = 0; t < steps; t++) {
      const x = new ort.Tensor('float32', data.subarray(t * width, (t + 1) * width), [1, 1, width]);
      states = await session.run({ x, h: states.hNext, c: states.cNext });
    }
    return states.hNext.data;
  };
  return { run, steps, stop: () => session.release() };
}
