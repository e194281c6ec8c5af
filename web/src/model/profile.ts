// SPDX-License-Identifier: MIT
// `Model.profile`, from the observer of the core that also records traces, here with a clock.
import { sum } from '../base/array.js';
import { CallArguments, type CallOptions, type LayerInputs } from '../layers/args.js';
import { optionsOf, checkInteger } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { UnsupportedError, ValueError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import type { NativeProfileRow } from '../engine/native_profile.js';
import { table } from '../base/table.js';

// The times of all calls are kept until the end.
const kMaxRepeats = 100_000;

/** Options of `Model.profile`. */
export interface ProfileOptions extends CallOptions {
  /** Number of timed calls, after one untimed call. Default: 10; at most 100,000. */
  repeats?: number;
}

/** Cost of one layer, or of the model, in one call. */
export interface ProfileRow {
  /** Name of the layer. */
  layer: string;
  /** Class of the layer. */
  className: string;
  /** Names from the outermost layer to this one, joined by '/'. */
  path: string;
  /** 0 for layers that the model calls, 1 for layers that these call, … */
  depth: number;
  /** Mean over the repeats, including the layers that the layer calls. */
  milliseconds: number;
  /** Share of the time of the whole call, 0 to 1. */
  share: number;
  /**
   * Floating-point operations of its matrix products, two for each multiply-add. Only computed ones
   * count: not masked steps, and not the product with the zero states of a first step.
   */
  flops: number;
  /** `flops` per time, in 10^9 per second. */
  gflops: number;
  /** Share of steps that the mask of the layer's input keeps, 0 to 1; 1 without a mask. */
  kept: number;
}

/** Costs of the layers of a model, in the order in which they start. */
export class Profile {
  /** Costs of the layers; layers inside a layer follow it with a larger `depth`. */
  readonly rows: readonly ProfileRow[];
  /** Cost of the whole call. */
  readonly total: ProfileRow;

  /** @internal */
  constructor(rows: readonly ProfileRow[], total: ProfileRow) {
    this.rows = rows;
    this.total = total;
  }

  /** Formats the profile as a table. */
  toString(): string {
    return table(
      ['Layer (type)', 'ms', '%', 'MFLOP', 'GFLOP/s', 'kept'],
      [...this.rows, this.total].map((row) => [
        `${'  '.repeat(Math.max(0, row.depth))}${row.layer} (${row.className})`,
        row.milliseconds.toFixed(3),
        (100 * row.share).toFixed(1),
        (row.flops / 1e6).toFixed(2),
        row.flops === 0 ? '–' : row.gflops.toFixed(1),
        row.kept === 1 ? '–' : `${(100 * row.kept).toFixed(0)} %`,
      ]),
    ).join('\n');
  }
}

function rowOf(calls: readonly NativeProfileRow[], whole: number): ProfileRow {
  const { layer, className, path, depth, flops, kept } = calls[0] as NativeProfileRow;
  const milliseconds = sum(calls.map((call) => call.milliseconds)) / calls.length;
  return {
    layer,
    className,
    path,
    depth,
    milliseconds,
    share: whole > 0 ? milliseconds / whole : 1,
    flops,
    gflops: milliseconds > 0 ? flops / milliseconds / 1e6 : 0,
    kept,
  };
}

/** `Model.profile`. @internal */
export function profile(model: Layer, x: LayerInputs, options: ProfileOptions): Profile {
  const { repeats = 10, ...rest } = optionsOf(options);
  checkInteger('repeats', repeats, 1);
  if (repeats > kMaxRepeats) {
    throw new ValueError(`repeats is ${repeats} but must be at most ${kMaxRepeats}`);
  }
  if (!native().modelProfile) {
    throw new UnsupportedError(
      "'maskflow/recurrent' has no profile(); import from 'maskflow' instead",
    );
  }
  const args = new CallArguments(model, x, rest);
  try {
    const now = () => performance.now();
    const call = () => unwrap(native().modelProfile(model.handle, args.native, now));
    if (call().length === 0) {
      throw new ValueError('an input of profile() is a symbolic tensor; give data');
    }
    const calls = Array.from({ length: repeats }, call);
    // A custom model may call other layers each time; then only the last call counts.
    const [first] = calls as [NativeProfileRow[]];
    const areAlike = calls.every((rows) => rows.every((row, i) => row.path === first[i]?.path));
    const counted = areAlike ? calls : calls.slice(-1);
    const columns = (counted[0] as NativeProfileRow[]).map((_, i) =>
      counted.map((rows) => rows[i] as NativeProfileRow),
    );
    const [outer, ...inner] = columns;
    const total = rowOf(outer as NativeProfileRow[], 0);
    return new Profile(
      inner.map((column) => rowOf(column, total.milliseconds)),
      { ...total, depth: 0 },
    );
  } finally {
    args.dispose();
  }
}
