// SPDX-License-Identifier: MIT
// TensorFlowOpLayer of TensorFlow 2.0 to 2.3: a node of TensorFlow's graph, with its constants.
import type { Budget } from '../open/budget.js';
import { parseJson } from '../json_text.js';
import { isRecord, type Json, listOf, lookUp, textOf } from '../json.js';

/** A call of a TensorFlow function. */
export interface TensorFlowCall {
  name: string;
  first: unknown;
  /** Further arguments by name. */
  others: Json;
}

/** Function and names of the inputs by node; '*' is a list of all inputs but the named ones. */
const nodes: { [op: string]: [string, string[]] } = {};

function add(pairs: string, inputs: string[]): void {
  for (const pair of pairs.trim().split(/\s+/)) {
    const [op = '', name = ''] = pair.split('=');
    nodes[op] = [name, inputs];
  }
}

add(
  `
    Add=add AddV2=add BiasAdd=add Sub=sub Mul=mul RealDiv=truediv Div=truediv FloorDiv=floordiv FloorMod=mod
    Pow=pow Maximum=maximum Minimum=minimum Equal=equal NotEqual=not_equal Greater=greater
    GreaterEqual=greater_equal Less=less LessEqual=less_equal LogicalAnd=logical_and LogicalOr=logical_or
  `,
  ['', 'y'],
);
add(
  `
    Neg=neg Abs=abs Exp=exp Expm1=expm1 Log=log Log1p=log1p Sqrt=sqrt Rsqrt=rsqrt Square=square
    Reciprocal=reciprocal Sign=sign Sin=sin Cos=cos Tanh=tanh Sigmoid=sigmoid Erf=erf Floor=floor Ceil=ceil
    Round=round IsNan=is_nan LogicalNot=logical_not Softplus=softplus Softsign=softsign Relu=relu Relu6=relu6
    Elu=elu Selu=selu LeakyRelu=leaky_relu ZerosLike=zeros_like OnesLike=ones_like Identity=identity
    StopGradient=identity Softmax=softmax LogSoftmax=log_softmax Cast=cast Squeeze=squeeze Unpack=unstack
  `,
  [''],
);
add(
  `
    Mean=reduce_mean Sum=reduce_sum Max=reduce_max Min=reduce_min Prod=reduce_prod Any=reduce_any All=reduce_all
    ArgMax=argmax ArgMin=argmin ExpandDims=expand_dims Cumsum=cumsum ReverseV2=reverse
  `,
  ['', 'axis'],
);
add('Reshape=reshape', ['', 'shape']);
add('Transpose=transpose', ['', 'perm']);
add('Tile=tile', ['', 'multiples']);
add('Pad=pad PadV2=pad', ['', 'paddings', 'constant_values']);
add('GatherV2=gather', ['', 'indices', 'axis']);
add('Select=where SelectV2=where', ['', 'x', 'y']);
add('MatMul=matmul BatchMatMul=matmul BatchMatMulV2=matmul', ['', 'b']);
add('ClipByValue=clip_by_value', ['', 'clip_value_min', 'clip_value_max']);
add('StridedSlice=getitem', ['', 'begin', 'end', 'strides']);
add('ConcatV2=concat', ['*', 'axis']);
add('Pack=stack', ['*']);

const attributes: { [name: string]: string } = {
  keep_dims: 'keepdims',
  axis: 'axis',
  squeeze_dims: 'axis',
  DstT: 'dtype',
  alpha: 'alpha',
  transpose_a: 'transpose_a',
  transpose_b: 'transpose_b',
  adj_x: 'transpose_a',
  adj_y: 'transpose_b',
  exclusive: 'exclusive',
  reverse: 'reverse',
};

const dtypes: { [name: string]: string } = {
  DT_FLOAT: 'float32',
  DT_HALF: 'float32',
  DT_DOUBLE: 'float32',
  DT_INT32: 'int32',
  DT_INT64: 'int32',
  DT_BOOL: 'bool',
};

function attributeValue(attribute: unknown): unknown {
  if (!isRecord(attribute)) return undefined;
  if (isRecord(attribute['list'])) return listOf(attribute['list']['i']).map(Number);
  if ('b' in attribute) return attribute['b'];
  if ('i' in attribute) return Number(attribute['i']);
  if ('f' in attribute) return Number(attribute['f']);
  return lookUp(dtypes, textOf(attribute['type']));
}

/** The function call for a node; an unknown node keeps its own name. */
export function nodeCall(config: Json, tensors: unknown[], budget: Budget): TensorFlowCall {
  const definition = config['node_def'];
  const node =
    typeof definition === 'string' ? parseJson(definition, 'a node_def', budget) : definition;
  const op = isRecord(node) ? textOf(node['op']) : '';
  const entry = lookUp(nodes, op);
  if (!isRecord(node) || !entry) return { name: op || 'node', first: tensors, others: {} };
  const [name, names] = entry;
  const inputs = insertConstants(tensors, config['constants']);
  const isList = names[0] === '*';
  const end = isList ? inputs.length - (names.length - 1) : 1;
  const others: Json = {};
  inputs.slice(end).forEach((input, i) => {
    others[names[i + 1] ?? `input ${i + end}`] = input;
  });
  const attrs = isRecord(node['attr']) ? node['attr'] : {};
  for (const [key, value] of Object.entries(attrs)) {
    const argument = lookUp(attributes, key);
    if (argument && attributeValue(value) !== undefined) {
      others[argument] ??= attributeValue(value);
    }
  }
  if (op === 'Squeeze' && listOf(others['axis']).length === 0) delete others['axis'];
  if (op === 'StridedSlice') {
    return { name, first: inputs[0], others: { slice_spec: sliceKey(others, attrs) } };
  }
  return { name, first: isList ? inputs.slice(0, end) : inputs[0], others };
}

/** Inserts the constants, by input index, between the tensors. */
function insertConstants(tensors: unknown[], constants: unknown): unknown[] {
  const byIndex = isRecord(constants) ? constants : {};
  const count = tensors.length + Object.keys(byIndex).length;
  let next = 0;
  return Array.from({ length: count }, (_, i) =>
    String(i) in byIndex ? byIndex[String(i)] : tensors[next++],
  );
}

/**
 * Index of a StridedSlice. Bits tell which bounds are ignored and which axes are new or indexed.
 */
function sliceKey({ begin, end, strides }: Json, attrs: Json): unknown[] {
  const bit = (name: string, i: number): boolean =>
    ((Number(attributeValue(attrs[name]) ?? 0) >> i) & 1) === 1;
  const [starts, ends, steps] = [listOf(begin), listOf(end), listOf(strides)];
  return starts.map((start, i) => {
    if (bit('ellipsis_mask', i)) return { class_name: '__ellipsis__' };
    if (bit('new_axis_mask', i)) return null;
    if (bit('shrink_axis_mask', i)) return start;
    return {
      start: bit('begin_mask', i) ? null : start,
      stop: bit('end_mask', i) ? null : ends[i],
      step: steps[i],
    };
  });
}
