// SPDX-License-Identifier: MIT
// The functions of `ops` and the methods of tensors.
import {
  camel,
  functionName,
  head,
  readonlyLists,
  reserved,
  settingDoc,
  shortNames,
  wordLines,
} from './words.mjs';

const isOptional = (operand) => operand.endsWith('?');
const operandName = (operand) => camel(operand.replace(/[*?]$/, ''));
/** Stands for the type of optional operands until the signature of an overload is written. */
const anyOperand = '#operand';

/** The meaning of operands that may be left out, by op. */
const optionalOperands = {
  Average: { weights: 'Weight of each element; null: equal weights.' },
  BatchNorm: {
    offset: 'Vector that is added; null: none.',
    scale: 'Vector of factors; null: none.',
  },
  DotProductAttention: {
    bias: 'Numbers that are added to the scores, [batch, heads, queries, keys]; null: none.',
    mask: 'True where a query sees a key, [batch, heads, queries, keys]; null: everywhere.',
  },
  Isclose: {
    rtol: 'Tolerance as a share of |x2|. Default: 0.00001.',
    atol: 'Tolerance that is added. Default: 1e-8.',
  },
  LayerNorm: {
    gamma: 'Factors, one for each feature; null: none.',
    beta: 'Numbers that are added, one for each feature; null: none.',
  },
  RMSNorm: { scale: 'Factors, one for each feature; null: none.' },
  Trapezoid: { x: 'Positions of the points; null: `dx` apart.' },
};

/** Returns the lines about a list of operands, or about an operand that may be left out. */
function operandDoc(op, operand) {
  if (operand.endsWith('*')) return [` * @param ${operandName(operand)} The tensors, in order.`];
  if (!isOptional(operand)) return [];
  const name = operandName(operand);
  return [` * @param options.${name} ${optionalOperands[op][name]}`];
}

/**
 * Returns the parts of an op's signature and documentation that its function and its method share.
 */
function opShape({ name, operands, doc, results, attributes }) {
  const required = attributes.filter((attribute) => attribute.required);
  const optional = attributes.filter((attribute) => !attribute.required);
  const member = ({ name, type }, mark = '') => `${camel(name)}${mark}: ${readonlyLists(type)}`;
  const tensors = operands.split(' ').filter(Boolean);
  const optionalTensors = tensors.filter(isOptional).map(operandName);
  const parameters = required.map((attribute) => member(attribute));
  if (optional.length + optionalTensors.length > 0) {
    const members = [
      ...optionalTensors.map((tensor) => `${tensor}?: ${anyOperand} | null`),
      ...optional.map((attribute) => member(attribute, '?')),
    ];
    // As in Keras, options may be positional; the types say it of the first one.
    const first = optionalTensors.length > 0 ? '' : `${readonlyLists(optional[0].type)} | `;
    parameters.push(`options?: ${first}{ ${members.join('; ')} }`);
  }
  const attributeDocs = attributes
    .toSorted((a, b) => b.required - a.required)
    .map((attribute) => {
      const parent = attribute.required ? '' : 'options.';
      // Settings of activations are explained by the formula alone.
      const words = settingDoc({ ...attribute, doc: attribute.doc || 'See the formula.' });
      return ` * @param ${parent}${camel(attribute.name)} ${words}`;
    });
  const docs = [...tensors.flatMap((operand) => operandDoc(name, operand)), ...attributeDocs];
  const settings = required.map((attribute) => camel(attribute.name)).join(', ');
  return {
    name,
    exported: functionName(name),
    unreserved: reserved[functionName(name)],
    short: shortNames[functionName(name)],
    takesList: operands.endsWith('*'),
    tensors: tensors.filter((operand) => !isOptional(operand)).map(operandName),
    optionalTensors,
    parameters,
    // The core refuses what follows the settings: `reshape(x, 4, 1)`.
    settings: [
      ...(optional.length + optionalTensors.length > 0 || (settings && tensors.length > 0)
        ? ['options']
        : []),
      ...(settings ? [`{ ${settings} }`] : []),
    ],
    docs: ['/**', ` * ${doc}`, ...docs, ' */'],
    run: results === 'list' ? 'applyOp' : 'applyOne',
    resultSuffix: results === 'list' ? '[]' : '',
  };
}

/** Ops of a list of operands that Keras calls with a text first: `einsum('ab,bc->ac', a, b)`. */
const textFirst = { Einsum: 'subscripts' };

/** Returns such an op as a function that accepts Keras's order, and the list before the text. */
function textFirstFunction({ name, exported, docs }) {
  const text = textFirst[name];
  const overloads = [
    ['TensorLike', 'Tensor'],
    ['Operand', 'SymbolicTensor'],
  ].map(
    ([
      operand,
      result,
    ]) => `export function ${exported}(${text}: string, ...operands: readonly ${operand}[]): ${result};
export function ${exported}(operands: readonly ${operand}[], ${text}: string): ${result};
`,
  );
  const own = docs.map((line) => line.replace('@param xs ', '@param operands '));
  return `${own.join('\n')}
${overloads.join('')}export function ${exported}(first: string | readonly Operand[], ...rest: readonly unknown[]): Tensor {
  const [operands, ${text}] = typeof first === 'string' ? [rest as Operand[], first] : [first, rest[0]];
  return applyOne('${name}', operands, { ${text} });
}
`;
}

const isMethod = ({ tensors, takesList }) => tensors.length > 0 && !takesList;

/** Orders of the first options by position that do not begin with the optional operands. */
const optionOrders = { Average: ['axis', 'weights'] };

const quoted = (names) => `[${names.map((name) => `'${name}'`).join(', ')}]`;

function opFunction({ name, exported, unreserved, short, takesList, tensors, ...shape }) {
  const operandList = takesList ? tensors[0] : `[${tensors.join(', ')}]`;
  const order = optionOrders[name];
  const rest = [...shape.settings, ...(order ? ['undefined', quoted(order)] : [])];
  const call =
    shape.optionalTensors.length > 0
      ? `applyWith('${name}', ${operandList}, ${quoted(shape.optionalTensors)}, ${rest.join(', ')})`
      : `${shape.run}(${[`'${name}'`, operandList, ...shape.settings].join(', ')})`;
  const names = [unreserved && `${unreserved} as ${exported}`, short && `${exported} as ${short}`];
  const alias = names.map((pair) => (pair ? `\nexport { ${pair} };\n` : '')).join('');
  /** Returns the function's signature for operands of a type. */
  const signature = (operand, result) => {
    const type = takesList ? `readonly ${operand}[]` : operand;
    const others = shape.parameters.map((parameter) => parameter.replaceAll(anyOperand, operand));
    const parameters = [...tensors.map((tensor) => `${tensor}: ${type}`), ...others];
    return `export function ${unreserved ?? exported}(${parameters.join(', ')}): ${result}${shape.resultSuffix}`;
  };
  const overload = (...types) => `${signature(...types)};\n`;
  const whole = signature('Operand', 'Tensor').replace(
    /options\?: .*(?=\): Tensor)/,
    '...options: readonly unknown[]',
  );
  const takesMore = shape.settings[0] === 'options' && !whole.includes('...options');
  const implementation = takesMore
    ? whole.replace(/(?=\): Tensor)/, ', ...options: readonly unknown[]')
    : whole;
  const withTensors = overload('TensorLike', 'Tensor') + overload('Operand', 'SymbolicTensor');
  const alone = shape.settings[0] === 'options' ? overload('Operand', 'Tensor') : '';
  return `${shape.docs.join('\n')}
${tensors.length > 0 ? withTensors : alone}${implementation} {
  return ${call};
}
${alias}`;
}

const types = ['DType', 'Operand', 'SymbolicTensor', 'Tensor', 'TensorLike'];
const functionsOf = (ops) =>
  ops
    .map(opShape)
    .map((shape) => (textFirst[shape.name] ? textFirstFunction(shape) : opFunction(shape)))
    .join('\n');

/** The functions of all entries. */
export function opsFile(ops) {
  return `${head}
import { applyOne, applyOp } from './apply_op.js';
import type { Slices } from '../tensor/methods.gen.js';
import type { ${types.join(', ')} } from '../tensor/tensor.js';

/** Per axis: an index, a slice, null for a new axis, or '...' for the axes between. */
export type SliceKey = Slices;

${functionsOf(ops)}`;
}

/** Functions that maskflow/recurrent leaves out. */
export function moreOpsFile(ops) {
  const functions = functionsOf(ops);
  const used = (names) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(functions));
  const helpers = used(['applyOne', 'applyOp']).join(', ');
  const applyWith = used(['applyWith']).map(
    (name) => `import { ${name} } from './apply_with.js';\n`,
  );
  return `${head}
import { ${helpers} } from './apply_op.js';
${applyWith.join('')}import type { ${used(types).join(', ')} } from '../tensor/tensor.js';

${functions}`;
}

/** The names of all ops in files, for configs that lack the modules of ops. */
export function opNamesFile(ops) {
  return `${head}
export const opNames = new Set(
${wordLines(ops.map(({ name }) => name))}.split(' '),
);
`;
}

/**
 * Returns an op as a method of its first operand's type. `kinds` has pairs of the other operands'
 * type and the result's type.
 */
function opMethod({ exported, unreserved, short, tensors, parameters, docs, resultSuffix }, kinds) {
  const others = tensors.slice(1);
  const signatures = (others.length > 0 ? kinds : kinds.slice(0, 1)).map(([operand, result]) => {
    const list = [...others.map((tensor) => `${tensor}: ${operand}`), ...parameters].join(', ');
    return `(${list}): ${result}${resultSuffix};\n`;
  });
  return [exported, unreserved, short]
    .filter(Boolean)
    .flatMap((name) => [
      ...docs.map((line) => `  ${line}\n`),
      ...signatures.map((signature) => `  ${name}${signature.replace('SliceKey', 'Slices')}`),
    ])
    .join('');
}

/**
 * Returns the file of methods. Types of the level above are type parameters with their own names.
 */
export function methodsFile(ops) {
  const shapes = ops.map(opShape);
  const methods = (...kinds) =>
    shapes
      .filter(isMethod)
      .map((shape) => opMethod(shape, kinds))
      .join('');
  const functions = shapes.filter((shape) => !isMethod(shape)).map(({ exported }) => exported);
  return `${head}
import type { DType } from './dtype.js';

/** Public as \`ops.SliceKey\`. */
export type Slices =
  | number
  | readonly (number | null | '...' | { start?: number | null; stop?: number | null; step?: number | null })[];

/** The ops that are not methods: their first argument is not a tensor, or is a list. */
export const functionsAlone =
  '${functions.join(' ')}';

/**
 * The other ops, as methods of their first operand: \`x.add(1).relu()\` is \`ops.relu(ops.add(x,
 * 1))\`.
 */
export interface TensorMethods<Tensor, TensorLike, SymbolicTensor, Operand> {
${methods(['TensorLike', 'Tensor'], ['Operand', 'SymbolicTensor'])}}

/** The ops as methods of symbolic tensors; calling one adds a node to the graph. */
export interface SymbolicMethods<SymbolicTensor, Operand> {
${methods(['Operand', 'SymbolicTensor'])}}
`;
}
