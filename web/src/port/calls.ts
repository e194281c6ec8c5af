// SPDX-License-Identifier: MIT
// Calls: of functions and classes of the program, of layers, of libraries and of methods.
import { Absent, adviceFor } from './absent.js';
import type { Arg, Attr, Call, Expr, Param } from './ast.js';
import { builtin } from './builtins.js';
import { type Code, called, level, type Port, primary, within } from './context.js';
import { camel } from './identifiers.js';
import { kerasCall, kerasValue } from './keras_calls.js';
import { requireMember } from './members.js';
import { methodCall } from './methods.js';
import { numpyCall, numpyValue } from './numpy_calls.js';
import { canonical } from './paths.js';
import { type Doc, object, whole } from './print.js';
import { standardCall, standardValue } from './standard.js';
import { entry, pair, settingValue } from './settings.js';
import {
  attributeOf,
  type ClassInfo,
  findMethod,
  type Fn,
  isLayer,
  join,
  num,
  tensor,
  type Type,
} from './types.js';
import { tensorflowCall, tensorflowValue } from './tensorflow_calls.js';

/** Translates the call of a name of a library. */
export function libraryCall(port: Port, path: string, call: Call): Code {
  const name = canonical(path);
  const result =
    kerasCall(port, name, call) ??
    numpyCall(port, name, call) ??
    tensorflowCall(port, name, call) ??
    standardCall(port, name, call);
  if (result) return result;
  throw new Absent('absent', call.at, `${name} has no partner here: ${adviceFor(name)}`);
}

/** Translates a name of a library that is not called, such as `np.newaxis`. */
export function libraryValue(port: Port, path: string, at: number): Code {
  const name = canonical(path);
  const result =
    kerasValue(port, name) ??
    numpyValue(port, name, at) ??
    tensorflowValue(port, name, at) ??
    standardValue(name);
  return (
    result ?? primary(`/* ${name.replaceAll('*/', '')} */ undefined`, { k: 'lib', path: name })
  );
}

/** Translates a call. One that lacks arguments is an error in Python, too. */
export function callOf(port: Port, node: Call): Code {
  try {
    return anyCall(port, node);
  } catch (error) {
    if (error instanceof TypeError && node.args.length < 2) {
      throw new Absent('absent', node.at, 'this call lacks arguments');
    }
    throw error;
  }
}

function anyCall(port: Port, node: Call): Code {
  const { fn } = node;
  if (fn.kind === 'name' && !port.scope.find(fn.id)) {
    const result = builtin(port, fn.id, node);
    if (result) return result;
  }
  if (isSuper(fn)) return superCall(port, node);
  if (fn.kind === 'attr') {
    const owner = port.expr(fn.value);
    if (owner.type?.k === 'lib') return libraryCall(port, `${owner.type.path}.${fn.name}`, node);
    requireMember(port, fn, owner.type);
    return memberCall(port, node, fn, owner);
  }
  const callee = port.expr(fn);
  const { type } = callee;
  if (type?.k === 'lib') return libraryCall(port, type.path, node);
  if (type?.k === 'choice') return chosenCall(port, node, callee, type.paths);
  return valueCall(port, node, callee);
}

/** Calls one of several names, such as `LSTM` or `GRU`, if all of them have the same settings. */
function chosenCall(port: Port, node: Call, callee: Code, paths: readonly string[]): Code {
  const used = new Set(port.used);
  const calls = paths.map((path) => libraryCall(port, path, node));
  const [first] = calls as [Code];
  const itemsOf = ({ doc }: Code): string =>
    typeof doc === 'object' && 'items' in doc && doc.close === ')' ? whole(doc.items) : '?';
  const texts = new Set(calls.map(itemsOf));
  // The classes are named where the program chooses; only names in their settings are used here.
  for (const name of port.used) {
    const isInSettings = [...texts].some((text) => new RegExp(`\\b${name}\\b`).test(text));
    if (!used.has(name) && !isInSettings) port.used.delete(name);
  }
  if (texts.size > 1 || texts.has('?')) {
    const text = 'one of several classes with different settings is called with those of the first';
    port.note(node.at, 'guess', text);
  }
  if (typeof first.doc !== 'object' || !('items' in first.doc)) return first;
  const { items, close } = first.doc;
  return called({ open: `${joinDoc(within(callee, level.call))}(`, items, close }, first.type);
}

/** Calls a value: a function, a class, a layer. */
export function valueCall(port: Port, node: Call, callee: Code): Code {
  const { type } = callee;
  if (type?.k === 'fn') return functionCall(port, node, callee, type.fn);
  if (type?.k === 'class') return instance(port, node, callee, type.info);
  if (isLayer(type)) return layerCall(port, node, callee);
  if (type?.k === 'object') {
    const method = findMethod(type.info, '__call__') ?? findMethod(type.info, 'call');
    const target: Code = called([within(callee, level.call), '.call']);
    if (method) return functionCall(port, node, target, method);
  }
  if (type?.k === 'metric') {
    const items = [', ', ...plainArguments(port, node)];
    return called([`${port.helper('updated')}(`, callee.doc, ...items, ')'], tensor);
  }
  if (type?.k === 'schedule') {
    return called([within(callee, level.call), '.at(', ...plainArguments(port, node), ')'], num);
  }
  if (type?.k === 'loss') return lossCall(port, node, callee);
  port.admit(type?.k === 'text' ? node.args[0]?.value : undefined);
  if (type?.k === 'text')
    return called(
      [within(callee, level.call), '.apply(', ...plainArguments(port, node), ')'],
      tensor,
    );
  if (!type && port.fn && isParameter(port, node.fn) && looksLikeLayer(node))
    return layerCall(port, node, callee);
  return called([within(callee, level.call), '(', ...plainArguments(port, node), ')'], null);
}

const isParameter = (port: Port, fn: Expr): boolean =>
  fn.kind === 'name' && port.scope.parameters.has(fn.id);
const looksLikeLayer = (node: Call): boolean =>
  node.fn.kind === 'name' &&
  /layer|model|encoder|decoder|generator|discriminator|network|cell/i.test(node.fn.id);

/** Calls a loss: `loss(yTrue, yPred, { sampleWeight })`. */
function lossCall(port: Port, node: Call, callee: Code): Code {
  const args = pair(node.args, ['y_true', 'y_pred', 'sample_weight']);
  const first = args.filter(({ name }) => name === 'y_true' || name === 'y_pred');
  const ordered = ['y_true', 'y_pred'].flatMap((name) =>
    first.filter((each) => each.name === name),
  );
  const docs: Doc[] = ordered.map(({ arg }) => within(port.expr(arg.value), 1));
  const weight = args.find(({ name }) => name === 'sample_weight');
  if (weight) docs.push(object([entry('sampleWeight', port.expr(weight.arg.value).doc)]));
  return called({ open: flatHead(callee, '('), items: docs, close: ')' }, tensor);
}

const flatHead = (callee: Code, end: string): string =>
  typeof callee.doc === 'string' ? callee.doc + end : joinDoc(within(callee, level.call)) + end;

const joinDoc = (doc: Doc): string => whole(doc);

/** Arguments in their order; those with names become an object at the end. */
export function plainArguments(port: Port, node: Call): Doc[] {
  const docs: Doc[] = [];
  const named: Doc[] = [];
  for (const { name, star, value } of node.args) {
    if (star === '*') docs.push(['...', within(port.expr(value), 1)]);
    else if (star === '**') named.push(['...', within(port.expr(value), 1)]);
    else if (name) named.push(entry(camel(name), settingValue(port, name, value)));
    else docs.push(within(port.expr(value), 1));
  }
  if (named.length > 0) docs.push(object(named));
  return docs.flatMap((doc, i) => (i > 0 ? [', ', doc] : [doc]));
}

/** Orders arguments as the parameters of a function of the program. */
export function ordered(
  port: Port,
  args: readonly Arg[],
  params: readonly Param[],
  fn: Fn | null,
): Doc[] {
  const positional = params.filter(({ star, isKeyword }) => star === '' && !isKeyword);
  const docs: (Doc | undefined)[] = [];
  const extra: Doc[] = [];
  let position = 0;
  for (const { name, star, value } of args) {
    const item = port.expr(value);
    if (star === '*') docs[position++] = ['...', within(item, 1)];
    else if (star === '**') extra.push(['...', within(item, 1)]);
    else if (name) {
      const index = params.findIndex((param) => param.name === name && param.star === '');
      if (index >= 0) note(fn, name, item.type);
      if (index >= 0 && !params[index]?.isKeyword) docs[index] = within(item, 1);
      else extra.push(entry(camel(name), item.doc));
    } else {
      const param = positional[position];
      if (param) note(fn, param.name, item.type);
      docs[position++] = within(item, 1);
    }
  }
  const filled = Array.from({ length: docs.length }, (_, i) => docs[i] ?? 'undefined');
  const rest = params.some(({ star }) => star === '*');
  const hasNames = params.some(({ star, isKeyword }) => star === '**' || isKeyword);
  // The object of names is before `...args`, and otherwise the last argument.
  if (fn && rest && hasNames) {
    while (positional.length > filled.length) filled.push('undefined');
    filled.splice(positional.length, 0, object(extra));
  } else if (extra.length > 0) {
    while (positional.length > filled.length) filled.push('undefined');
    filled.push(object(extra));
  }
  return filled;
}

function note(fn: Fn | null, name: string, type: Type | null): void {
  if (fn && type) fn.types.set(name, join(fn.types.get(name), type) ?? type);
}

function functionCall(port: Port, node: Call, callee: Code, fn: Fn): Code {
  const params = fn.params.filter(({ name }, i) => !(i === 0 && name === 'self'));
  const items = ordered(port, node.args, params, fn);
  const doc: Doc = { open: `${joinDoc(within(callee, level.call))}(`, items, close: ')' };
  if (fn.isAsync && !fn.isGenerator) return port.awaited(doc, fn.result);
  return called(doc, fn.isGenerator ? { k: 'iterator', item: fn.result } : fn.result);
}

/** Creates an object of a class of the program. */
function instance(port: Port, node: Call, callee: Code, info: ClassInfo): Code {
  const init = findMethod(info, '__init__');
  const type: Type = { k: 'object', info };
  const params = init?.params.slice(1) ?? [];
  let items: Doc[];
  if (!init && info.base === 'Model') items = modelArguments(port, node);
  else if (forwards(info)) items = modelArguments(port, node);
  else if (info.takesConfig || (!init && info.base !== 'plain'))
    items = configArguments(port, node, params, init ?? null);
  else items = ordered(port, node.args, params, init ?? null);
  const doc: Doc = { open: `new ${joinDoc(callee.doc)}(`, items, close: ')' };
  if (info.base === 'Loss') {
    port.note(
      node.at,
      'default',
      'Keras gives the loss targets of [batch] as they are; here they are [batch, 1] beside predictions of [batch, 1]',
    );
    return called([`${port.helper('lossOf')}(`, doc, ')'], { k: 'loss' });
  }
  if (info.base === 'Regularizer') return called([`${port.helper('functionOf')}(`, doc, ')'], null);
  return called(doc, type);
}

/** Returns whether a class of models passes all arguments on to Model. */
export const forwards = (info: ClassInfo): boolean =>
  info.base === 'Model' &&
  (findMethod(info, '__init__')?.params.some(({ star }) => star === '*') ?? false);

function configArguments(port: Port, node: Call, params: readonly Param[], init: Fn | null): Doc[] {
  const names = params
    .filter(({ star, isKeyword }) => star === '' && !isKeyword)
    .map(({ name }) => name);
  const entries = pair(node.args, names).flatMap(({ name, arg }): Doc[] => {
    if (arg.star) return [['...', within(port.expr(arg.value), 1)]];
    if (name === null) {
      port.note(arg.value.at, 'guess', 'this argument has no name in the class; it is left out');
      return [];
    }
    note(init, name, port.expr(arg.value).type);
    return [entry(camel(name), settingValue(port, name, arg.value))];
  });
  return entries.length > 0 ? [object(entries)] : [];
}

/** Arguments of a class that extends Model without a constructor: inputs and outputs. */
function modelArguments(port: Port, node: Call): Doc[] {
  const [first] = node.args;
  if (first && !first.name && first.value.kind === 'list')
    return [within(port.expr(first.value), 1)];
  const entries = pair(node.args, ['inputs', 'outputs', 'name']).map(({ name, arg }) =>
    name
      ? entry(camel(name), port.expr(arg.value).doc)
      : (['...', within(port.expr(arg.value), 1)] as Doc),
  );
  return entries.length > 0 ? [object(entries)] : [];
}

/** Names of arguments that layers of the package accept beside their inputs. */
const attention = ['query', 'value', 'key'];

/** Calls a layer or model: `layer.apply(inputs, { mask, training })`. */
export function layerCall(port: Port, node: Call, callee: Code): Code {
  const { type } = callee;
  const own = type?.k === 'object' ? findMethod(type.info, 'call') : undefined;
  const params = own?.params.slice(1) ?? [];
  const names = own
    ? params.filter(({ star }) => star === '').map(({ name }) => name)
    : defaultNames(port, node);
  const pairs = pair(node.args, names);
  const isAttention =
    !own && pairs.filter(({ name }) => name && attention.includes(name)).length > 1;
  const inputs: Doc[] = [];
  const settings: Doc[] = [];
  for (const [i, { name, arg }] of pairs.entries()) {
    if (i === 0) port.admit(arg.value);
    const value = port.expr(arg.value);
    if (own && name) note(own, name, value.type);
    const isInput = isAttention
      ? name && attention.includes(name)
      : i === 0 && (name === null || name === names[0] || !own) && !arg.star;
    if (arg.star) settings.push(['...', within(value, 1)]);
    else if (isInput)
      inputs.push(isAttention ? entry(name as string, value.doc) : within(value, 1));
    else if (name) settings.push(entry(camel(name), value.doc));
    else
      port.note(
        arg.value.at,
        'guess',
        'a layer has one argument by position here; pass a list or names',
      );
  }
  const items = [isAttention ? object(inputs) : (inputs[0] ?? '[]')];
  if (settings.length > 0) items.push(object(settings));
  return called(
    { open: `${joinDoc(within(callee, level.call))}.apply(`, items, close: ')' },
    resultOf(type, own),
  );
}

const defaultNames = (_: Port, node: Call): string[] => {
  const positional = node.args.filter(({ name, star }) => !name && !star).length;
  const isSecondTensor = positional > 1;
  return isSecondTensor ? attention : ['inputs'];
};

function resultOf(type: Type | null, own: Fn | undefined): Type | null {
  if (own) return own.result;
  if (type?.k === 'model' && type.outputs) return type.outputs;
  if (type?.k === 'layer' || type?.k === 'model' || type?.k === 'object') return tensor;
  return null;
}

export const isSuper = (fn: Expr): boolean =>
  fn.kind === 'attr' &&
  fn.value.kind === 'call' &&
  fn.value.fn.kind === 'name' &&
  fn.value.fn.id === 'super';

/** Returns the class whose method uses `super`. */
export function superInfo(port: Port, at: number): ClassInfo {
  if (!port.self || port.self.hasSuper === false) {
    throw new Absent('absent', at, 'super() has a meaning in methods of a class only');
  }
  return port.self.info;
}

/** `super().method(…)`; the constructor is translated with its class. */
function superCall(port: Port, node: Call): Code {
  const name = (node.fn as Attr).name;
  const info = superInfo(port, node.at);
  const method = info.parent && findMethod(info.parent, name);
  if (name === '__init__') {
    if (port.self?.method !== '__init__') {
      throw new Absent('absent', node.at, 'a constructor of the parent runs in a constructor only');
    }
    return superInit(port, node);
  }
  // The package marks a layer as built itself.
  if (name === 'build' && !method) return called('', null);
  if (name === 'compile') {
    return called(['super.compile(', object(compileEntries(port, node)), ')'], null);
  }
  const items = method
    ? ordered(port, node.args, method.params.slice(1), method)
    : [plainArguments(port, node)];
  const type: Type | null =
    name === 'get_config' ? { k: 'dict', item: null } : (method?.result ?? null);
  return called(
    {
      open: `super.${camel(name)}(`,
      items: items.filter((item) => !Array.isArray(item) || item.length > 0),
      close: ')',
    },
    type,
  );
}

function namedEntries(port: Port, node: Call, names: readonly string[], fn: Fn): Doc[] {
  return pair(node.args, names).map(({ name, arg }): Doc => {
    if (!name) return ['...', within(port.expr(arg.value), 1)];
    note(fn, name, port.expr(arg.value).type);
    return entry(camel(name), settingValue(port, name, arg.value));
  });
}

export const compileNames = ['optimizer', 'loss', 'loss_weights', 'metrics', 'weighted_metrics'];
const compileEntries = (port: Port, node: Call): Doc[] =>
  pair(node.args, compileNames).map(({ name, arg }) =>
    name
      ? entry(camel(name), settingValue(port, name, arg.value))
      : (['...', within(port.expr(arg.value), 1)] as Doc),
  );

function superInit(port: Port, node: Call): Code {
  const info = port.self?.info;
  const base = info?.base;
  if (base === 'plain' && !info?.parent) return called('', null);
  if (base === 'Loss' || base === 'Regularizer' || base === 'Dataset')
    return called(info?.parent ? 'super()' : '', null);
  if (info?.parent && !info.parent.takesConfig) {
    const init = findMethod(info.parent, '__init__');
    return called(
      {
        open: 'super(',
        items: ordered(port, node.args, init?.params.slice(1) ?? [], init ?? null),
        close: ')',
      },
      null,
    );
  }
  if (info && forwards(info) && node.args.some(({ star }) => star === '*'))
    return called('super(...args)', null);
  const spread = node.args.filter(({ star }) => star === '**');
  const named = node.args.filter(({ name }) => name);
  const isConfig = spread.length === 1 && named.length === 0;
  const entries: Doc[] = named.map(({ name, value }) =>
    entry(camel(name as string), settingValue(port, name as string, value)),
  );
  if (base === 'Model' && node.args.some(({ name, star }) => !name && !star))
    entries.push(...functional(port, node));
  const rest = spread.map(({ value }): Doc => ['...', within(port.expr(value), 1)]);
  if (base === 'Metric')
    return called(['super(', "'mean', ", object([...entries, ...rest]), ')'], null);
  if (base === 'Callback') return called('super()', null);
  if (isConfig)
    return called(['super(', within(port.expr((spread[0] as Arg).value), 1), ')'], null);
  if (entries.length + rest.length === 0) return called('super()', null);
  return called(['super(', object([...entries, ...rest]), ')'], null);
}

function functional(port: Port, node: Call): Doc[] {
  return pair(
    node.args.filter(({ name, star }) => !name && !star),
    ['inputs', 'outputs', 'name'],
  ).map(({ name, arg }) => entry(name ?? 'inputs', port.expr(arg.value).doc));
}

function memberCall(port: Port, node: Call, fn: Attr, owner: Code): Code {
  const { type } = owner;
  if (type?.k === 'object' || (type?.k === 'class' && port.self)) {
    const { info } = type;
    const method = findMethod(info, fn.name);
    const target = called([within(owner, level.call), `.${camel(fn.name)}`]);
    if (method && fn.name === 'compile' && info.base === 'Model') {
      const names = method.params.slice(1).map(({ name }) => name);
      return called([target.doc, '(', object(namedEntries(port, node, names, method)), ')'], null);
    }
    if (method && fn.name !== 'call')
      return functionCall(port, node, target, { ...method, params: method.params.slice(1) });
    const attribute = attributeOf(info, fn.name);
    if (attribute && attribute.k !== 'any') {
      if (attribute.k === 'lib') return libraryCall(port, attribute.path, node);
      return valueCall(port, node, { ...target, type: attribute });
    }
  }
  if (isLayer(type) && /^(forward_layer|backward_layer|layer|cell)$/.test(fn.name)) {
    const inner = called([within(owner, level.call), `.${camel(fn.name)}`], { k: 'layer' });
    return layerCall(port, node, inner);
  }
  return methodCall(port, node, fn, owner);
}
