// SPDX-License-Identifier: MIT
// Calls of methods: of tensors, models, layers, texts, lists and dictionaries.
import type { Attr, Call, Field } from './ast.js';
import { type Code, called, code, level, type Port, primary, within } from './context.js';
import { camel } from './identifiers.js';
import { fitted } from './model_methods.js';
import { dtypeOf } from './numpy_calls.js';
import { opOfRow } from './op_calls.js';
import { array } from './operators.js';
import { type Doc, list, object, whole } from './print.js';
import { pair, settingValue, entry } from './settings.js';
import { ofDict } from './subscripts.js';
import { rowOf } from './tables.js';
import {
  any,
  bool,
  dictOf,
  int,
  isTensor,
  itemOf,
  join,
  listOf,
  num,
  str,
  tensor,
  type Type,
} from './types.js';

/** A call of a method: the value, its code as an object, and the arguments. */
export interface Method {
  readonly port: Port;
  readonly owner: Code;
  readonly object: Doc;
  readonly args: readonly Code[];
  readonly call: Call;
}
type Maker = (method: Method) => Code;

const docs = (args: readonly Code[]): Doc[] =>
  args.flatMap((arg, i): Doc[] => (i > 0 ? [', ', within(arg, 1)] : [within(arg, 1)]));
const renamed =
  (name: string, type: Type | null): Maker =>
  ({ object: target, args }) =>
    called([target, `.${name}(`, ...docs(args), ')'], type);

/** `x.reshape(2, 3)` and `x.reshape((2, 3))`. */
const shaped =
  (name: string): Maker =>
  ({ port, owner, object: target, args }) => {
    const [first] = args;
    const isOne = args.length === 1 && first?.type?.k !== 'num';
    const shape: Doc = isOne && first ? first.doc : list(args.map((arg) => within(arg, 1)));
    if (owner.type?.k === 'tensor') return called([target, `.${name}(`, shape, ')'], tensor);
    return called([`${port.name('ops')}.${name}(`, owner.doc, ', ', shape, ')'], tensor);
  };

const ofTensor: { readonly [name: string]: Maker } = {
  reshape: shaped('reshape'),
  astype: ({ port, object: target, call }) =>
    called(
      [target, '.cast(', dtypeOf(port, (call.args[0] as Call['args'][number]).value), ')'],
      tensor,
    ),
  flatten: ({ object: target }) => called([target, '.reshape([-1])'], tensor),
  ravel: ({ object: target }) => called([target, '.reshape([-1])'], tensor),
  tolist: ({ object: target }) => called([target, '.array()'], listOf(null)),
  numpy: ({ owner, object: target }) =>
    owner.type?.k === 'variable' ? called([target, '.value'], tensor) : owner,
  copy: ({ owner }) => owner,
  item: ({ object: target }) => called([target, '.item()'], num),
  get_shape: ({ object: target }) => called([target, '.shape'], listOf(int)),
  set_shape: () => called('', null),
  transpose: ({ object: target, args }) =>
    called(
      [
        target,
        '.transpose(',
        args.length > 1 ? list(args.map((arg) => arg.doc)) : (args[0]?.doc ?? ''),
        ')',
      ],
      tensor,
    ),
  dot: renamed('matmul', tensor),
  assign: renamed('assign', null),
  assign_add: renamed('assignAdd', null),
  assign_sub: renamed('assignSub', null),
};

/** Translates a method of a tensor: an op, or one of NumPy's. */
function tensorMethod(method: Method, name: string): Code | null {
  const { port, owner, call } = method;
  const maker = Object.hasOwn(ofTensor, name) ? ofTensor[name] : undefined;
  if (maker) return maker(method);
  const row = rowOf('ops', name);
  if (!row) return null;
  const self = { name: null, star: '' as const, value: (call.fn as Attr).value };
  const result = opOfRow(port, row, { ...call, args: [self, ...call.args] });
  // The first operand of the function is the object of the method.
  if (
    owner.type?.k !== 'tensor' ||
    !row.isMethod ||
    typeof result.doc !== 'object' ||
    !('open' in result.doc)
  )
    return result;
  const { open, items, close } = result.doc;
  return called(
    { open: `${textOf(method.object)}.${open.slice('ops.'.length)}`, items: items.slice(1), close },
    result.type,
  );
}
const textOf = (doc: Doc): string => whole(doc);

const ofText: { readonly [name: string]: Maker } = {
  lower: renamed('toLowerCase', str),
  upper: renamed('toUpperCase', str),
  startswith: renamed('startsWith', bool),
  endswith: renamed('endsWith', bool),
  replace: renamed('replaceAll', str),
  find: renamed('indexOf', int),
  index: renamed('indexOf', int),
  title: ({ object: target }) =>
    called([target, '.replace(/\\b\\w/g, (c) => c.toUpperCase())'], str),
  strip: (method) => stripped(method, 'trim'),
  lstrip: (method) => stripped(method, 'trimStart'),
  rstrip: (method) => stripped(method, 'trimEnd'),
  split: ({ object: target, args }) =>
    args.length === 0
      ? called([target, '.trim().split(/\\s+/)'], listOf(str))
      : called([target, '.split(', (args[0] as Code).doc, ')'], listOf(str)),
  splitlines: ({ object: target }) => called([target, '.split(/\\r?\\n/)'], listOf(str)),
  join: ({ port, object: target, args }) =>
    called([within(array(port, args[0] as Code), level.call), '.join(', target, ')'], str),
  isdigit: ({ object: target }) => called(['/^\\d+$/.test(', target, ')'], bool),
  isalpha: ({ object: target }) => called(['/^\\p{L}+$/u.test(', target, ')'], bool),
  isspace: ({ object: target }) => called(['/^\\s+$/.test(', target, ')'], bool),
  count: ({ object: target, args }) =>
    code([target, '.split(', (args[0] as Code).doc, ').length - 1'], level.additive, int),
  zfill: ({ object: target, args }) =>
    called([target, '.padStart(', (args[0] as Code).doc, ", '0')"], str),
  ljust: renamed('padEnd', str),
  rjust: renamed('padStart', str),
  encode: ({ owner }) => owner,
  decode: ({ owner }) => owner,
  format: ({ port, call }) => template(port, call),
};

function stripped({ port, object: target, args, call }: Method, name: string): Code {
  if (args.length > 0)
    port.note(call.at, 'guess', 'strip() of other characters than blanks is taken for trim()');
  return called([target, `.${name}()`], str);
}

/** `'{} {:.2f}'.format(a, b)` as a template. */
function template(port: Port, call: Call): Code {
  const text = (call.fn as Attr).value;
  if (text.kind !== 'str') {
    port.note(call.at, 'guess', 'format() of a text that is not a literal is left out');
    return port.expr(text);
  }
  let index = 0;
  const parts = text.value.split(/(\{[^{}]*\})/).flatMap((piece): (string | Field)[] => {
    const [all, name = '', spec = ''] = /^\{(\w*)(![rs])?(?::([^}]*))?\}$/.exec(piece) ?? [];
    if (!all) return piece ? [piece.replaceAll('{{', '{').replaceAll('}}', '}')] : [];
    const position = name === '' ? index++ : Number(name);
    const arg = Number.isNaN(position)
      ? call.args.find((each) => each.name === name)
      : call.args[position];
    const format = /:([^}]*)\}$/.exec(piece)?.[1] ?? spec;
    return arg ? [{ value: arg.value, spec: format ? `:${format}` : '', label: '' }] : [];
  });
  return port.expr({ kind: 'fstr', parts, at: call.at });
}

const ofList: { readonly [name: string]: Maker } = {
  append: ({ port, owner, object: target, args, call }) => {
    grow(port, (call.fn as Attr).value, owner, args[0]?.type ?? null);
    return called([target, '.push(', ...docs(args), ')'], null);
  },
  extend: ({ port, owner, object: target, args, call }) => {
    grow(port, (call.fn as Attr).value, owner, itemOf(args[0]?.type ?? null));
    return called([target, '.push(...', within(args[0] as Code, 1), ')'], null);
  },
  insert: ({ object: target, args: [at, value] }) =>
    called([target, '.splice(', (at as Code).doc, ', 0, ', within(value as Code, 1), ')'], null),
  pop: ({ owner, object: target, args }) => {
    const type = itemOf(owner.type);
    if (args.length === 0) return called([target, '.pop()'], type);
    return called([target, '.splice(', (args[0] as Code).doc, ', 1)[0]'], type);
  },
  remove: ({ object: target, args }) =>
    called([target, '.splice(', target, '.indexOf(', (args[0] as Code).doc, '), 1)'], null),
  index: renamed('indexOf', int),
  count: ({ object: target, args }) =>
    called(
      [target, '.filter((x) => x === ', within(args[0] as Code, level.equality), ').length'],
      int,
    ),
  copy: ({ owner }) => primary(['[...', within(owner, 1), ']'], owner.type),
  clear: ({ object: target }) => code([target, '.length = 0'], level.arrow, null),
  reverse: renamed('reverse', null),
  sort: ({ owner, object: target }) =>
    called([target, '.sort(', itemOf(owner.type)?.k === 'num' ? '(a, b) => a - b' : '', ')'], null),
};

/** Records what a list holds. */
function grow(port: Port, node: Attr['value'], owner: Code, item: Type | null): void {
  const type = listOf(join(itemOf(owner.type), item));
  if (node.kind === 'name') {
    const scope = port.scope.find(node.id);
    scope?.types.set(node.id, type);
    scope?.last.set(node.id, type);
  } else if (
    node.kind === 'attr' &&
    node.value.kind === 'name' &&
    node.value.id === port.self?.name
  ) {
    port.self.info.attributes.set(node.name, type);
  }
}

const itemType = (owner: Code): Type | null => (owner.type?.k === 'dict' ? owner.type.item : null);
const keyType = (owner: Code): Type =>
  owner.type?.k === 'dict' && owner.type.hasNumbers ? int : str;

const ofDictionary: { readonly [name: string]: Maker } = {
  items: ({ owner }) => {
    const row: Type = {
      k: 'list',
      item: join(str, itemType(owner)),
      items: [keyType(owner), itemType(owner)],
    };
    // Keys of objects are texts.
    const numbers = keyType(owner) === int ? '.map(([key, value]) => [Number(key), value])' : '';
    return called(['Object.entries(', owner.doc, `)${numbers}`], listOf(row));
  },
  keys: ({ owner }) => {
    const numbers = keyType(owner) === int ? '.map(Number)' : '';
    return called(['Object.keys(', owner.doc, `)${numbers}`], listOf(keyType(owner)));
  },
  values: ({ owner }) => called(['Object.values(', owner.doc, ')'], listOf(itemType(owner))),
  get: ({ port, owner, args: [, fallback], call }) => {
    const key = (call.args[0] as Call['args'][number]).value;
    const value = ofDict(port, owner, key, itemType(owner));
    if (!fallback) return value;
    return code(
      [within(value, level.nullish), ' ?? ', within(fallback, level.nullish + 1)],
      level.nullish,
      join(value.type, fallback.type),
    );
  },
  update: ({ port, owner, args, call }) => {
    const named = call.args
      .filter(({ name }) => name)
      .map(({ name, value }) => entry(name as string, port.expr(value).doc));
    const rest = call.args.flatMap(({ name }, i) => (name ? [] : [within(args[i] as Code, 1)]));
    const items = [...rest, ...(named.length > 0 ? [object(named)] : [])];
    return called({ open: 'Object.assign(', items: [owner.doc, ...items], close: ')' }, null);
  },
  copy: ({ owner }) => primary(['{ ...', within(owner, 1), ' }'], owner.type),
  pop: ({ port, owner, call }) => {
    const key = (call.args[0] as Call['args'][number]).value;
    return called(
      [`${port.helper('popKey')}(`, owner.doc, ', ', port.expr(key).doc, ')'],
      itemType(owner),
    );
  },
  setdefault: ({ port, owner, args: [, fallback], call }) => {
    const value = ofDict(
      port,
      owner,
      (call.args[0] as Call['args'][number]).value,
      itemType(owner),
    );
    return called(
      ['(', value.doc, ' ??= ', fallback ? within(fallback, 1) : 'null', ')'],
      fallback?.type ?? null,
    );
  },
};

const ofSet: { readonly [name: string]: Maker } = {
  add: renamed('add', null),
  remove: renamed('delete', null),
  discard: renamed('delete', null),
  update: ({ object: target, args }) =>
    called(['for (const x of ', within(args[0] as Code, 1), ') ', target, '.add(x)'], null),
};

const ofAnything: { readonly [name: string]: Maker } = {
  items: ofDictionary['items'] as Maker,
  keys: ofDictionary['keys'] as Maker,
  append: ofList['append'] as Maker,
  lower: ofText['lower'] as Maker,
  upper: ofText['upper'] as Maker,
  strip: ofText['strip'] as Maker,
  split: ofText['split'] as Maker,
  startswith: ofText['startswith'] as Maker,
  endswith: ofText['endswith'] as Maker,
  tolist: ofTensor['tolist'] as Maker,
  astype: ofTensor['astype'] as Maker,
  numpy: ({ owner }) => owner,
  assign: ofTensor['assign'] as Maker,
  assign_add: ofTensor['assign_add'] as Maker,
  assign_sub: ofTensor['assign_sub'] as Maker,
};

/** Members of layers and models whose results are known. */
const memberTypes: { readonly [name: string]: Type } = {
  get_layer: { k: 'layer' },
  get_weights: listOf(tensor),
  get_config: dictOf(null),
  count_params: int,
  compute_mask: tensor,
  from_config: { k: 'layer' },
  add_weight: { k: 'variable' },
  result: tensor,
  compute_loss: tensor,
  transform: tensor,
  fit_transform: tensor,
  inverse_transform: tensor,
  get_metrics_result: dictOf(num),
  get_vocabulary: listOf(str),
  texts_to_sequences: listOf(listOf(int)),
};

/** Methods that refuse undefined. */
const takesTexts = /^(adapt|fit_on_texts|texts_to_sequences|fit_transform|transform)$/;

const tables: { readonly [kind: string]: { readonly [name: string]: Maker } } = {
  str: ofText,
  list: ofList,
  dict: ofDictionary,
  set: ofSet,
};

/** Translates the call of a method. */
export function methodCall(port: Port, call: Call, fn: Attr, owner: Code): Code {
  const { k } = owner.type ?? any;
  const model = fitted(port, call, fn.name, owner);
  if (model) return model;
  if (fn.name === 'apply_gradients') {
    return appliedGradients(port, within(owner, level.call), call);
  }
  if (takesTexts.test(fn.name)) for (const { value } of call.args) port.admit(value);
  const args = call.args.map(({ value }) => port.expr(value));
  const method: Method = { port, owner, object: within(owner, level.call), args, call };
  if (k === 'weight' && /^(assign|assign_add|assign_sub|numpy|value)$/.test(fn.name)) {
    port.memory.hasWeights.value = true;
  }
  const table = k === 'any' || k === 'weight' || !owner.type ? ofAnything : tables[k];
  const maker = table && Object.hasOwn(table, fn.name) ? table[fn.name] : undefined;
  if (maker) return maker(method);
  if (isTensor(owner.type)) {
    const result = tensorMethod(method, fn.name);
    if (result) return result;
  }
  if (k === 'tape') return called('', null);
  return otherMethod(method, fn.name);
}

/** Names of the first arguments of methods that have them by position here. */
const firstNames: { readonly [name: string]: readonly string[] } = {
  get_layer: ['name', 'index'],
  compute_mask: ['inputs', 'mask'],
  set_weights: ['weights'],
  build: ['input_shape'],
  add: ['layer'],
  add_loss: ['loss'],
  update_state: ['y_true', 'y_pred'],
  apply: ['grads', 'trainable_variables'],
  adapt: ['data'],
  from_config: ['config'],
  texts_to_matrix: ['texts', 'mode'],
  texts_to_sequences: ['texts'],
  fit_on_texts: ['texts'],
  load_weights: ['filepath'],
  assign: ['value'],
};

const promises = new Set([
  'save',
  'save_weights',
  'load_weights',
  'fit',
  'train_on_batch',
  'test_on_batch',
]);

function otherMethod({ port, owner, object: target, call }: Method, name: string): Code {
  const first = Object.hasOwn(firstNames, name) ? (firstNames[name] as readonly string[]) : [];
  const items: Doc[] = [];
  const entries: Doc[] = [];
  if (name === 'compute_loss') return computedLoss(port, target, call);
  if (name === 'update_state' && call.args.length > 2) return updatedState(port, target, call);
  if (name === 'add_weight' || name === 'add_variable') return weight(port, target, call, owner);
  for (const each of pair(call.args, first)) {
    const { arg } = each;
    const index = each.name ? first.indexOf(each.name) : -1;
    if (arg.star === '*') items.push(['...', within(port.expr(arg.value), 1)]);
    else if (arg.star === '**') entries.push(['...', within(port.expr(arg.value), 1)]);
    else if (each.name && index < 0) {
      if (each.name !== 'by_name' && each.name !== 'skip_mismatch' && each.name !== 'overwrite')
        entries.push(entry(camel(each.name), settingValue(port, each.name, arg.value)));
    } else if (index >= 0) items[index] = within(port.expr(arg.value), 1);
    else items.push(within(port.expr(arg.value), 1));
  }
  const filled = Array.from({ length: items.length }, (_, i): Doc => items[i] ?? 'undefined');
  if (name === 'get_layer' && items.length > 1) filled.splice(0, 1);
  if (entries.length > 0) filled.push(object(entries));
  const type = (Object.hasOwn(memberTypes, name) ? memberTypes[name] : undefined) ?? null;
  const doc: Doc = { open: `${textOf(target)}.${camel(name)}(`, items: filled, close: ')' };
  return promises.has(name) ? port.awaited(doc, type) : called(doc, type);
}

/** `apply_gradients(zip(gradients, variables))`. */
function appliedGradients(port: Port, target: Doc, call: Call): Code {
  const [pairs] = call.args;
  const zip = pairs?.value;
  const isZip = zip?.kind === 'call' && zip.fn.kind === 'name' && zip.fn.id === 'zip';
  const items = isZip
    ? zip.args.map(({ value }) => within(port.expr(value), 1))
    : [['...', port.helper('zip'), '(...', pairs ? within(port.expr(pairs.value), 1) : '[]', ')']];
  return called({ open: `${textOf(target)}.apply(`, items, close: ')' }, null);
}

/** `compute_loss(y=y, y_pred=p)`: options are by position here. */
function computedLoss(port: Port, target: Doc, call: Call): Code {
  const pairs = pair(call.args, ['x', 'y', 'y_pred', 'sample_weight', 'training']);
  const docOf = (name: string): Doc | null => {
    const found = pairs.find((each) => each.name === name);
    return found ? within(port.expr(found.arg.value), 1) : null;
  };
  const [x, y, yPred, weight] = ['x', 'y', 'y_pred', 'sample_weight'].map(docOf);
  const items: Doc[] = x
    ? [x, y ?? 'null', yPred ?? 'null', weight ?? 'null']
    : [y ?? 'null', yPred ?? 'null', ...(weight ? [object([entry('sampleWeight', weight)])] : [])];
  return called({ open: `${textOf(target)}.computeLoss(`, items, close: ')' }, tensor);
}

/** `update_state(y, p, w)`: the weights have a name here. */
function updatedState(port: Port, target: Doc, call: Call): Code {
  const pairs = pair(call.args, ['y_true', 'y_pred', 'sample_weight']);
  const items = pairs.flatMap(({ name, arg }): Doc[] =>
    name === 'sample_weight' ? [] : [within(port.expr(arg.value), 1)],
  );
  const weight = pairs.find(({ name }) => name === 'sample_weight');
  if (weight) items.push(object([entry('sampleWeight', port.expr(weight.arg.value).doc)]));
  return called({ open: `${textOf(target)}.updateState(`, items, close: ')' }, null);
}

const weightNames = [
  'shape',
  'initializer',
  'dtype',
  'trainable',
  'autocast',
  'regularizer',
  'constraint',
  'aggregation',
  'overwrite_with_gradient',
  'name',
];
const weightOptions = new Set([
  'shape',
  'initializer',
  'dtype',
  'trainable',
  'regularizer',
  'constraint',
  'name',
]);

function weight(port: Port, target: Doc, call: Call, owner: Code): Code {
  const names =
    call.args[0] && !call.args[0].name && call.args[0].value.kind === 'str'
      ? ['name', ...weightNames]
      : weightNames;
  const isMetric = owner.type?.k === 'object' && owner.type.info.base === 'Metric';
  const entries = pair(call.args, names).flatMap(({ name, arg }): Doc[] => {
    if (!name) return arg.star ? [['...', within(port.expr(arg.value), 1)]] : [];
    if (!weightOptions.has(name)) {
      port.note(arg.value.at, 'ignored', `addWeight: ${name} is left out; it has no meaning here`);
      return [];
    }
    const value = settingValue(port, name, arg.value);
    return [
      entry(
        camel(name),
        name === 'shape' && port.expr(arg.value).type?.k === 'num' ? list([value]) : value,
      ),
    ];
  });
  if (!isMetric) return called([target, '.addWeight(', object(entries), ')'], { k: 'variable' });
  const hasShape = call.args.some(({ name }) => name === 'shape');
  const shape = hasShape ? [] : [entry('shape', '[]')];
  return called([`new ${port.name('Variable')}(`, object([...shape, ...entries]), ')'], {
    k: 'variable',
  });
}
