// SPDX-License-Identifier: MIT
import { sum } from '../src/base/array.js';
import { ShapeError } from '../src/base/errors.js';
import { type Model, Tensor, tidy } from '../src/index.js';
import { usualBatch } from '../src/model/usual_batch.js';
import { batch, type Inputs } from './inputs.js';
import type { Output } from './output.js';
import { Progress } from './progress.js';

/** Joins the batches of one output. */
function join(name: string, parts: readonly Tensor[]): Output {
  const [first] = parts as [Tensor];
  const [, ...rest] = first.shape;
  const odd = parts.find(({ shape }) => shape.slice(1).join() !== rest.join());
  if (odd) {
    throw new ShapeError(
      `batches have outputs of shapes [${first.shape}] and [${odd.shape}]; use --batch-size 0`,
    );
  }
  const rows = sum(parts.map(({ shape }) => shape[0] ?? 1));
  const { dtype } = first;
  const data = first.data().slice(0, 0);
  const all = new (data.constructor as Float32ArrayConstructor)(sum(parts.map(({ size }) => size)));
  let at = 0;
  for (const part of parts) {
    part.read((view) => all.set(view, at));
    at += part.size;
  }
  return { name, shape: [rows, ...rest], dtype, data: all };
}

/** Returns all outputs for all rows, computed `batchSize` rows at a time, or all at once for 0. */
export function predict(
  model: Model,
  inputs: Inputs,
  batchSize: number = usualBatch(model),
): Output[] {
  const { rows } = inputs;
  const size = batchSize || Math.max(rows, 1);
  const progress = new Progress(rows);
  return tidy(() => {
    const parts = new Map<string, Tensor[]>();
    // Runs at least one batch, because a batch without rows still determines the shapes.
    for (let from = 0; from < Math.max(rows, 1); from += size) {
      const result = tidy(() =>
        model.predict<Tensor | Tensor[]>(batch(inputs, from, from + size), { batchSize: 0 }),
      );
      const outputs = result instanceof Tensor ? [result] : result;
      for (const [name, output] of Object.entries(outputs)) {
        const before = parts.get(name);
        if (before) before.push(output);
        else parts.set(name, [output]);
      }
      progress.at(Math.min(from + size, rows));
    }
    progress.end();
    return [...parts].map(([name, tensors]) => join(name, tensors));
  });
}
