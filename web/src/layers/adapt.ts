// SPDX-License-Identifier: MIT
// `adapt` of Normalization and Discretization, which training does not change. more_layers.gen.ts
// extends these classes.
import { BuiltinLayer } from './builtin_layer.js';
import { optionsOf } from '../base/check.js';
import { native, unwrap } from '../engine/engine.js';
import { ConfigError, StateError, ValueError } from '../base/errors.js';
import type { Config, Layer } from './layer.js';
import { toNativeConfig } from './native_config.js';
import { makeLayer } from './serialization.js';
import { mean, multiply, subtract } from '../ops/ops.gen.js';
import { quantiles } from '../base/quantiles.js';
import { Prepared } from './layer_objects.js';
import { tidy } from '../tensor/tidy.js';
import { asTensor, type TensorLike } from '../tensor/tensor.js';

/** Base class of Normalization: finds its weights from data. */
export class AdaptsMoments extends BuiltinLayer {
  /**
   * Sets the weights to mean and variance of the data, [batch, …], over all axes except those of
   * the setting `axis`, as Keras's `adapt`. Throws StateError if the layer has a `mean` setting,
   * and ValueError if the data is empty.
   */
  adapt(data: TensorLike): void {
    const { axis, mean: fixedMean } = this.getConfig();
    if (fixedMean !== null) {
      throw new StateError(
        `Normalization '${this.name}' has the settings mean and variance; leave them out to adapt it`,
      );
    }
    tidy(() => {
      const x = asTensor(data);
      if (x.size === 0) throw new ValueError('adapt() needs data, but got no numbers');
      const channels = [axis ?? []]
        .flat()
        .map((a) => (a as number) + ((a as number) < 0 ? x.rank : 0));
      const axes = x.shape.map((_, i) => i).filter((i) => !channels.includes(i));
      this.build(x.shape);
      const center = mean(x, { axis: axes, keepdims: true });
      const deviation = subtract(x, center);
      const variance = mean(multiply(deviation, deviation), { axis: axes });
      // Keras, too, leaves the count of samples at 0.
      this.setWeights([mean(x, { axis: axes }), variance, 0]);
    });
  }
}

/** Base class of Discretization: finds its boundaries from data. */
export class AdaptsBins extends BuiltinLayer {
  constructor(className: string, config: object | Prepared) {
    const settings = config instanceof Prepared ? {} : config;
    const options = optionsOf(settings, 'the settings of a layer') as Config;
    const has = (name: string): boolean => options[name] != null;
    // The core allows both, because a layer has both after adapt().
    if ((has('binBoundaries') || has('bin_boundaries')) && (has('numBins') || has('num_bins'))) {
      throw new ConfigError('Discretization has both binBoundaries and numBins; give one of them');
    }
    super(className, config);
  }

  /** Creates a layer from its config, which has both settings after adapt(), as in Keras. */
  static override fromConfig<T extends Layer>(this: new (config: never) => T, config: Config): T {
    return makeLayer({ class_name: 'Discretization', config: toNativeConfig(config) }) as T;
  }

  /**
   * Sets the boundaries of `numBins` bins so that all contain about equally many of the numbers. It
   * repeats the estimate of Keras's `adapt`, which is within `epsilon`. Throws StateError if the
   * layer has a `binBoundaries` setting, and ValueError if the data is empty.
   */
  adapt(data: TensorLike): void {
    const { num_bins: bins, epsilon } = this.getConfig();
    if (typeof bins !== 'number') {
      throw new StateError(
        `Discretization '${this.name}' has the setting binBoundaries; give numBins instead to adapt it`,
      );
    }
    const numbers = tidy(() => Float32Array.from(asTensor(data).data()));
    if (numbers.length === 0) throw new ValueError('adapt() needs data, but got no numbers');
    const boundaries = quantiles(numbers, bins, Number(epsilon));
    unwrap(native().layerSet(this.handle, { config: { bin_boundaries: boundaries } }));
  }
}
