// SPDX-License-Identifier: MIT
// Models that read texts from their configs, for `fromConfig` and `cloneModel`.
import { ConfigError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import type { SerializedObject } from '../formats/artifact.js';
import type { Layer } from '../layers/layer.js';
import { Prepared } from '../layers/layer_objects.js';
import { type Maker, withMoreMakers } from '../layers/registry.js';
import { makeLayer, namedFunctions } from '../layers/serialization.js';
import { nameOf } from './entries.js';
import { createLayers, isSound, splitWith } from './split_model.js';
import { type Layers, withVocabulary } from './text_front.js';
import { type TextLayer, textLayer } from './text_layer.js';
import type { TextModel } from './text_model.js';

/** Creates a layer from its config alone, without the files of a model. */
const layerOf = (entry: SerializedObject): TextLayer =>
  textLayer(entry, { path: undefined, index: 0 }, { texts: new Map(), weights: new Map() });

/** Creates the model of a config, with layers that exist. */
function build(config: SerializedObject, layers: Layers): Layer {
  const makers = new Map<string, Maker>();
  const split = splitWith(config, layers, makers);
  return withMoreMakers(makers, () =>
    split
      ? split.make(new Prepared(unwrap(native().layerDeserialize(namedFunctions(split.config)))))
      : makeLayer(config),
  );
}

/** Returns the settings of a model with the name of the core's class. */
const withClass = (config: object): object => ({
  class_name: 'input_layers' in config ? 'Functional' : 'Sequential',
  config,
});

/**
 * Creates a model that maps texts or categories from its config, with the name of its class or
 * without. The config has the vocabularies.
 */
export function revivedModel(settings: object): Layer {
  const config = ('class_name' in settings ? settings : withClass(settings)) as SerializedObject;
  if (!isSound(config)) return makeLayer(config);
  const layers = createLayers(config, (entry) => {
    const { vocabulary, num_bins: bins } = entry.config;
    if (!Array.isArray(vocabulary) && bins === undefined) {
      throw new ConfigError(
        `'${nameOf(entry)}' has no vocabulary in the config, which Keras writes without the words of adapt(); load the model's file with loadModel, or set config.vocabulary to the list of words`,
      );
    }
    return layerOf(entry);
  });
  return build(config, layers);
}

/** Returns a layer with the same settings and vocabulary. */
function copyOf(layer: TextLayer): TextLayer {
  const entry = { module: null, class_name: layer.className, config: layer.getConfig() };
  return layerOf(withVocabulary(entry as unknown as SerializedObject, layer));
}

/** Creates a model with new weights from the config of one that reads texts. */
export function clonedModel(model: TextModel, config: SerializedObject): Layer {
  const sources = [...model.textLayers];
  const layers = createLayers(config, (entry) => {
    const at = sources.findIndex(
      ({ name, className }) => name === nameOf(entry) && className === entry.class_name,
    );
    // A layer of a model inside has its vocabulary in its config.
    if (at < 0) return layerOf(entry);
    return copyOf(sources.splice(at, 1)[0] as TextLayer);
  });
  return build(config, layers);
}
