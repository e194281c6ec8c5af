// SPDX-License-Identifier: MIT
// TensorFlow functions in graphs of Keras 2, and the ops of Keras 3 for them.
import { type Json, lookUp } from '../json.js';

/** The op for a TensorFlow function. */
export interface KnownFunction {
  /** Class of the op. */
  op: string;
  /** TensorFlow's names of the operands after the first one. */
  operands: string[];
  /** The op's names of settings by TensorFlow's. */
  settings: { [from: string]: string };
  /** Whether the first argument is a list of tensors. */
  list?: boolean;
}

const functions = new Map<string, KnownFunction>();

/** Adds functions with the same operands and settings: pairs of TensorFlow's name and the op's. */
function add(
  names: string,
  operands: string[],
  settings: KnownFunction['settings'],
  list = false,
): void {
  for (const pair of names.trim().split(/\s+/)) {
    const [name = '', op = ''] = pair.split('=');
    functions.set(name, { op, operands, settings, ...(list ? { list } : {}) });
  }
}

add(
  `
    add=Add subtract=Subtract sub=Subtract multiply=Multiply mul=Multiply divide=Divide truediv=Divide
    div=Divide floordiv=FloorDivide mod=Mod floormod=Mod pow=Power maximum=Maximum minimum=Minimum equal=Equal
    eq=Equal not_equal=NotEqual ne=NotEqual greater=Greater gt=Greater greater_equal=GreaterEqual
    ge=GreaterEqual less=Less lt=Less less_equal=LessEqual le=LessEqual logical_and=LogicalAnd and_=LogicalAnd
    logical_or=LogicalOr or_=LogicalOr logical_xor=LogicalXor xor_=LogicalXor
  `,
  ['y'],
  {},
);
add(
  `
    negative=Negative neg=Negative abs=Absolute exp=Exp expm1=Expm1 log=Log log1p=Log1p sqrt=Sqrt rsqrt=Rsqrt
    square=Square reciprocal=Reciprocal sign=Sign sin=Sin cos=Cos tanh=Tanh sigmoid=Sigmoid erf=Erf floor=Floor
    ceil=Ceil round=Round is_nan=Isnan is_inf=Isinf is_finite=Isfinite logical_not=LogicalNot softplus=Softplus
    softsign=Softsign relu=Relu relu6=Relu6 elu=Elu selu=Selu silu=Silu swish=Silu zeros_like=ZerosLike
    ones_like=OnesLike identity=ConvertToTensor stop_gradient=ConvertToTensor convert_to_tensor=ConvertToTensor
  `,
  [],
  {},
);
add(
  `
    reduce_mean=Mean reduce_sum=Sum reduce_max=Max reduce_min=Min reduce_prod=Prod reduce_any=Any reduce_all=All
    reduce_std=Std reduce_variance=Var reduce_logsumexp=Logsumexp
  `,
  [],
  { axis: 'axis', keepdims: 'keepdims', keep_dims: 'keepdims' },
);
add(
  `
    argmax=Argmax argmin=Argmin softmax=Softmax log_softmax=LogSoftmax expand_dims=ExpandDims squeeze=Squeeze
    cumsum=Cumsum reverse=Flip unstack=Unstack
  `,
  [],
  { axis: 'axis' },
);
add('concat=Concatenate stack=Stack', [], { axis: 'axis' }, true);
add('reshape=Reshape', [], { shape: 'newshape' });
add('transpose=Transpose', [], { perm: 'axes' });
add('tile=Tile', [], { multiples: 'repeats' });
add('repeat=Repeat', [], { repeats: 'repeats', axis: 'axis' });
add('roll=Roll', [], { shift: 'shift', axis: 'axis' });
add('cast=Cast', [], { dtype: 'dtype' });
add('clip_by_value=Clip', [], { clip_value_min: 'x_min', clip_value_max: 'x_max' });
add('one_hot=OneHot', [], { depth: 'num_classes', axis: 'axis', dtype: 'dtype' });
add('pad=Pad', [], { paddings: 'pad_width', constant_values: 'constant_values' });
add('leaky_relu=LeakyRelu', [], { alpha: 'negative_slope' });
add('gelu=Gelu', [], { approximate: 'approximate' });
add('split=Split', [], { num_or_size_splits: 'indices_or_sections', axis: 'axis' });
add('gather=Take', ['indices'], { axis: 'axis' });
add('where=Where', ['x', 'y'], {});
add('matmul=Matmul', ['b'], {});
add('getitem=GetItem', [], { slice_spec: 'key' });

/** Finds a function by its name in a config: 'math.add', '__operators__.getitem'. */
export const functionNamed = (name: string): KnownFunction | undefined =>
  functions.get(name.slice(name.lastIndexOf('.') + 1));

/** Adds TensorFlow's defaults where those of the op differ. */
export function withDefaults(op: string, settings: Json): Json {
  if (/^(Take|Unstack|Stack|Argmax|Argmin|Cumsum)$/.test(op)) settings['axis'] ??= 0;
  return settings;
}

/** Values without effect of arguments that the op lacks; an empty list allows all values. */
const kHarmless: { [argument: string]: readonly unknown[] } = {
  name: [],
  dtype: [],
  output_type: [],
  batch_dims: [0],
  validate_indices: [],
  num: [],
  mode: ['CONSTANT', 'constant'],
  exclusive: [false],
  reverse: [false],
  conjugate: [false],
  on_value: [1],
  off_value: [0],
  a_is_sparse: [false],
  b_is_sparse: [false],
  adjoint_a: [false],
  adjoint_b: [false],
};

/** Returns whether the argument has no effect on the result of the op. */
export function isHarmless(argument: string, value: unknown): boolean {
  const values = lookUp(kHarmless, argument);
  return values !== undefined && (values.length === 0 || values.includes(value));
}
