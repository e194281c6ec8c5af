// SPDX-License-Identifier: MIT
import { BuiltinLayer } from './builtin_layer.js';
import { optionsOf } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { ConfigError, StateError, ValueError } from '../base/errors.js';
import { type Config, type Layer, toNativeConfig } from './layer.js';
import { makeLayer } from './serialization.js';
import { mean, multiply, subtract } from '../ops/ops.gen.js';
import { quantiles } from '../base/quantiles.js';
import { Prepared } from './layer_objects.js';
import { tidy } from '../tensor/tidy.js';
import { asTensor, type TensorLike } from '../tensor/tensor.js';

/** What Normalization has beside the settings. */
export class AdaptsMoments extends BuiltinLayer {
  /**
   * Finds mean and variance of the data, [batch, …], over all axes but those of the setting `axis`, and makes them the
   * weights; as Keras's `adapt`. StateError when the layer was given its mean.
   */
  adapt(data: TensorLike): void {
    const { axis, mean: given } = this.getConfig();
    if (given !== null) {
      throw new StateError(
        `Normalization '${this.name}' has a mean of its own; leave mean and variance out to adapt it`,
      );
    }
    tidy(() => {
      const x = asTensor(data);
      if (x.size === 0) throw new ValueError('adapt() was given no numbers');
      const kept = [axis ?? []].flat().map((a) => (a as number) + ((a as number) < 0 ? x.rank : 0));
      const axes = x.shape.map((_, i) => i).filter((i) => !kept.includes(i));
      this.build(x.shape);
      const center = mean(x, { axis: axes, keepdims: true });
      const apart = subtract(x, center);
      const variance = mean(multiply(apart, apart), { axis: axes });
      // Keras leaves its count of samples at 0.
      this.setWeights([mean(x, { axis: axes }), variance, 0]);
    });
  }
}

/** What Discretization has beside the settings. */
export class AdaptsBins extends BuiltinLayer {
  constructor(className: string, config: object | Prepared) {
    const settings = config instanceof Prepared ? {} : config;
    const given = optionsOf(settings, 'the settings of a layer') as Config;
    const has = (name: string): boolean => given[name] != null;
    // The core takes both: what adapt() has changed has both.
    if ((has('binBoundaries') || has('bin_boundaries')) && (has('numBins') || has('num_bins'))) {
      throw new ConfigError('Discretization: give either binBoundaries or numBins, not both');
    }
    super(className, config);
  }

  /** From a configuration, which has boundaries and their number after adapt(), as in Keras. */
  static override fromConfig<T extends Layer>(this: new (config: never) => T, config: Config): T {
    return makeLayer({ class_name: 'Discretization', config: toNativeConfig(config) }) as T;
  }

  /**
   * Finds the boundaries of `numBins` bins that hold about as many of the numbers each; as Keras's `adapt`, whose way to
   * estimate them within `epsilon` this is. StateError when the layer was given its boundaries.
   */
  adapt(data: TensorLike): void {
    const { num_bins: bins, epsilon } = this.getConfig();
    if (typeof bins !== 'number') {
      throw new StateError(
        `Discretization '${this.name}' was given its binBoundaries; give numBins instead to adapt it`,
      );
    }
    const numbers = tidy(() => Float32Array.from(asTensor(data).data()));
    if (numbers.length === 0) throw new ValueError('adapt() was given no numbers');
    const boundaries = quantiles(numbers, bins, Number(epsilon));
    unwrap(native().layerSet(this.handle, { config: { bin_boundaries: boundaries } }));
  }
}
