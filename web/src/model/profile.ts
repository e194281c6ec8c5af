// SPDX-License-Identifier: MIT
import { sum } from '../base/array.js';
import { CallArguments, type CallOptions, type LayerInputs } from '../layers/args.js';
import { optionsOf, checkInteger } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { UnsupportedError, ValueError } from '../base/errors.js';
import type { Layer } from '../layers/layer.js';
import type { NativeProfileRow } from '../engine/native.js';
import { table } from '../base/table.js';

// Each is kept until the end.
const kMostRepeats = 100_000;

export interface ProfileOptions extends CallOptions {
  /** How many calls are timed, after one that is not; default 10. */
  repeats?: number;
}

/** What one layer, or the model, costs in one call. */
export interface ProfileRow {
  layer: string;
  className: string;
  /** Names from the outermost layer to this one, joined by '/'. */
  path: string;
  /** 0 for what the model itself calls, 1 for what those call, … */
  depth: number;
  /** The mean of the repeats, with all that the layer calls. */
  milliseconds: number;
  /** Of the time of the whole call, 0 to 1. */
  share: number;
  /** Floating-point operations of its products (two for each multiply-add), as they were computed: what a mask leaves out does not count, nor the product with states of zeros at a first step. */
  flops: number;
  /** `flops` by time, in 10^9 a second. */
  gflops: number;
  /** Share of the steps that the mask which comes to the layer keeps, 0 to 1; 1 without a mask. */
  kept: number;
}

/** What the layers of a model cost, in the order in which they begin. */
export class Profile {
  /** The layers; those inside a layer follow it with a larger `depth`. */
  readonly rows: readonly ProfileRow[];
  /** The whole call. */
  readonly total: ProfileRow;

  /** @internal */
  constructor(rows: readonly ProfileRow[], total: ProfileRow) {
    this.rows = rows;
    this.total = total;
  }

  /** A table. */
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
  if (repeats > kMostRepeats) {
    throw new ValueError(`repeats is ${repeats} but must be at most ${kMostRepeats}`);
  }
  if (!native().modelProfile) {
    throw new UnsupportedError(
      "'maskflow/recurrent' leaves profile out; import from 'maskflow' instead",
    );
  }
  const args = new CallArguments(x, rest, model.argumentNames);
  try {
    const now = () => performance.now();
    const call = () => unwrap(native().modelProfile(model.handle, args.native, now));
    if (call().length === 0) {
      throw new ValueError('profile() runs a model on data, but an input is a symbolic tensor');
    }
    const calls = Array.from({ length: repeats }, call);
    // A model with code of its own may call other layers each time: then the last call counts.
    const [first] = calls as [NativeProfileRow[]];
    const alike = calls.every((rows) => rows.every((row, i) => row.path === first[i]?.path));
    const used = alike ? calls : calls.slice(-1);
    const columns = (used[0] as NativeProfileRow[]).map((_, i) =>
      used.map((rows) => rows[i] as NativeProfileRow),
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
