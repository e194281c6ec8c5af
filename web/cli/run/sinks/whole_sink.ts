// SPDX-License-Identifier: MIT
// The writer of formats that need all predictions at once.
import { sum } from '../../../src/base/array.js';
import { ShapeError, UnsupportedError } from '../../../src/base/errors.js';
import type { TensorData } from '../../../src/tensor/tensor.js';
import { type Output, writeOutputs } from '../../output.js';
import type { Predicted, Sink } from '../rows.js';
import type { ByteTarget } from './byte_sink.js';

/** Joins the batches of one output. */
function join(parts: readonly Output[]): Output {
  const [first] = parts as [Output];
  const rest = first.shape.slice(1);
  const odd = parts.find(({ shape }) => `${shape.slice(1)}` !== `${rest}`);
  if (odd) {
    throw new ShapeError(
      `batches have outputs of shapes [${first.shape}] and [${odd.shape}]; use --batch-size 0`,
    );
  }
  const Class = first.data.constructor as new (size: number) => TensorData;
  const data = new Class(sum(parts.map(({ data }) => data.length)));
  let at = 0;
  for (const part of parts) {
    data.set(part.data, at);
    at += part.data.length;
  }
  return { ...first, shape: [sum(parts.map(({ shape }) => shape[0] ?? 1)), ...rest], data };
}

/** Formats that cannot be written row by row: .npz, and JSON of several outputs. */
export class WholeSink implements Sink {
  readonly #to: ByteTarget;
  readonly #format: 'json' | 'npz';
  readonly #parts = new Map<string, Output[]>();

  constructor(to: ByteTarget, format: 'json' | 'npz') {
    this.#to = to;
    this.#format = format;
  }

  write({ entries, outputs }: Predicted): void {
    if (entries.some(({ index }) => index < 0)) {
      throw new UnsupportedError(
        `--on-error null needs rows, which ${this.#format} of a whole does not have; use jsonl`,
      );
    }
    for (const output of outputs) {
      const before = this.#parts.get(output.name);
      if (before) before.push(output);
      else this.#parts.set(output.name, [output]);
    }
  }

  async end(): Promise<void> {
    const outputs = [...this.#parts.values()].map(join);
    await this.#to.bytes(writeOutputs(outputs, this.#format));
    await this.#to.end();
  }

  discard(): Promise<void> {
    return this.#to.discard();
  }
}
