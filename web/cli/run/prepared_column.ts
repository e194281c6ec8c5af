// SPDX-License-Identifier: MIT
// A column whose values pass through a Tokenizer or a scaler on their way to the model.
import { ShapeError, ValueError } from '../../src/base/errors.js';
import { flatten, nest, type Nested } from '../../src/base/nested.js';
import type { Tensor } from '../../src/index.js';
import type { Preparation } from '../prepared.js';
import type { Cuts, Place, RowArray } from './rows.js';

const isRowArray = (value: unknown): value is RowArray =>
  typeof value === 'object' && value !== null && 'shape' in value && 'data' in value;

/** Returns the ids of a text, or of the only cell of a row. */
function idsOf({ tokenizer }: Preparation, value: unknown, place: Place): unknown {
  const cells = Array.isArray(value) ? value : [value];
  const [text] = cells;
  if (cells.length !== 1) {
    throw new ValueError(
      `${place} has ${cells.length} texts, but --tokenizer needs one; choose it with --columns`,
    );
  }
  if (typeof text === 'string') return tokenizer?.textsToSequences([text])[0];
  throw new ValueError(`${place} is ${JSON.stringify(text)?.slice(0, 40)}, which is not text`);
}

/** Returns the scaled numbers of a row, of which the last axis, or all, are the columns. */
function scaled({ scaler }: Preparation, value: unknown, place: Place): unknown {
  if (!scaler || scaler.columns === 0) return value;
  const { shape, items } = isRowArray(value)
    ? { shape: value.shape, items: Array.from(value.data) }
    : flatten(value as Nested);
  const { columns } = scaler;
  if (items.length % columns !== 0 || items.length === 0) {
    throw new ShapeError(
      `${place} has ${items.length} values, but the scaler has ${columns} columns`,
    );
  }
  const rows = Array.from({ length: items.length / columns }, (_, i) =>
    (items as number[]).slice(i * columns, (i + 1) * columns),
  );
  return nest((scaler.transform(rows) as number[][]).flat(), shape);
}

/** The column that receives prepared values. */
interface Receiver {
  add(value: unknown, place: Place): void;
  drop(): void;
  take(): Tensor | readonly unknown[];
  readonly cuts?: Cuts | undefined;
  end(): void;
}

export class PreparedColumn implements Receiver {
  constructor(
    readonly inner: Receiver,
    readonly preparation: Preparation,
  ) {}

  add(value: unknown, place: Place): void {
    const prepare = this.preparation.tokenizer ? idsOf : scaled;
    this.inner.add(prepare(this.preparation, value, place), place);
  }

  drop(): void {
    this.inner.drop();
  }

  take(): Tensor | readonly unknown[] {
    return this.inner.take();
  }

  get cuts(): Cuts | undefined {
    return this.inner.cuts;
  }

  end(): void {
    this.inner.end();
  }
}
