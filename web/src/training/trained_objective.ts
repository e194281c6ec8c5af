// SPDX-License-Identifier: MIT
import { MaskflowError } from '../base/errors.js';
import type { Evaluation } from '../measures/evaluation.js';
import type { LayerOutputs } from '../layers/args.js';
import { add, multiply } from '../ops/ops.gen.js';
import { Tensor } from '../tensor/tensor.js';
import { choice } from './choices.js';
import { type Batch, dictionary, type Given } from './data.js';
import { Objective, type Output, type Pair, type Place } from './objective.js';

/** What a batch costs. */
export interface Cost {
  /** To be differentiated; null where there is no loss and nothing is penalized. */
  readonly value: Tensor | null;
  readonly parts: readonly (Pair & { readonly loss: Tensor | null })[];
  readonly penalties: readonly Tensor[];
}

/** Says which output an error is about. */
function within<T>(output: string, f: () => T): T {
  try {
    return f();
  } catch (error) {
    // (What is no name is a place.)
    if (error instanceof MaskflowError && !/^\d+$/.test(output)) {
      error.message = `output '${output}': ${error.message}`;
    }
    throw error;
  }
}

/** An objective for many epochs, whose errors name the output that they are about. */
export class TrainedObjective extends Objective {
  /** What regularizers said, summed over the batches, each times its rows; and these. */
  #penalty = 0;
  #rows = 0;

  /** The outputs that batches have shown, with their metrics. */
  get measured(): readonly Output[] {
    return Object.values(this.outputs);
  }

  /** Forgets the batches. */
  reset(): void {
    this.#penalty = 0;
    this.#rows = 0;
    for (const output of this.measured) {
      output.sum = 0;
      output.count = 0;
      for (const metric of [...output.metrics, ...output.weighted]) metric.resetState();
    }
  }

  /** What the outputs of a batch cost, together with the penalties of regularizers. */
  cost(made: LayerOutputs, batch: Batch, penalties: readonly Tensor[]): Cost {
    const pairs = this.pairs(made, { ...batch, y: this.#byName(made, batch.y) });
    const parts = pairs.map((pair) => ({ ...pair, loss: this.lossOf(pair) }));
    const terms = parts.flatMap(({ loss, output: { factor } }) =>
      loss ? [factor === 1 ? loss : multiply(loss, factor)] : [],
    );
    const all = [...terms, ...penalties];
    const value = all.length > 0 ? all.reduce((sum, term) => add(sum, term)) : null;
    return { value, parts, penalties };
  }

  /** Adds a batch of `rows` rows. */
  count({ parts, penalties }: Cost, rows: number): void {
    for (const part of parts) this.add(part, part.loss);
    for (const penalty of penalties) this.#penalty += penalty.item() * rows;
    this.#rows += rows;
  }

  /** Since the last reset. */
  override results(): Evaluation {
    const penalty = this.#rows === 0 ? 0 : this.#penalty / this.#rows;
    const results = super.results(penalty);
    return penalty === 0 ? results : { loss: penalty, ...results };
  }

  /** A single output is that of the layer that made it, too. */
  override namesOf(made: LayerOutputs): readonly string[] {
    if (!(made instanceof Tensor) || this.model.isCustom) return super.namesOf(made);
    const { output_layers: last, layers } = this.model.getConfig() as {
      output_layers?: unknown;
      layers?: { config?: { name?: unknown } }[];
    };
    const name: unknown = Array.isArray(last) ? last.flat()[0] : layers?.at(-1)?.config?.name;
    return typeof name === 'string' ? [name] : super.namesOf(made);
  }

  /** A list may have targets of those outputs alone that have a loss. */
  #byName(made: LayerOutputs, y: Given): Given {
    const targets = Object.values(y.values);
    if (y.form !== 'list' || targets.length >= Object.keys(dictionary(made)).length) return y;
    const names = this.namesOf(made);
    const order = Array.isArray(made) ? names : [...names].sort();
    const withLoss = order.filter((name, place) => choice(this.chosen.loss, name, place));
    if (withLoss.length !== targets.length) return y;
    return {
      values: Object.fromEntries(targets.map((target, i) => [withLoss[i] as string, target])),
      form: 'dictionary',
    };
  }

  override prepare(output: Place, yTrue: Tensor, yPred: Tensor): Output {
    return within(output.name, () => super.prepare(output, yTrue, yPred));
  }
  override lossOf(pair: Pair): Tensor | null {
    return within(pair.output.name, () => super.lossOf(pair));
  }
  override add(pair: Pair, loss: Tensor | null): void {
    within(pair.output.name, () => super.add(pair, loss));
  }
}
