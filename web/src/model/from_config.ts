// SPDX-License-Identifier: MIT
// `Model.fromConfig` of all classes of models.
import { refuseLegacyConfig } from '../base/legacy_config.js';
import { checkDepth } from '../engine/config_value.js';
import { type ConfigOptions, withCustomObjects } from '../layers/custom_scope.js';
import type { Config, Layer } from '../layers/layer.js';
import { makeLayer } from '../layers/serialization.js';
import { readsText, textGraphs } from '../layers/text_symbols.js';
import { parseConfig } from './parse_config.js';
import { modelOfGraph } from './revive.js';

/** Creates a model of a class from its config. `isBase`: whether the class is `Model` itself. */
export function modelFromConfig<T extends Layer>(
  Class: new (config: never) => T,
  config: Config | string,
  isBase: boolean,
  options?: ConfigOptions,
): T {
  const json = parseConfig(config);
  const isSerialized = 'class_name' in json && 'config' in json;
  // A user-defined class may have a setting named `layers`.
  const listsLayers =
    Array.isArray(json['layers']) && json['layers'].every((layer) => layer?.class_name);
  return withCustomObjects(options, () => {
    if (!isBase && !isSerialized && !listsLayers) return new Class(json as never);
    refuseLegacyConfig(checkDepth(json, 'the configuration'));
    if (readsText(isSerialized ? json : { config: json }))
      return textGraphs.get().revive(json) as T;
    return isSerialized ? (makeLayer(json) as T) : modelOfGraph(Class, json);
  });
}
