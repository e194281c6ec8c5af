// SPDX-License-Identifier: MIT
// Names of Keras that the package has under another name, and reasons for those that it lacks.

const get = ['get', 'a name in a string'];
const serialize = ['serialize', '`getConfig()`'];
const deserialize = ['deserialize', '`deserializeLayer`, or a config'];
const common = [get, serialize, deserialize];
const inText = (...names) => names.map((name) => [name, 'in `maskflow/text`']);
const alsoInFiles = (name, own) => [name, `\`layers.${own}\`; the name is read in files`];

/** Replacements by namespace: [name, what to use instead]. Code is in backticks. */
export const replacements = {
  activations: common,
  callbacks: [
    ['History', 'the result of `model.fit`'],
    ['LambdaCallback', '`callbacks.lambda`'],
    ['ProgbarLogger', '`callbacks.progressBar`'],
  ],
  constraints: [...common, ['Constraint', 'a function of `ops` in a step of your own']],
  initializers: [
    ...common,
    ...['STFT', 'STFTInitializer', 'stft'].map((name) => [name, '`layers.stftSpectrogram`']),
    ['IdentityInitializer', '`initializers.identity`'],
    ['OrthogonalInitializer', '`initializers.orthogonal`'],
    ['Initializer', '`layer.setWeights`'],
  ],
  layers: [
    ...common,
    ['InputLayer', '`Input`'],
    ['InputSpec', '`build(shape)`'],
    ['Wrapper', '`class … extends Layer`'],
    ...inText('TextVectorization', 'StringLookup', 'IntegerLookup', 'Hashing', 'HashedCrossing'),
    alsoInFiles('AvgPool1D', 'averagePooling1D'),
    alsoInFiles('Convolution1D', 'conv1D'),
    alsoInFiles('Convolution1DTranspose', 'conv1DTranspose'),
    alsoInFiles('GlobalAvgPool1D', 'globalAveragePooling1D'),
    alsoInFiles('GlobalMaxPool1D', 'globalMaxPooling1D'),
    alsoInFiles('MaxPool1D', 'maxPooling1D'),
    alsoInFiles('SeparableConvolution1D', 'separableConv1D'),
  ],
  losses: [...common, ['Loss', 'a function of targets and predictions']],
  metrics: [...common, ['MeanMetricWrapper', 'a function of targets and predictions']],
  models: [
    ['model_from_json', '`Model.fromConfig`, or `loadModel` of the JSON'],
    ['save_model', '`model.save`'],
  ],
  ops: [
    ['amax', '`ops.max`'],
    ['amin', '`ops.min`'],
    ['array', '`tensor`'],
    ['conj', 'x itself, which is real'],
    ['conjugate', 'x itself, which is real'],
    ['convert_to_numpy', '`x.array()`, `x.data()`'],
    ['copy', 'x itself, which does not change'],
    ['custom_gradient', '`ops.stopGradient`'],
    ['dtype', '`x.dtype`'],
    ['empty', '`ops.zeros`'],
    ['empty_like', '`ops.zerosLike`'],
    ['hard_swish', '`ops.hardSilu`'],
    ['identity', '`ops.eye`'],
    ['is_tensor', '`x instanceof Tensor`'],
    ['ndim', '`x.rank`'],
    ['real', 'x itself, which is real'],
    ['saturate_cast', '`ops.cast`'],
    ['swish', '`ops.silu`'],
    ['vectorize', '`ops.vectorizedMap`'],
  ],
  'optimizers.schedules': [
    serialize,
    deserialize,
    ['LearningRateSchedule', 'a function of the step'],
  ],
  regularizers: [
    ...common,
    ['Regularizer', '`layer.addLoss`'],
    ['OrthogonalRegularizer', '`regularizers.orthogonal`'],
    ['orthogonal_regularizer', '`regularizers.orthogonal`'],
  ],
  saving: [
    ['CustomObjectScope', '`loadModel(source, { customObjects })`'],
    ['custom_object_scope', '`loadModel(source, { customObjects })`'],
    ['deserialize_keras_object', '`deserializeLayer`'],
    ['load_weights', '`model.loadWeights`'],
    ['register_keras_serializable', '`registerLayer`, `registerFunction`'],
    ['save_model', '`model.save`'],
    ['save_weights', '`model.saveWeights`'],
    ['serialize_keras_object', '`serializeLayer`'],
  ],
  utils: [
    ['clear_session', '`restart`'],
    ['custom_object_scope', '`loadModel(source, { customObjects })`'],
    ['CustomObjectScope', '`loadModel(source, { customObjects })`'],
    ['deserialize_keras_object', '`deserializeLayer`'],
    ['get_source_inputs', '`model.inputs`'],
    ['is_keras_tensor', '`x.isSymbolic`'],
    ['model_to_dot', '`drawModel` of `maskflow/draw`'],
    ['normalize', '`ops.normalize`'],
    ['plot_model', '`drawModel` of `maskflow/draw`'],
    ['register_keras_serializable', '`registerLayer`, `registerFunction`'],
    ['serialize_keras_object', '`serializeLayer`'],
    ['set_random_seed', '`ready({ seed })`'],
    ['timeseries_dataset_from_array', '`timeseriesWindows`'],
  ],
  Layer: [
    ['add_metric', 'a metric in a property'],
    ['add_variable', '`layer.addWeight`'],
    ['compute_dtype', '`float32`'],
    ['dtype', '`layer.getConfig()`'],
    ['dtype_policy', '`layer.getConfig()`'],
    ['get_build_config', '`layer.getConfig()`'],
    ['metrics', '`model.metrics`'],
    ['path', '`variable.path`'],
    ['quantize', '`model.quantize`'],
    ['symbolic_call', '`layer.apply`'],
    ['variable_dtype', '`variable.value.dtype`'],
    ['variables', '`layer.trainableVariables`, `layer.nonTrainableVariables`'],
  ],
  Metric: [['from_config', '`metrics.…` with settings']],
  Model: [
    ['get_compile_config', '`model.save`'],
    ['get_state_tree', '`model.getWeights`'],
    ['make_predict_function', '`model.predict`'],
    ['make_test_function', '`model.testStep`'],
    ['metrics_names', 'keys of the result of `model.evaluate`'],
    ['predict_on_batch', '`model.predict`'],
    ['predict_step', '`model.apply`'],
    ['set_state_tree', '`model.setWeights`'],
    ['to_json', '`model.getConfig()`'],
  ],
  Optimizer: [
    ['apply_gradients', '`optimizer.apply`'],
    ['from_config', '`optimizers.deserialize`'],
  ],
  Sequential: [
    ['input_shape', '`model.inputs`'],
    ['output_shape', '`model.outputs`'],
  ],
  Variable: [
    ['dtype', '`variable.value.dtype`'],
    ['trainable', '`layer.trainableVariables`'],
    ['regularizer', '`layer.getConfig()`'],
    ['constraint', '`layer.getConfig()`'],
    ['ndim', '`variable.shape.length`'],
    ['numpy', '`variable.value.array()`'],
  ],
  'callbacks.Callback': [],
  'random.SeedGenerator': [],
};

const inBackEnds = 'of a back end or of a service';
const inPython = 'files, output and types of Python';
/** Why other names are absent. The first pattern that matches counts. */
const reasons = [
  [
    /2D|3D|Random|RandAugment|Pipeline|BoundingBox|Image|Crop|Resizing|CutMix|MixUp|AugMix|Auto|Equalization|Solarization|img|image/,
    'images and volumes',
  ],
  [/^(depth_to_space|space_to_depth|fold|unfold|adaptive_|fft2|ifft2)/, 'images and volumes'],
  [/complex|view_as|^(angle|imag|isreal|polar)$/, 'complex numbers'],
  [
    /cholesky|^(det|eig|eigh|inv|logdet|lstsq|lu_factor|matrix_rank|pinv|qr|slogdet|solve|solve_triangular|svd|jvp)$/,
    'linear algebra',
  ],
  [/Jax|Flax|Torch|TFSM|Orbax|RemoteMonitor|jit_compile|run_eagerly|stateless|remat/, inBackEnds],
  [/input_dtype|variable_from_reference|overwrite|synchronization|aggregation|quantiz/, inBackEnds],
  [/directory|get_file|logging|Progbar|PyDataset|Sequence$|audio|FeatureSpace/, inPython],
  [/Config|custom_objects|registered|standardize|sample_weight|FileEditor|CallbackList/, inPython],
  [/own_variables|build_from_config|compile_from_config|export|input_spec|output_spec/, inPython],
  [/^on_predict/, '`predict` notifies nothing'],
  [/^(add_|assign|update_step|OptimizerMap|MultiOptimizer)/, 'optimizers and metrics of your own'],
];
/** Returns why the package lacks a name. */
export const reasonOf = (name) =>
  reasons.find(([pattern]) => pattern.test(name))?.[1] ?? 'not available';

/** Differences of the parameters of ops: [op, parameter, reason]. */
export const otherParameters = [
  ['arange', 'step', 'null means 1'],
  ['count_nonzero', 'keepdims', 'more than Keras has'],
  ['eye', 'N', 'names in lower case'],
  ['eye', 'M', 'names in lower case'],
  ['tri', 'N', 'names in lower case'],
  ['tri', 'M', 'names in lower case'],
  ['vander', 'N', 'names in lower case'],
  ['einsum', '*', 'a list or further arguments'],
  ['meshgrid', '*x', 'a list'],
  ['layer_normalization', '*', 'settings of Keras 2'],
  ['multi_hot', '*', 'settings of Keras 2'],
  ['multi_hot', 'num_classes', 'required, as in Keras'],
  ['gelu', 'approximate', 'the default of keras.activations'],
  ['leaky_relu', 'negative_slope', '0.2 as float32'],
  ['linspace', 'retstep', 'the step is (stop - start) / gaps'],
  ['linspace', 'axis', 'start and stop are numbers'],
  ['logspace', 'axis', 'start and stop are numbers'],
  ['geomspace', 'axis', 'start and stop are numbers'],
  ['normalize', 'epsilon', 'null means 1e-7'],
  ['one_hot', 'sparse', 'there are no sparse tensors'],
  ['multi_hot', 'sparse', 'there are no sparse tensors'],
  ['relu', '*', 'settings of the layer'],
  ['segment_max', 'num_segments', 'required: shapes do not depend on numbers'],
  ['segment_min', 'num_segments', 'required: shapes do not depend on numbers'],
  ['segment_prod', 'num_segments', 'required: shapes do not depend on numbers'],
  ['segment_sum', 'num_segments', 'required: shapes do not depend on numbers'],
  ['where', 'x1', 'required: ops.nonzero finds positions'],
  ['where', 'x2', 'required: ops.nonzero finds positions'],
  ['batch_normalization', 'axis', 'tensors come first'],
  ['rot90', 'axes', 'null means [0, 1]'],
  ['max', 'initial', 'not available'],
  ['min', 'initial', 'not available'],
  ['threshold', '*', 'settings, as of all activations'],
  ['select', '*', 'written by hand, in ops/select.ts'],
  ['top_k', 'isstable', 'of Keras 3.16'],
  ['view', 'dtype', 'required: the bits of x in its own dtype are x'],
];
