// SPDX-License-Identifier: MIT
// Functions that Python has without an import.
import { Absent, python2 } from './absent.js';
import type { Call, Expr } from './ast.js';
import { type Code, called, code, level, type Port, primary, within } from './context.js';
import { array, asNumber, iterable } from './operators.js';
import { type Doc, object, whole } from './print.js';
import { entry } from './settings.js';
import { lengthOf } from './subscripts.js';
import {
  any,
  bool,
  int,
  isNumber,
  isTensor,
  itemOf,
  join,
  listOf,
  num,
  str,
  tensor,
  type Type,
} from './types.js';

type Maker = (port: Port, args: readonly Code[], call: Call) => Code;

/** `range(a, b, step)` as an array. */
const range: Maker = (_, args) => {
  const [start, stop, step] = args.length === 1 ? [undefined, args[0]] : args;
  const type = listOf(int);
  if (!start)
    return called(['Array.from({ length: ', within(stop as Code, 1), ' }, (_, i) => i)'], type);
  const span: Doc = [
    within(stop as Code, level.additive),
    ' - ',
    within(start, level.multiplicative),
  ];
  if (!step) {
    const value: Doc = ['i + ', within(start, level.multiplicative)];
    return called(['Array.from({ length: ', span, ' }, (_, i) => ', value, ')'], type);
  }
  const by = within(step, level.multiplicative + 1);
  const length: Doc = ['Math.ceil((', span, ') / ', by, ')'];
  return called(
    [
      'Array.from({ length: ',
      length,
      ' }, (_, i) => ',
      within(start, level.additive),
      ' + i * ',
      by,
      ')',
    ],
    type,
  );
};

const printed: Maker = (port, args, call) => {
  const docs = args
    .filter((_, i) => !call.args[i]?.name)
    .map((item, i): Doc => {
      const star = call.args[i]?.star ? '...' : '';
      return isTensor(item.type) && item.type?.k !== 'variable'
        ? ['String(', item.doc, ')']
        : [star, within(item, 1)];
    });
  if (/^print +[^ (]/.test(port.source.slice(call.at, call.at + 99)))
    port.note(call.at, 'guess', python2);
  const names = call.args.flatMap(({ name }) => (name && name !== 'flush' ? [name] : []));
  if (names.length > 0)
    port.note(
      call.at,
      'format',
      `print: ${names.join(', ')} is left out; console.log ends each line`,
    );
  return called({ open: 'console.log(', items: docs, close: ')' }, null);
};

const extreme =
  (name: 'max' | 'min'): Maker =>
  (port, args, call) => {
    const [first] = args as [Code];
    const keyed = call.args.findIndex((arg) => arg.name === 'key');
    if (keyed >= 0) {
      const order = name === 'max' ? 'key(b) - key(a)' : 'key(a) - key(b)';
      const sorted: Doc = [
        '[...',
        array(port, first).doc,
        '].sort((a, b) => ',
        order.replaceAll('key', `(${flatText(args[keyed] as Code)})`),
        ')[0]',
      ];
      return called(sorted, itemOf(first.type));
    }
    if (args.length === 1 && isTensor(first.type))
      return called([`${port.name('ops')}.${name}(`, first.doc, ')'], tensor);
    if (args.length === 1)
      return called(
        [`Math.${name}(...`, within(iterable(port, first), 1), ')'],
        itemOf(first.type) ?? num,
      );
    const type = args.reduce<Type | null>((known, arg) => join(known, arg.type), null);
    return called(
      { open: `Math.${name}(`, items: args.map((arg) => within(asIs(arg), 1)), close: ')' },
      type ?? num,
    );
  };

const asIs = (value: Code): Code => (isTensor(value.type) ? asNumber(value) : value);
const flatText = (value: Code): string => whole(value.doc);

const sum: Maker = (port, args, call) => {
  const [first, start] = args as [Code, Code?];
  if (isTensor(first.type)) return called([`${port.name('ops')}.sum(`, first.doc, ', 0)'], tensor);
  const items = array(port, first);
  const item = itemOf(items.type);
  const by = isTensor(item) ? [`${port.name('ops')}.add(a, b)`] : ['a + b'];
  if (!isTensor(item) && !isNumber(item))
    port.note(call.at, 'guess', 'sum() is taken for a sum of numbers');
  const initial = start && !call.args[1]?.name ? start.doc : '0';
  return called(
    [within(items, level.call), '.reduce((a, b) => ', by, ', ', initial, ')'],
    item ?? num,
  );
};

const enumerated: Maker = (port, args, call) => {
  const [first, start] = args as [Code, Code?];
  const items = array(port, first);
  const offset = start ?? undefined;
  const isZero = !offset || offset.doc === '0';
  const type: Type = {
    k: 'iterator',
    item: { k: 'list', item: any, items: [int, itemOf(items.type)] },
  };
  void call;
  if (isZero) return called([within(items, level.call), '.entries()'], type);
  return called(
    [
      within(items, level.call),
      '.map((x, i) => [i + ',
      within(offset, level.multiplicative),
      ', x])',
    ],
    { k: 'list', item: type.k === 'iterator' ? type.item : null },
  );
};

const zipped: Maker = (port, args, call) => {
  const stars = call.args.some(({ star }) => star === '*');
  const items = args.map((arg, i) =>
    call.args[i]?.star ? (['...', within(arg, 1)] as Doc) : array(port, arg).doc,
  );
  const types = args.map((arg) => itemOf(arg.type));
  const row: Type = stars
    ? listOf(null)
    : { k: 'list', item: types.reduce<Type | null>((a, b) => join(a, b), null), items: types };
  return called({ open: `${port.helper('zip')}(`, items, close: ')' }, listOf(row));
};

const sorted: Maker = (port, args, call) => {
  const items = array(port, args[0] as Code);
  const key = call.args.findIndex(({ name }) => name === 'key');
  const reverse = call.args.find(({ name }) => name === 'reverse');
  const item = itemOf(items.type);
  const [a, b] = reverse ? ['b', 'a'] : ['a', 'b'];
  const f = key >= 0 ? `(${flatText(args[key] as Code)})` : '';
  const of = (name: string): string => (f ? `${f}(${name})` : name);
  const isText = item?.k === 'str' && f === '';
  const order =
    isNumber(item) && f === ''
      ? `(a, b) => ${a} - ${b}`
      : isText && !reverse
        ? ''
        : `(a, b) => ${port.helper('compare')}(${of(a)}, ${of(b)})`;
  return called(['[...', within(items, 1), '].sort(', order, ')'], listOf(item));
};

const isInstance: Maker = (port, args, call) => {
  const [value] = args as [Code];
  const node = call.args[1]?.value;
  const nodes: readonly Expr[] = node?.kind === 'tuple' ? node.items : node ? [node] : [];
  const tests = nodes.map((each): Doc => {
    const id = each.kind === 'name' ? each.id : '';
    const object_ = within(value, level.call);
    if (id === 'list' || id === 'tuple') return ['Array.isArray(', value.doc, ')'];
    if (id === 'str') return ['typeof ', object_, " === 'string'"];
    if (id === 'int') return ['Number.isInteger(', value.doc, ')'];
    if (id === 'float') return ['typeof ', object_, " === 'number'"];
    if (id === 'bool') return ['typeof ', object_, " === 'boolean'"];
    if (id === 'dict') return [object_, '?.constructor === Object'];
    const type = port.expr(each);
    if (type.type?.k === 'lib') {
      const { path } = type.type;
      const space = /^keras\.layers\.(\w+)$/.exec(path)?.[1];
      if (space) return [object_, ' instanceof ', port.name(space)];
      if (/ndarray|Tensor/.test(path)) return [object_, ' instanceof ', port.name('Tensor')];
      if (!/^keras\.(Model|Layer|Sequential)$/.test(path))
        throw new Absent('absent', call.at, `isinstance of ${path} has no partner`);
    }
    return [object_, ' instanceof ', type.doc];
  });
  const joined = tests.flatMap((test, i) => (i > 0 ? [' || ', test] : [test]));
  return code(joined, tests.length > 1 ? level.or : level.relational, bool);
};

const converted =
  (name: string, type: Type): Maker =>
  (_, args) =>
    called([name, '(', args[0]?.doc ?? '', ')'], type);

const makers: { readonly [name: string]: Maker } = {
  range,
  print: printed,
  len: (_, [value]) => lengthOf(value as Code),
  max: extreme('max'),
  min: extreme('min'),
  sum,
  enumerate: enumerated,
  zip: zipped,
  sorted,
  divmod: (port, [a, b]) =>
    called(
      [`${port.helper('divmod')}(`, (a as Code).doc, ', ', (b as Code).doc, ')'],
      listOf({ k: 'num', isInt: true }),
    ),
  isinstance: isInstance,
  abs: (port, [value]) =>
    isTensor((value as Code).type)
      ? called([`${port.name('ops')}.absolute(`, (value as Code).doc, ')'], tensor)
      : called(['Math.abs(', (value as Code).doc, ')'], (value as Code).type),
  round: (port, [value, digits]) => {
    const number = asNumber(value as Code);
    const isInt = number.type?.k === 'num' && number.type.isInt;
    if (digits && digits.type?.k !== 'none') {
      return called(
        [`${port.helper('roundTo')}(`, within(number, 1), ', ', within(digits, 1), ')'],
        isInt ? int : num,
      );
    }
    if (isInt) return number;
    return called([`${port.helper('round')}(`, number.doc, ')'], int);
  },
  pow: (port, [a, b]) =>
    code(
      [within(a as Code, level.call), ' ** ', within(b as Code, level.power)],
      level.power,
      port ? num : num,
    ),
  int: (_, [value]) => {
    if (!value) return primary('0', int);
    if (value.type?.k === 'num' && value.type.isInt) return value;
    return called(
      [
        'Math.trunc(',
        value.type?.k === 'str' ? ['Number(', value.doc, ')'] : asNumber(value).doc,
        ')',
      ],
      int,
    );
  },
  float: (port, [value]) => (value ? floatOf(port, value) : primary('0', num)),
  str: converted('String', str),
  repr: converted('String', str),
  bool: (_, [value]) =>
    isTensor(value?.type ?? null)
      ? called(['Boolean(', asNumber(value as Code).doc, ')'], bool)
      : called(['Boolean(', value?.doc ?? '', ')'], bool),
  list: (port, [value]) => (value ? copied(port, value) : primary('[]', listOf(null))),
  tuple: (port, [value]) => (value ? copied(port, value) : primary('[]', listOf(null))),
  set: (_, [value]) =>
    called(['new Set(', value?.doc ?? '', ')'], { k: 'set', item: itemOf(value?.type ?? null) }),
  reversed: (port, [value]) =>
    called(
      ['[...', within(iterable(port, value as Code), 1), '].reverse()'],
      listOf(itemOf((value as Code).type)),
    ),
  map: (port, [fn, value]) =>
    called(
      [
        within(array(port, value as Code), level.call),
        '.map((x) => ',
        within(fn as Code, level.call),
        '(x))',
      ],
      listOf(fn?.type?.k === 'fn' ? fn.type.fn.result : null),
    ),
  filter: (port, [fn, value]) =>
    called(
      [
        within(array(port, value as Code), level.call),
        '.filter((x) => ',
        within(fn as Code, level.call),
        '(x))',
      ],
      listOf(itemOf(value?.type ?? null)),
    ),
  any: (port, [value]) =>
    called([within(array(port, value as Code), level.call), '.some(Boolean)'], bool),
  all: (port, [value]) =>
    called([within(array(port, value as Code), level.call), '.every(Boolean)'], bool),
  iter: (_, [value]) =>
    called([within(value as Code, level.call), '[Symbol.iterator]()'], value?.type ?? null),
  next: (_, [value]) =>
    called([within(value as Code, level.call), '.next().value'], itemOf(value?.type ?? null)),
  hasattr: (_, [value, name]) =>
    code(
      [within(name as Code, level.relational), ' in ', within(value as Code, level.relational + 1)],
      level.relational,
      bool,
    ),
  callable: (_, [value]) =>
    code(['typeof ', within(value as Code, level.unary), " === 'function'"], level.equality, bool),
  chr: (_, [value]) => called(['String.fromCodePoint(', (value as Code).doc, ')'], str),
  ord: (_, [value]) => called([within(value as Code, level.call), '.codePointAt(0)'], int),
  type: (_, [value]) => called([within(value as Code, level.call), '.constructor'], null),
};

function floatOf(port: Port, value: Code): Code {
  const [, sign, word] = /^'\s*([-+]?)(inf(?:inity)?|nan)\s*'$/i.exec(String(value.doc)) ?? [];
  if (word) return primary(/nan/i.test(word) ? 'NaN' : `${sign === '-' ? '-' : ''}Infinity`, num);
  return isNumber(value.type) || isTensor(value.type)
    ? asNumber(value)
    : called([`${port.helper('toFloat')}(`, value.doc, ')'], num);
}

function copied(port: Port, value: Code): Code {
  const items = iterable(port, value);
  if (isTensor(value.type)) return items;
  if (typeof items.doc === 'object' && items.type?.k === 'list' && items.prec === level.call)
    return items;
  return primary(['[...', within(items, 1), ']'], { k: 'list', item: itemOf(items.type) });
}

const dictionary = (port: Port, args: readonly Code[], call: Call): Code => {
  const entries = call.args.map(({ name, star, value }, i): Doc => {
    const item = args[i] as Code;
    if (name) return entry(name, item.doc);
    if (star === '**' || item.type?.k === 'dict') return ['...', within(item, 1)];
    return ['...Object.fromEntries(', port.expr(value).doc, ')'];
  });
  const types = args.reduce<Type | null>(
    (known, arg) => join(known, arg.type?.k === 'dict' ? arg.type.item : arg.type),
    null,
  );
  return primary(object(entries), { k: 'dict', item: types });
};

const refused = new Set([
  'open',
  'input',
  'exec',
  'eval',
  'compile',
  '__import__',
  'globals',
  'locals',
  'vars',
  'getattr',
  'setattr',
  'delattr',
  'memoryview',
  'bytes',
  'bytearray',
  'complex',
]);

/** Translates `getattr(x, 'name')` and `getattr(x, '_keras_mask', None)`; null for others. */
function attributeOf(port: Port, { args, at }: Call): Code | null {
  const [object_, name, other] = args;
  const text = name?.value.kind === 'str' ? name.value.value : null;
  const isNone = other?.value.kind === 'const' && other.value.value === null;
  const isMask = text === '_keras_mask';
  if (!object_ || !/^[A-Za-z_]\w*$/.test(text ?? '')) return null;
  if (other && !(isNone && isMask)) return null;
  return port.expr({ kind: 'attr', value: object_.value, name: text as string, at } as Expr);
}

/** Translates the call of a function that is built in; null for other names. */
export function builtin(port: Port, name: string, call: Call): Code | null {
  const attribute = name === 'getattr' ? attributeOf(port, call) : null;
  if (attribute) return attribute;
  if (refused.has(name))
    throw new Absent(
      'absent',
      call.at,
      `${name}() has no partner here; write this part in JavaScript`,
    );
  const maker = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (!maker && name !== 'dict') return null;
  const args = call.args.map(({ value }) =>
    name === 'isinstance' && value !== call.args[0]?.value ? primary('') : port.expr(value),
  );
  if (name === 'dict') return dictionary(port, args, call);
  return (maker as Maker)(port, args, call);
}
