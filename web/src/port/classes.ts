// SPDX-License-Identifier: MIT
// Classes: layers, models, losses, metrics, callbacks and plain ones.
import type { Class, Def, Param, Stmt } from './ast.js';
import { type Port, within } from './context.js';
import { functionParts, parameters } from './functions.js';
import { camel } from './identifiers.js';
import { canonical } from './paths.js';
import { block, type Doc, object, unpacking } from './print.js';
import { rowOf } from './tables.js';
import { setType, variable } from './targets.js';
import {
  type Base,
  bool,
  type ClassInfo,
  dictOf,
  type Fn,
  int,
  listOf,
  num,
  tensor,
  type Type,
} from './types.js';

const bases: readonly (readonly [RegExp, Base])[] = [
  [/^keras\.(Model|Sequential|Functional)$/, 'Model'],
  [/^keras\.Layer$|^keras\.layers\.\w+$/, 'Layer'],
  [/^keras\.losses\.Loss$/, 'Loss'],
  [/^keras\.metrics\.\w+$/, 'Metric'],
  [/^keras\.callbacks\.\w+$/, 'Callback'],
  [
    /^keras\.(regularizers\.Regularizer|constraints\.Constraint|initializers\.Initializer|schedules\.LearningRateSchedule)$/,
    'Regularizer',
  ],
  [/^keras\.utils\.(PyDataset|Sequence)$/, 'Dataset'],
];

/** Returns what is known of a class, with what it extends. */
export function infoOf(port: Port, node: Class): ClassInfo {
  let info = port.memory.classes.get(node);
  if (!info) {
    info = {
      node,
      base: 'plain',
      parent: null,
      attributes: new Map(),
      methods: new Map(),
      properties: new Set(),
      takesConfig: false,
    };
    port.memory.classes.set(node, info);
  }
  for (const { value, name } of node.bases) {
    if (name) continue;
    const { type } = port.expr(value);
    if (type?.k === 'class') {
      info.parent = type.info;
      info.base = type.info.base;
    } else if (type?.k === 'lib') {
      const path = canonical(type.path);
      info.base = bases.find(([pattern]) => pattern.test(path))?.[1] ?? info.base;
    }
  }
  for (const stmt of node.body) if (stmt.kind === 'def') addMethod(port, info, stmt);
  const init = node.body.find(
    (stmt): stmt is Def => stmt.kind === 'def' && stmt.name === '__init__',
  );
  const hasRest = init?.params.some(({ star }) => star === '**') ?? false;
  const isKeras = info.base === 'Layer' || info.base === 'Model' || info.base === 'Metric';
  info.takesConfig =
    isKeras &&
    (init ? hasRest || hasConfig(node) : (info.parent?.takesConfig ?? info.base === 'Layer'));
  return info;
}

/** A class with get_config is created from its settings. */
const hasConfig = (node: Class): boolean =>
  node.body.some((stmt) => stmt.kind === 'def' && stmt.name === 'get_config');

const decorated = (node: Def, name: string): boolean =>
  node.decorators.some((each) => each.kind === 'name' && each.id === name);

function addMethod(port: Port, info: ClassInfo, node: Def): void {
  const fn = port.fnOf(node);
  info.methods.set(node.name, fn);
  if (decorated(node, 'property')) info.properties.add(node.name);
  if (info.base !== 'plain') hintTypes(info, node, fn);
}

/** Types of the parameters that Keras passes. */
function hintTypes(info: ClassInfo, node: Def, fn: Fn): void {
  const [, first, second] = node.params;
  const set = (param: Param | undefined, type: Type): void => {
    if (param && !fn.types.has(param.name)) fn.types.set(param.name, type);
  };
  if (info.base === 'Layer' || info.base === 'Model') {
    if (node.name === 'call') {
      set(first, { k: 'inputs' });
      for (const param of node.params.slice(2)) {
        if (
          /mask|context|encoder|query|value|key|targets?|inputs?/.test(param.name) &&
          !param.value
        )
          set(param, tensor);
        if (/^mask$|_mask$/.test(param.name)) set(param, tensor);
        if (param.name === 'training') set(param, bool);
        if (param.name === 'states') set(param, listOf(tensor));
      }
    }
    if (node.name === 'compute_mask') {
      set(first, tensor);
      set(second, tensor);
    }
    if (node.name === 'build' || node.name === 'compute_output_shape') set(first, listOf(int));
    if (/^(train|test|predict)_step$/.test(node.name)) set(first, listOf(tensor));
    if (/^compute_(loss|metrics)$/.test(node.name))
      for (const param of node.params.slice(1)) set(param, tensor);
  }
  if (info.base === 'Loss' || info.base === 'Metric' || info.base === 'Regularizer') {
    if (node.name === 'call' || node.name === 'update_state' || node.name === '__call__') {
      for (const param of node.params.slice(1)) set(param, tensor);
    }
  }
  if (info.base === 'Callback') {
    set(first, node.name.includes('train') && !node.name.includes('batch') ? dictOf(num) : int);
    set(second, dictOf(num));
  }
  if (info.base === 'Dataset' && node.name === '__getitem__') set(first, int);
}

/** Writes a class. */
export function classDefinition(port: Port, node: Class): Doc[] {
  const info = infoOf(port, node);
  const name = variable(port, node.name);
  setType(port, node.name, { k: 'class', info });
  const outer = port.self;
  let lines: Doc[];
  try {
    lines = members(port, info, node);
  } finally {
    port.self = outer;
  }
  const parent = extended(port, node, info);
  return [[`class ${name}${parent} `, block(lines)], ...registrations(port, node, name)];
}

function members(port: Port, info: ClassInfo, node: Class): Doc[] {
  const lines: Doc[] = [];
  const isInit = (stmt: Stmt): stmt is Def => stmt.kind === 'def' && stmt.name === '__init__';
  const last = node.body.filter(isInit).at(-1);
  for (const stmt of node.body) {
    if (isInit(stmt) && stmt !== last) {
      port.comments.take(stmt.at, stmt.to);
      port.note(stmt.at, 'ignored', 'a later __init__ of the class replaces this one');
      continue;
    }
    const member = memberLines(port, info, stmt);
    if (member.length > 0 && lines.length > 0 && stmt.kind === 'def') lines.push('');
    lines.push(...member);
  }
  return lines;
}

function extended(port: Port, node: Class, info: ClassInfo): string {
  if (info.parent) return ` extends ${variable(port, info.parent.node.name)}`;
  const names: { readonly [base in Base]?: string } = {
    Layer: 'Layer',
    Model: 'Model',
    Metric: 'Metric',
    Callback: 'Callback',
  };
  const base = names[info.base];
  const [first] = node.bases;
  const type = first && port.expr(first.value).type;
  if (type?.k === 'lib') {
    const path = canonical(type.path);
    const [, space, own] = /^keras\.(layers)\.(\w+)$/.exec(path) ?? [];
    if (path === 'keras.Sequential') return ` extends ${port.name('Sequential')}`;
    if (space && own && own !== 'Layer' && own !== 'Wrapper') {
      const row = rowOf(space, own);
      if (row) return ` extends ${port.name(row.name, row.isTraining)}`;
      port.note(node.at, 'guess', `maskflow has no ${path}; the class extends Layer`);
    }
    if (info.base === 'plain' && path !== 'abc.ABC' && path !== 'object') {
      port.note(node.at, 'guess', `${path} has no partner; the class extends nothing`);
    }
  }
  return base ? ` extends ${port.name(base)}` : '';
}

/** `@keras.saving.register_keras_serializable(package="P")` is a call after the class. */
export function registrations(port: Port, node: Class | Def, name: string): Doc[] {
  return node.decorators.flatMap((each): Doc[] => {
    const fn = each.kind === 'call' ? each.fn : each;
    const { type } = port.expr(fn);
    if (type?.k !== 'lib') return [];
    const path = canonical(type.path);
    if (!path.endsWith('register_keras_serializable')) return [];
    const names = ['package', 'name'];
    const entries = (each.kind === 'call' ? each.args : []).map(
      (arg, i): Doc => [`${arg.name ?? names[i]}: `, within(port.expr(arg.value), 1)],
    );
    const register = port.name(node.kind === 'class' ? 'registerLayer' : 'registerFunction');
    const options: Doc[] = entries.length > 0 ? [', ', object(entries)] : [];
    return [[`${register}(${name}`, ...options, ');']];
  });
}

function memberLines(port: Port, info: ClassInfo, stmt: Stmt): Doc[] {
  if (stmt.kind === 'def') return method(port, info, stmt);
  if (stmt.kind === 'assign' && stmt.value && stmt.targets[0]?.kind === 'name') {
    const value = port.expr(stmt.value);
    const name = stmt.targets[0].id;
    if (value.type) info.attributes.set(name, value.type);
    return [
      [`static ${camel(name)} = `, value.doc, ';'],
      [`${camel(name)} = ${variable(port, info.node.name)}.${camel(name)};`],
    ];
  }
  if (stmt.kind === 'pass' || stmt.kind === 'expr')
    return port.parts.lines(port, stmt.kind === 'expr' && stmt.value.kind === 'str' ? [stmt] : []);
  if (stmt.kind === 'assign') return [];
  port.note(stmt.at, 'guess', 'a statement in the body of a class is left out');
  return [];
}

function method(port: Port, info: ClassInfo, node: Def): Doc[] {
  const fn = port.fnOf(node);
  const isStatic = decorated(node, 'staticmethod') || decorated(node, 'classmethod');
  const hasSelf = !decorated(node, 'staticmethod');
  const self = hasSelf ? node.params[0] : undefined;
  const params = node.params.slice(hasSelf ? 1 : 0);
  port.self = {
    name: self?.name ?? '',
    info,
    method: node.name,
    isClass: decorated(node, 'classmethod'),
  };
  if (node.name === '__init__') return constructorLines(port, info, node, fn, params);
  if (node.name === 'reset_states') node = { ...node, name: 'reset_state' };
  const { head, body } = functionParts(port, node, fn, params);
  const headDoc = callHead(port, info, node, params) ?? head;
  const word = isStatic ? 'static ' : decorated(node, 'property') ? 'get ' : '';
  const isAsync = fn.isAsync ? 'async ' : '';
  const name = specialName(info, node.name);
  const guarded = info.base === 'Metric' && node.name === 'result' ? guard(info, body) : body;
  return [[word, isAsync, fn.isGenerator ? '*' : '', name, headDoc, ' ', guarded]];
}

const specials: { readonly [name: string]: string } = {
  __call__: 'call',
  __len__: 'get length',
  __getitem__: 'at',
  __iter__: '*[Symbol.iterator]',
  __repr__: 'toString',
  __str__: 'toString',
};
const specialName = (info: ClassInfo, name: string): string => {
  if (info.base === 'Regularizer' && name === '__call__') return 'call';
  return Object.hasOwn(specials, name) ? (specials[name] as string) : camel(name);
};

/** The `call` of a layer has options by name: `call(inputs, { mask, training })`. */
function callHead(port: Port, info: ClassInfo, node: Def, params: readonly Param[]): Doc | null {
  const isLayer = info.base === 'Layer' || info.base === 'Model';
  if (isLayer && node.name === 'call' && params.length > 1)
    return headOf(port, params.slice(0, 1), params.slice(1));
  if (info.base === 'Model' && node.name === 'compile') return headOf(port, [], params);
  if (info.base === 'Metric' && node.name === 'update_state') {
    const tensors = params.filter(({ star, value }) => star === '' && !value);
    const rest = params.slice(tensors.length);
    return rest.length > 0 ? headOf(port, tensors, rest) : null;
  }
  return null;
}

function headOf(port: Port, first: readonly Param[], rest: readonly Param[]): Doc {
  const options = rest.flatMap((param): Doc[] => {
    const name = variable(port, param.name);
    if (param.star === '*') return [];
    if (param.star === '**') return [['...', name]];
    const key = camel(param.name);
    const value = param.value ? [' = ', within(port.expr(param.value), 1)] : [];
    return [[key === name ? name : `${key}: ${name}`, ...value]];
  });
  const hasRest = rest.some(({ star }) => star === '**');
  const items = [
    ...parameters(port, first),
    ...(options.length > 0 ? [[unpacking(object(options), hasRest), ' = {}']] : []),
  ];
  return { open: '(', items, close: ')', hasComma: false };
}

/** Keras's base class reads the result of a metric before the constructor has set its variables. */
function guard(info: ClassInfo, body: Doc): Doc {
  const [name] = [...info.attributes].find(([, type]) => type.k === 'variable') ?? [];
  if (!name || typeof body !== 'object' || !('lines' in body)) return body;
  return block([`if (!this.${camel(name)}) return 0;`, ...body.lines]);
}

/** Writes a constructor: `super` first, settings in an object if Python has `**kwargs`. */
function constructorLines(
  port: Port,
  info: ClassInfo,
  node: Def,
  fn: Fn,
  params: readonly Param[],
): Doc[] {
  const { head, body } = functionParts(port, node, fn, params);
  const isForwarding = info.base === 'Model' && params.some(({ star }) => star === '*');
  const takesSettings = info.takesConfig && !isForwarding;
  const isDerived =
    info.base === 'Layer' ||
    info.base === 'Model' ||
    info.base === 'Metric' ||
    info.base === 'Callback' ||
    info.parent !== null;
  const lines = superFirst(
    typeof body === 'object' && 'lines' in body ? body.lines : [],
    isDerived,
    info,
  );
  const hasRest = params.some(({ star }) => star === '**');
  const settings =
    hasRest || !takesSettings
      ? params
      : [
          ...params,
          { name: 'config', star: '**' as const, value: null, isKeyword: false, annotation: '' },
        ];
  const headDoc = isForwarding ? '(...args)' : takesSettings ? headOf(port, [], settings) : head;
  return [['constructor', headDoc, ' ', block(lines)]];
}

const textOf = (doc: Doc): string =>
  typeof doc === 'string'
    ? doc
    : Array.isArray(doc)
      ? doc.map(textOf).join('')
      : typeof doc === 'object' && 'open' in doc
        ? doc.open
        : '';
const isSuper = (line: Doc): boolean => textOf(line).startsWith('super(');

/** Moves the call of `super` before the first use of `this`. */
function superFirst(lines: readonly Doc[], isDerived: boolean, info: ClassInfo): Doc[] {
  const at = lines.findIndex(isSuper);
  if (!isDerived) return [...lines];
  if (at < 0)
    return [info.base === 'Metric' && !info.parent ? "super('mean');" : 'super();', ...lines];
  const first = lines.findIndex((line) => /\bthis\b/.test(textOf(line)));
  if (first < 0 || first > at) return [...lines];
  const moved = lines[at] as Doc;
  return [moved, ...lines.filter((_, i) => i !== at)];
}
