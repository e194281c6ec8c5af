// SPDX-License-Identifier: MIT
// Accepted differences between the package and Keras with PyTorch. Each entry is [pattern, reason].
// The pattern is searched in the error or in the description of the difference. The fuzzer counts
// a match by its reason instead of reporting a failure.

const layers = [
  [/but the input has only 0|query \(\d+, 0, /, 'sequences without a step are refused'],
  [
    /must be (true or false|a number|an integer|a whole number|a list|text|the name of)/,
    'types are checked when the layer is made',
  ],
  [/is float32, not (int32|bool)/, 'whole numbers are computed as floats'],
  [
    /different `go_backwards`/,
    'Keras 2 turns the copy of a backward layer round, which its files need',
  ],
  [/of an empty tensor/, 'the largest of nothing is -infinity or nothing'],
  [/initial_state has \d+ tensors/, 'Keras ignores states that are too many'],
  [
    /state \d has shape|rank 2 or more, but got shape \(\d*,?\) of rank 1|expected \(batch, features\)/,
    'cells broadcast by accident',
  ],
  [/number of heads and their dimensions must be/, 'no heads at all give a bias alone'],
  [
    /'(dropout|recurrent_dropout|momentum|epsilon)' is .* but must/,
    'values out of range fail in training there',
  ],
  [/adaptive_.* expected an input of rank 3/, 'Keras does not check symbols here, and then fails'],
  [/axis values (None|.* != None)/, 'an unknown size may be the known one'],
  [/it should contain two elements/, 'a list of one axis is one axis'],
  [/Both `num_bins` and `bin_boundaries`/, 'files have both after adapt'],
  [/must be equal. Received: value_shape=.*None/, 'an unknown size may be the known one'],
  [/is not a recurrent cell/, 'a recurrent layer is no cell, even if it has a state'],
  [
    /axis -?\d is out of range for rank 0|rank 1 or more, but got shape \(\)|\[\], not \[1\]/,
    'single numbers without a batch',
  ],
  [/'output_shape' has \d+ sizes/, 'Keras looks at some of the sizes alone'],
  [
    /one of them must be 1/,
    'only PyTorch has strides and dilation together; the other back ends fail',
  ],
  [/'attention_axes' for an input/, 'attention over the batch or the features is refused'],
  [
    /mask_value has \d+ numbers/,
    'a mask_value that broadcasts makes more features than there were',
  ],
  [/but the sequence is/, 'the layer inside gets a mask of a step that is none of a sequence'],
];

/** Returns the reason for a difference in a recording of keras_layers.py, or undefined. */
export function reasonForLayer(problem, { kind, layer, expect }) {
  const { axis } = layer.config;
  if (kind === 'symbolic' && /do not (fit|broadcast)|expected \(batch, time/.test(problem)) {
    return 'Keras does not check symbols here, and then fails';
  }
  if (
    /^(Layer|RMS)Normalization$/.test(layer.class_name) &&
    `${axis}` !== '-1' &&
    /^output/.test(problem)
  ) {
    return 'PyTorch normalizes the last axes, whatever axis says, where their sizes fit';
  }
  return layers.find(([text]) => text.test(problem) || text.test(expect.message ?? ''))?.[1];
}

/** Accepts a measure if its failure comes from PyTorch itself. */
export const reasonForMeasure = (_, { expect }) =>
  expect.error === 'RuntimeError' ? 'PyTorch fails by accident' : undefined;

const programs = [
  [
    /expects shape \(\d+, .*\) but was given/,
    'Keras does not check a fixed batch when a model is called',
  ],
  [
    /threshold\(\) missing 2 required positional arguments/,
    "Keras's activation 'threshold' cannot be called by its name",
  ],
  [/step must be greater than zero/, 'PyTorch has no slices with negative steps'],
  [
    /Cannot compute the (max|min) of an empty tensor/,
    'the largest of nothing is -infinity or nothing, the least infinity or nothing',
  ],
  [
    /softmax\(\) received an invalid combination of arguments - got \(list\)/,
    'a file has a list of axes where Keras with PyTorch needs a tuple',
  ],
  [
    /accepted; .*axis 2 is out of bounds for an array with dimension 2/,
    'the layer inside TimeDistributed gets a mask of a step, which fits a batch of one row',
  ],
];

/** Returns the reason for a difference in a recording of keras_programs.py, or undefined. */
export const reasonForProgram = (problem) => programs.find(([text]) => text.test(problem))?.[1];

const edges = [
  [
    /not implemented for '(Bool|Int)'|(Bool|Boolean) inputs not supported|bool tensor/,
    'PyTorch does not compute this for integers or booleans',
  ],
  [/is out of range for rank 0/, 'a single number has no axis'],
  [/Class values must be smaller/, 'TensorFlow and JAX return zeros for ids that are not classes'],
  [/^threw .*the slice .* is not within axis/, 'slices beyond the tensor are refused'],
  [/needs singular values/, 'norms of matrices by singular values are not available'],
  [/Weights sum to zero|must match the size of tensor b \(0\)/, 'the mean of nothing is NaN'],
  [/repeats is -1 but must not be negative/, 'negative counts are refused, also for empty axes'],
  [/softmax\(\) received an invalid combination/, 'a list of one axis is one axis'],
  [/selected index k out of range/, 'a rank beyond the number of classes includes all'],
  [/step must be nonzero/, 'PyTorch rounds steps to integers first'],
  [/requires|two bool tensors|must be non-empty|appears multiple times/, 'PyTorch refuses more'],
  [/^threw .*must have the same sign/, 'there is no geometric series through 0'],
  [/no step of the result is left/, 'results without a step are refused'],
  [/`sequence_stride` must equal/, 'PyTorch needs as many parts as overlap'],
  [/pool1d: Expected|Expected 3D or 4D/, 'PyTorch does not pool empty batches'],
  [/dtype float32, not (int32|bool)/, 'whole numbers are computed as floats'],
  [/source and destination dtypes match/, 'updates are converted to the dtype of inputs'],
  [/linalg.norm: If dim is specified/, 'a norm may have more than two axes'],
  [/attn_mask should not be set when is_causal/, 'a mask may be causal, too'],
];

/** Returns the reason for a difference in a recording of keras_edges.py, or undefined. */
export function reasonForEdge(problem, { op, error = '', required, options, tensors }) {
  if (required.num_segments === 0) return 'PyTorch counts the segments itself if there are none';
  const numbers = tensors.flat().flatMap(({ data }) => data);
  if (/^layer_normalization$|^nan(std|var)$/.test(op) && numbers.some((x) => Math.abs(x) > 1e20)) {
    return 'squares of large numbers do not overflow here';
  }
  if (numbers.some((x) => Math.abs(x) >= 2 ** 31 - 1 && Math.abs(x) <= 2 ** 31)) {
    return 'PyTorch computes with integers that overflow';
  }
  if (op === 'pad' && tensors[0].shape.length === 0) return 'a single number has no axis';
  if (op === 'slice' && required.shape.includes(-1)) {
    return 'a size of -1 means all that follow, as in TensorFlow and JAX';
  }
  if (/^segment_m/.test(op) && tensors[0].data.length === 0) {
    return 'PyTorch confuses the limits of int32 for empty data';
  }
  if (op === 'average' && tensors[0].data.length === 0) return 'the mean of nothing is NaN';
  if (op === 'sparsemax' && tensors[0].data.some((x) => typeof x === 'string')) {
    return 'a row with NaN or an infinity has no projection';
  }
  if (op === 'take_along_axis' && options.axis === null) {
    return 'PyTorch counts negative indices from the end of the first axis';
  }
  if (op === 'cast' && tensors[0].data.some((x) => typeof x === 'string')) {
    return 'NaN becomes 0 as an integer, as in JAX';
  }
  return edges.find(([text]) => text.test(problem) || text.test(error))?.[1];
}

/** Returns the reason for a difference in a recording of keras_calls.py, or undefined. */
export function reasonForCall(problem, { op }) {
  if (
    /shape \d*, not |shape [1,]+, not $/.test(problem) &&
    /^(correlate|nanprod|prod|ptp)$/.test(op)
  ) {
    return 'PyTorch drops axes of size 1';
  }
  if (op === 'top_k' && /^result 1/.test(problem))
    return 'equal elements: which one is first is free';
  if (op === 'fmod' && /^gradient 1/.test(problem)) return 'PyTorch rounds the quotient';
  if (/^i?stft$/.test(op)) return 'parts with margins: PyTorch differs from NumPy and JAX';
  if (op === 'lcm') return 'a multiple may exceed the largest integer';
  if (!/^gradient/.test(problem)) return undefined;
  if (/^nan/.test(op) && /not NaN|is NaN, not 0/.test(problem))
    return 'a NaN that is left out has a derivative of 0';
  const sorts = /sort|top_k|median|quantile|percentile|ctc_decode|segment_max|fmax|fmin|nanm/;
  return sorts.test(op) ? 'equal elements: which one has the derivative is free' : undefined;
}

/**
 * Accepts a module of PyTorch whose own float32 differs from its float64 by half the tolerance or
 * more, such as a LayerNorm of two almost equal features: its last digits are noise.
 */
export const reasonForModule = (_, { noise }) =>
  noise >= 0.5 ? "PyTorch's float32 is as far from its float64" : undefined;

const workflows = [
  [
    /_on_batch: threw ValueError: sampleWeight has weights for '/,
    'trainOnBatch and testOnBatch of Keras ignore weights of a name that is not an output',
  ],
  [
    /_on_batch: threw ValueError: sampleWeight has \d+ items/,
    'trainOnBatch and testOnBatch of Keras ignore the last of too many weights',
  ],
  [
    /_on_batch: threw ValueError: sampleWeight has the shape /,
    'PyTorch broadcasts weights of steps to the rows of an output without steps',
  ],
  [
    /evaluate: accepted; Keras: ValueError: No loss to compute/,
    'evaluate without a loss returns the metrics',
  ],
];

/** Returns the counts in a difference: those here and those of Keras; null if it has none. */
function countsIn(problem) {
  const found = /counts of .*\[(\d+),(\d+),(\d+)\], not \[(\d+),(\d+),(\d+)\]/.exec(problem);
  const [, ...numbers] = found?.map(Number) ?? [];
  return found && { here: numbers.slice(0, 3), there: numbers.slice(3) };
}

/**
 * Returns whether a loaded model trains fewer of its weights than in Keras, after a program that
 * froze a layer: Keras trains the layers inside of a layer that its file says is frozen.
 */
function loadsFrozen(problem, step, steps) {
  const counts = countsIn(problem);
  if (!counts || !['file', 'save'].includes(step?.do)) return false;
  const { here, there } = counts;
  const isSum = here[1] + here[2] === there[1] + there[2] && here[1] < there[1];
  return isSum && steps.some(({ value }) => value === false);
}

/** Returns whether a shape here only knows sizes that Keras leaves out: those of EinsumDense. */
function knowsSizes(problem, step, steps) {
  const layer = steps.find(({ id }) => id === step?.on);
  const [, ...shapes] = /shape: (\[.*\]), not (\[.*\])$/.exec(problem) ?? [];
  if (layer?.class !== 'EinsumDense' || shapes.length < 2) return false;
  const [here, there] = shapes.map((text) => JSON.parse(text));
  return here.length === there.length && there.every((size, i) => [null, here[i]].includes(size));
}

/** Returns the reason for a difference in a recording of keras_classes.py, or undefined. */
export const reasonForClass = (problem) =>
  /assigns its layers .* in another order than it creates or declares them/.test(problem)
    ? 'layers whose fields are declared in another order, which the names in the file do not tell'
    : undefined;

/** Returns whether a value is a dictionary of recorded arrays. */
const isByName = (value) =>
  Boolean(value) && !Array.isArray(value) && typeof value === 'object' && !('kind' in value);

/** Returns whether a step has a list of targets whose weights have names. */
function namesWeightsOfList({ y, options = {} }) {
  const [, targets = null, weights] = options.validation_data ?? [];
  const isMixed = (list, named) => Array.isArray(list) && isByName(named);
  return isMixed(y, options.sample_weight) || isMixed(targets, weights);
}

/** Returns whether weights have names of some of the outputs, and no other names. */
function areForSome(y, weights) {
  if (!isByName(y) || !isByName(weights)) return false;
  const [given, outputs] = [Object.keys(weights), Object.keys(y)];
  return given.length < outputs.length && given.every((name) => outputs.includes(name));
}

/** Returns whether a step has weights for some of the outputs, in training or validation. */
function weighsSome({ y, options = {} }) {
  const [, targets, weights] = options.validation_data ?? [];
  return areForSome(y, options.sample_weight) || areForSome(targets, weights);
}

/** Returns the reason for a difference in a recording of keras_workflows.py, or undefined. */
export function reasonForWorkflow(problem, { steps }) {
  const [, number] = /^step (\d+)/.exec(problem) ?? [];
  if (/accepted; Keras: .*`sample_weight`/.test(problem) && weighsSome(steps[number])) {
    return 'outputs without weights are not weighted';
  }
  if (/accepted; Keras: .*`sample_weight`/.test(problem) && namesWeightsOfList(steps[number])) {
    return 'weights by name belong to the outputs, also beside a list of targets';
  }
  if (loadsFrozen(problem, steps[number], steps)) {
    return 'a frozen layer of a file is frozen with the layers inside';
  }
  if (knowsSizes(problem, steps[number], steps)) {
    return 'Keras forgets the length where output_shape of EinsumDense has null';
  }
  return workflows.find(([text]) => text.test(problem))?.[1];
}

/** Accepts a port that differs if it carries notes: they say what to write. */
export const reasonForPort = (problem) => /^note .*/.exec(problem)?.[0];
