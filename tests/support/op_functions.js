// SPDX-License-Identifier: MIT
// Plain JavaScript equivalents of ops on single numbers, after Keras's definitions.
const { abs, exp, expm1, log, log1p, max, min, sign, sqrt, tanh } = Math;

export function erf(x) {
  let term = x;
  let sum = x;
  for (let n = 1; n < 200; n++) {
    term *= (-x * x) / n;
    sum += term / (2 * n + 1);
  }
  return (2 / sqrt(Math.PI)) * sum;
}

const sigmoid = (x) => 1 / (1 + exp(-x));
const softplus = (x) => max(x, 0) + log1p(exp(-abs(x)));
const relu6 = (x) => min(max(x, 0), 6);
const roundHalfToEven = (x) => {
  const low = Math.floor(x);
  const fraction = x - low;
  return fraction === 0.5 ? low + (abs(low) % 2) : Math.round(x);
};
const seluScale = 1.0507009873554805;
const seluAlpha = 1.6732632423543772;

/** Functions from float32 to float32. */
export const smooth = {
  absolute: abs,
  abs,
  ceil: Math.ceil,
  celu: (x) => max(x, 0) + min(0, expm1(x)),
  cos: Math.cos,
  elu: (x) => (x > 0 ? x : expm1(x)),
  erf,
  exp,
  expm1,
  floor: Math.floor,
  gelu: (x) => 0.5 * x * (1 + erf(x / Math.SQRT2)),
  hardShrink: (x) => (abs(x) > 0.5 ? x : 0),
  hardSigmoid: (x) => relu6(x + 3) / 6,
  hardSilu: (x) => (x * relu6(x + 3)) / 6,
  hardTanh: (x) => min(max(x, -1), 1),
  leakyRelu: (x) => (x > 0 ? x : 0.2 * x),
  log,
  log1p,
  logSigmoid: (x) => -softplus(-x),
  mish: (x) => x * tanh(softplus(x)),
  negative: (x) => -x,
  reciprocal: (x) => 1 / x,
  relu: (x) => max(x, 0),
  relu6,
  round: roundHalfToEven,
  rsqrt: (x) => 1 / sqrt(x),
  selu: (x) => seluScale * (x > 0 ? x : seluAlpha * expm1(x)),
  sigmoid,
  sign,
  silu: (x) => x * sigmoid(x),
  sin: Math.sin,
  softShrink: (x) => (abs(x) > 0.5 ? x - 0.5 * sign(x) : 0),
  softplus,
  softsign: (x) => x / (1 + abs(x)),
  sparsePlus: (x) => (x <= -1 ? 0 : x < 1 ? (x + 1) ** 2 / 4 : x),
  sparseSigmoid: (x) => min(max((x + 1) / 2, 0), 1),
  sqrt,
  square: (x) => x * x,
  squareplus: (x) => (x + sqrt(x * x + 4)) / 2,
  tanh,
  tanhShrink: (x) => x - tanh(x),
  threshold: (x) => Math.max(x, 0),
};

/** Calls of such functions with settings other than the defaults. */
export const smoothWithOptions = [
  ['celu', { alpha: 2 }, (x) => max(x, 0) + min(0, 2 * expm1(x / 2))],
  ['elu', { alpha: 2 }, (x) => (x > 0 ? x : 2 * expm1(x))],
  [
    'gelu',
    { approximate: true },
    (x) => 0.5 * x * (1 + tanh(sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  ],
  ['hardShrink', { threshold: 1 }, (x) => (abs(x) > 1 ? x : 0)],
  ['leakyRelu', { negativeSlope: 0.5 }, (x) => (x > 0 ? x : 0.5 * x)],
  [
    'relu',
    { negativeSlope: 0.1, maxValue: 2, threshold: 0.5 },
    (x) => (x >= 2 ? 2 : x > 0.5 ? x : 0.1 * (x - 0.5)),
  ],
  ['softShrink', { threshold: 1 }, (x) => (abs(x) > 1 ? x - sign(x) : 0)],
  ['squareplus', { b: 1 }, (x) => (x + sqrt(x * x + 1)) / 2],
  ['threshold', { threshold: 1, defaultValue: -7 }, (x) => (x > 1 ? x : -7)],
];

/** Functions from any dtype to bool. */
export const questions = {
  isfinite: Number.isFinite,
  isinf: (x) => abs(x) === Number.POSITIVE_INFINITY,
  isnan: Number.isNaN,
  logicalNot: (x) => !(x !== 0),
};

/** Functions of two numbers that return a number. */
export const binary = {
  add: (a, b) => a + b,
  divide: (a, b) => a / b,
  floorDivide: (a, b) => Math.floor(a / b),
  maximum: max,
  minimum: min,
  mod: (a, b) => a - Math.floor(a / b) * b,
  multiply: (a, b) => a * b,
  power: (a, b) => a ** b,
  subtract: (a, b) => a - b,
  trueDivide: (a, b) => a / b,
};

/** Functions of two numbers that return a bool. */
export const comparisons = {
  equal: (a, b) => a === b,
  greater: (a, b) => a > b,
  greaterEqual: (a, b) => a >= b,
  less: (a, b) => a < b,
  lessEqual: (a, b) => a <= b,
  logicalAnd: (a, b) => a !== 0 && b !== 0,
  logicalOr: (a, b) => a !== 0 || b !== 0,
  logicalXor: (a, b) => (a !== 0) !== (b !== 0),
  notEqual: (a, b) => a !== b,
};
