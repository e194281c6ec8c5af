// SPDX-License-Identifier: MIT
// Ops of a graph that call functions when a model runs: scans and maps of unknown length, and those
// of files.
import { UnsupportedError } from '../base/errors.js';
import { toCamel } from '../base/names.js';
import { map, scan, vectorizedMap } from '../ops/control_flow.js';
import type { UnknownLength } from '../ops/in_graphs.js';
import { associativeScan, switch as chosen } from '../ops/more_control_flow.js';
import { leavesOf, mapLeaves, withLeaves } from '../ops/structures.js';
import { asTensor, isTensor, type Operand, type Tensor } from '../tensor/tensor.js';
import { type Call, callDetails, type CalledFunction } from './call_details.js';
import { Layer, type LayerConfig } from './layer.js';

type Run = (
  functions: readonly CalledFunction[],
  args: readonly never[],
  options: object,
) => unknown;

/** The ops by Keras's class. */
const runs: { readonly [className: string]: Run } = {
  AssociativeScan: ([f], [elems], options) => associativeScan(f as never, elems as never, options),
  Map: ([f], [xs]) => map(f as never, xs as never),
  Scan: ([f], [init, xs], options) => scan(f as never, init, xs as never, options),
  Switch: (functions, [index, ...operands]) =>
    chosen(index as never, functions as never, ...operands),
  VectorizedMap: ([f], [xs]) => vectorizedMap(f as never, xs as never),
};

/**
 * A call in a graph. It is a layer whose inputs are the tensors of the call, and whose results have
 * no masks, like those of other ops.
 */
export class FunctionCall extends Layer {
  readonly #call: Call;
  /** The last results, as the function grouped them. */
  #results: unknown;

  constructor(call: Call, config: LayerConfig = {}) {
    super(config);
    this.#call = call;
    callDetails.set(this, call);
    this.supportsMasking = true;
  }

  override call(inputs: never): Tensor[] {
    const { className, functions, settings } = this.#call;
    const options = Object.entries(settings).filter(([, value]) => value !== null);
    const camel = Object.fromEntries(options.map(([key, value]) => [toCamel(key), value]));
    const args = this.#call.grouped([inputs].flat()) as readonly never[];
    this.#results = (runs[className] as Run)(functions, args, camel);
    const leaves = leavesOf(this.#results).filter((leaf) => leaf !== null) as Tensor[];
    if (leaves.some((leaf) => isTensor(leaf) && leaf.isSymbolic)) {
      throw new UnsupportedError(
        `the function of ${this.name} uses a symbolic tensor that is not one of its arguments; pass it with the others`,
      );
    }
    return leaves;
  }

  override computeMask(): null {
    return null;
  }

  /** Calls the layer on symbolic tensors. Returns its results, grouped as the function does it. */
  record(inputs: readonly Tensor[]): unknown {
    const results = [this.apply<never>(inputs as never)].flat();
    let next = 0;
    return mapLeaves(this.#results, (leaf) => (leaf === null ? null : results[next++]));
  }

  override getConfig(): { [key: string]: unknown } {
    return { name: this.name, ...this.#call.settings };
  }
}

/** The classes by Keras's name, which the core and errors quote. */
const classes = new Map(
  Object.keys(runs).map((kind) => [
    kind,
    class extends FunctionCall {
      static override readonly name: string = kind;
    },
  ]),
);

/** Returns whether an operation of this class calls functions. */
export const callsFunctions = (className: string): boolean => classes.has(className);

/** Creates the layer of a call. */
export const functionCall = (call: Call, config?: LayerConfig): FunctionCall =>
  new (classes.get(call.className) as typeof FunctionCall)(call, config);

/** Records a call of unknown length in a graph. */
export function recordUnknownLength({ className, f, settings, args }: UnknownLength): unknown {
  const grouped = (leaves: readonly unknown[]) => withLeaves(args, leaves) as unknown[];
  const layer = functionCall({ className, functions: [f], settings, grouped });
  return layer.record(leavesOf(args).map((leaf) => asTensor(leaf as Operand)));
}
