// SPDX-License-Identifier: MIT
// `adapt` of Normalization and Discretization, which training does not change. more_layers.gen.ts
// extends these classes.
import { areBatches, type BatchSource } from '../base/are_batches.js';
import { eachBatch } from '../base/batches.js';
import { BuiltinLayer } from './builtin_layer.js';
import { optionsOf } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { ConfigError, ShapeError, StateError, ValueError } from '../base/errors.js';
import type { Config, Layer } from './layer.js';
import { toNativeConfig } from './native_config.js';
import { makeLayer } from './serialization.js';
import { mean, multiply, subtract } from '../ops/ops.gen.js';
import { quantiles, type Summary, summaryWith } from '../base/quantiles.js';
import { Prepared } from './layer_objects.js';
import { tidy } from '../tensor/tidy.js';
import { asTensor, type Tensor, tensor, type TensorLike } from '../tensor/tensor.js';

/** Base class of Normalization: finds its weights from data. */
export class AdaptsMoments extends BuiltinLayer {
  /**
   * Sets the weights to mean and variance of batches as they arrive, as Keras's `adapt` of a
   * generator. Rejects with the errors of `adapt(data)`.
   */
  adapt(batches: BatchSource<TensorLike>): Promise<void>;
  /**
   * Sets the weights to mean and variance of the data, [batch, …], over all axes except those of
   * the setting `axis`, as Keras's `adapt`. Throws StateError if the layer has a `mean` setting,
   * and ValueError if the data is empty.
   */
  adapt(data: TensorLike): void;
  adapt(data: TensorLike | BatchSource<TensorLike>): void | Promise<void> {
    if (this.getConfig().mean !== null) {
      throw new StateError(
        `Normalization '${this.name}' has the settings mean and variance; leave them out to adapt it`,
      );
    }
    if (!areBatches(data)) return this.#set(this.#momentsOf(data as TensorLike));
    return this.#adaptTo(data as BatchSource<TensorLike>);
  }

  /** Returns the weight for a setting that is null, as Keras does. @internal */
  adapted(key: string): Tensor | undefined {
    return this.getWeights()[this.weights.findIndex(({ name }) => name === key)];
  }

  async #adaptTo(batches: BatchSource<TensorLike>): Promise<void> {
    let all: Moments | undefined;
    await eachBatch<TensorLike>(batches, (batch) => {
      const moments = this.#momentsOf(batch);
      all = all ? together(all, moments) : moments;
    });
    if (!all) throw new ValueError('adapt() needs data, but got no batches');
    this.#set(all);
  }

  #momentsOf(data: TensorLike): Moments {
    return tidy(() => {
      const x = asTensor(data);
      if (x.size === 0) throw new ValueError('adapt() needs data, but got no numbers');
      const channels = [this.getConfig().axis ?? []]
        .flat()
        .map((a) => (a as number) + ((a as number) < 0 ? x.rank : 0));
      const axes = x.shape.map((_, i) => i).filter((i) => !channels.includes(i));
      this.build(x.shape);
      const center = mean(x, { axis: axes, keepdims: true });
      const deviation = subtract(x, center);
      const variance = mean(multiply(deviation, deviation), { axis: axes });
      const average = mean(x, { axis: axes });
      return {
        count: axes.reduce((product, axis) => product * (x.shape[axis] as number), 1),
        shape: average.shape,
        mean: Array.from(average.data()),
        variance: Array.from(variance.data()),
      };
    });
  }

  #set({ shape, mean, variance }: Moments): void {
    // Keras, too, leaves the count of samples at 0.
    tidy(() =>
      this.setWeights([
        tensor(Float32Array.from(mean), { shape }),
        tensor(Float32Array.from(variance), { shape }),
        0,
      ]),
    );
  }
}

/** Mean and variance of the numbers of each channel. */
interface Moments {
  readonly count: number;
  readonly shape: readonly number[];
  readonly mean: readonly number[];
  readonly variance: readonly number[];
}

/** Returns the moments of the numbers of both. */
function together(a: Moments, b: Moments): Moments {
  if (String(a.shape) !== String(b.shape)) {
    throw new ShapeError(
      `adapt(): a batch has moments of shape [${b.shape}], but earlier ones have [${a.shape}]; all batches need the same channels`,
    );
  }
  const count = a.count + b.count;
  const share = b.count / count;
  const distances = a.mean.map((center, i) => (b.mean[i] as number) - center);
  return {
    count,
    shape: a.shape,
    mean: a.mean.map((center, i) => center + (distances[i] as number) * share),
    variance: a.variance.map(
      (variance, i) =>
        variance * (1 - share) +
        (b.variance[i] as number) * share +
        (distances[i] as number) ** 2 * share * (1 - share),
    ),
  };
}

/** Base class of Discretization: finds its boundaries from data. */
export class AdaptsBins extends BuiltinLayer {
  constructor(className: string, config: object | Prepared, firsts: string) {
    const settings = config instanceof Prepared ? {} : config;
    const options = optionsOf(settings, 'the settings of a layer') as Config;
    const has = (name: string): boolean => options[name] != null;
    // The core allows both, because a layer has both after adapt().
    if ((has('binBoundaries') || has('bin_boundaries')) && (has('numBins') || has('num_bins'))) {
      throw new ConfigError('Discretization has both binBoundaries and numBins; give one of them');
    }
    super(className, config, firsts);
  }

  /** Creates a layer from its config, which has both settings after adapt(), as in Keras. */
  static override fromConfig<T extends Layer>(this: new (config: never) => T, config: Config): T {
    return makeLayer({ class_name: 'Discretization', config: toNativeConfig(config) }) as T;
  }

  /**
   * Sets the boundaries for the numbers of batches as they arrive, as Keras's `adapt` of a
   * generator. Rejects with the errors of `adapt(data)`.
   */
  adapt(batches: BatchSource<TensorLike>): Promise<void>;
  /**
   * Sets the boundaries of `numBins` bins so that all contain about equally many of the numbers. It
   * repeats the estimate of Keras's `adapt`, which is within `epsilon`. Throws StateError if the
   * layer has a `binBoundaries` setting, and ValueError if the data is empty.
   */
  adapt(data: TensorLike): void;
  adapt(data: TensorLike | BatchSource<TensorLike>): void | Promise<void> {
    const { num_bins: bins, epsilon } = this.getConfig();
    if (typeof bins !== 'number') {
      throw new StateError(
        `Discretization '${this.name}' has the setting binBoundaries; give numBins instead to adapt it`,
      );
    }
    let summary: Summary | undefined;
    const read = (batch: TensorLike): void => {
      const numbers = tidy(() => Float32Array.from(asTensor(batch).data()));
      if (numbers.length === 0) throw new ValueError('adapt() needs data, but got no numbers');
      summary = summaryWith(numbers, Number(epsilon), summary);
    };
    const finish = (): void => {
      if (!summary) throw new ValueError('adapt() needs data, but got no batches');
      const boundaries = quantiles(summary, bins);
      unwrap(native().layerSet(this.handle, { config: { bin_boundaries: boundaries } }));
    };
    if (areBatches(data)) return eachBatch(data, read).then(finish);
    read(data as TensorLike);
    return finish();
  }
}
