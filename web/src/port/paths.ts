// SPDX-License-Identifier: MIT
// The many paths under which Python programs import the same name, and one for each.

const rules: readonly (readonly [RegExp, string])[] = [
  [/^tensorflow(\.compat\.v\d)?(\.python)?\.keras\b/, 'keras'],
  [/^(keras_core|tf_keras)\b/, 'keras'],
  [/^keras\.(api|src|engine|_tf_keras\.keras)\b(\._?v\d\b)?(?=\.)/, 'keras'],
  [/^keras_preprocessing\b/, 'keras.preprocessing'],
  // Star imports of modules of Keras 2 bring K and the other modules.
  [/^keras\.\w+\.K\b/, 'keras.backend'],
  [
    /^keras\.(?:models|layers|callbacks)\.(layers|optimizers|losses|metrics|backend)(?=\.\w)/,
    'keras.$1',
  ],
  [/^keras\.preprocessing\.text\b/, 'keras.text'],
  [/^keras\.preprocessing\.(sequence|timeseries)\b/, 'keras.utils'],
  [
    /^keras\.preprocessing\.timeseries_dataset_from_array/,
    'keras.utils.timeseries_dataset_from_array',
  ],
  [/^keras\.utils\.(np_utils|data_utils|generic_utils|vis_utils)\b/, 'keras.utils'],
  [
    /^keras\.layers\.(experimental\.preprocessing|preprocessing|convolutional|core|recurrent|embeddings|wrappers|normalization|merge|merging|pooling|advanced_activations|noise|attention|regularization|rnn|experimental)\.(?=\w)/,
    'keras.layers.',
  ],
  [/^keras\.layers\.CuDNN(?=LSTM$|GRU$)/, 'keras.layers.'],
  [/^keras\.(optimizers)\.schedules\b/, 'keras.schedules'],
  [/^keras\.optimizers\.(legacy|experimental|adam|sgd|rmsprop)\b/, 'keras.optimizers'],
  [/^keras\.(models|training|engine|topology|base_layer)\.(Model|Layer)$/, 'keras.$2'],
  [/^keras\.(models|sequential)\.(Sequential|Functional)$/, 'keras.$2'],
  [/^keras\.layers\.(Input|Layer|InputSpec)$/, 'keras.$1'],
  [/^keras\.saving\.(load_model|save_model)$/, 'keras.models.$1'],
  [/^keras\.ops\.(numpy|nn|core|math|linalg|image)\.(?=\w)/, 'keras.ops.'],
  [/^keras\.(losses|metrics)\.(losses|metrics)\b/, 'keras.$1'],
  [/^keras\.utils\.register_keras_serializable/, 'keras.saving.register_keras_serializable'],
  [/^tensorflow\.(math|linalg|sparse|compat\.v1)\.(?=\w)/, 'tensorflow.'],
];

/** Returns the one path of a name. */
export function canonical(path: string): string {
  let result = path;
  for (const [pattern, replacement] of rules) result = result.replace(pattern, replacement);
  return result;
}

/** Modules of which the translator knows names. */
const known =
  /^(keras|tensorflow|numpy|math|random|os|sys|sklearn|typing|__future__|json|time|datetime|collections|itertools|functools|warnings|logging|tempfile|pathlib|string|re|copy|dataclasses|abc|enum|operator|argparse|pickle)\b/;
export const isKnownModule = (path: string): boolean => known.test(path);

/** Modules whose import needs nothing in JavaScript. */
const silent =
  /^(typing|__future__|warnings|logging|tempfile|pathlib|dataclasses|abc|enum|os|sys|math|random|json|time|datetime|collections|itertools|functools|string|re|copy|operator)\b/;
export const isSilentModule = (path: string): boolean => silent.test(path);
