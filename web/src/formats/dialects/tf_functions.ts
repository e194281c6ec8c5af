// SPDX-License-Identifier: MIT
// TensorFlow's functions that stand in graphs of Keras 2, as the ops that Keras 3 has for them.
import { type Json, lookUp } from '../json.js';

/** An op of the graph: its class, its operands after the first by their names in TensorFlow, and its settings likewise. */
export interface KnownFunction {
  op: string;
  operands: string[];
  settings: { [from: string]: string };
  /** The first argument is a list of tensors. */
  list?: boolean;
}

const known = new Map<string, KnownFunction>();

function add(
  names: string,
  operands: string[],
  settings: KnownFunction['settings'],
  list = false,
): void {
  for (const pair of names.trim().split(/\s+/)) {
    const [name = '', op = ''] = pair.split('=');
    known.set(name, { op, operands, settings, ...(list ? { list } : {}) });
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

/** By the name in a configuration: 'math.add', '__operators__.getitem', 'compat.v1.transpose'. */
export const functionNamed = (name: string): KnownFunction | undefined =>
  known.get(name.slice(name.lastIndexOf('.') + 1));

/** What TensorFlow takes when an argument is not given, where the op takes something else. */
export function withDefaults(op: string, settings: Json): Json {
  if (op === 'Take') settings['axis'] ??= 0;
  if (op === 'Unstack' || op === 'Stack' || op === 'Argmax' || op === 'Argmin')
    settings['axis'] ??= 0;
  return settings;
}

/** Arguments that have no counterpart, and may therefore only have the value that changes nothing. */
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

/** Does the argument change nothing of what the op computes? */
export function isHarmless(argument: string, value: unknown): boolean {
  const fine = lookUp(kHarmless, argument);
  return fine !== undefined && (fine.length === 0 || fine.includes(value));
}
