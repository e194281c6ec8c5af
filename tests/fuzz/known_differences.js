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
  [/axis values None/, 'an unknown size may be the known one'],
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
  [/'attention_axes' of an input/, 'attention over the batch or the features is refused'],
  [
    /mask_value has \d+ numbers/,
    'a mask_value that broadcasts makes more features than there were',
  ],
  [/but the sequence is/, 'the layer inside gets a mask of a step that is none of a sequence'],
];

/** Returns the reason for a difference in a recording of keras_layers.py, or undefined. */
export function reasonForLayer(problem, { layer, expect }) {
  const { axis } = layer.config;
  if (layer.class_name === 'LayerNormalization' && `${axis}` !== '-1' && /^output/.test(problem)) {
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
  [/Cannot compute the max of an empty tensor/, 'the largest of nothing is -infinity or nothing'],
];

/** Returns the reason for a difference in a recording of keras_programs.py, or undefined. */
export const reasonForProgram = (problem) => programs.find(([text]) => text.test(problem))?.[1];

/** Returns the reason for a difference in a recording of keras_calls.py, or undefined. */
export function reasonForCall(problem, { op }) {
  if (!/^gradient/.test(problem)) return undefined;
  const sorts = ['sort', 'top_k', 'median', 'quantile', 'percentile', 'ctc_decode', 'segment_max'];
  return sorts.includes(op) ? 'equal elements: which one has the derivative is free' : undefined;
}

/**
 * Accepts a module of PyTorch whose own float32 differs from its float64 by half the tolerance or
 * more, such as a LayerNorm of two almost equal features: its last digits are noise.
 */
export const reasonForModule = (_, { noise }) =>
  noise >= 0.5 ? "PyTorch's float32 is as far from its float64" : undefined;
