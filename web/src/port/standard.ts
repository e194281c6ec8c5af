// SPDX-License-Identifier: MIT
// Python's standard library and scikit-learn, as far as programs with models use them.
import { Absent } from './absent.js';
import type { Arg, Call } from './ast.js';
import { type Code, called, code, level, type Port, primary, within } from './context.js';
import { shuffled } from './shuffle.js';
import { mathCall } from './numpy_calls.js';
import { type Doc, list, object } from './print.js';
import { entry, pair } from './settings.js';
import { any, int, isTensor, listOf, num, str, tensor, type Type } from './types.js';

type Maker = (port: Port, call: Call) => Code;

const first = (port: Port, call: Call): Code => port.expr((call.args[0] as Arg).value);

const random = (port: Port, call: Call, doc: Doc, type: Type): Code => {
  port.note(call.at, 'random', 'random numbers differ from those of Python');
  return called(doc, type);
};

/** `train_test_split(x, y, test_size=0.2)` as slices after an optional shuffle. */
const splitCall: Maker = (port, call) => {
  const data = call.args.filter(({ name }) => !name);
  for (const { value } of data) port.admit(value);
  const arrays = data.map(({ value }) => within(port.expr(value), 1));
  const entries: Doc[] = [];
  for (const { name, value } of call.args) {
    if (name === 'test_size') entries.push(entry('testSize', port.expr(value).doc));
    else if (name === 'shuffle') entries.push(entry('shuffle', port.expr(value).doc));
    else if (name === 'random_state')
      port.note(value.at, 'random', 'train_test_split draws other rows than scikit-learn');
    else if (name) port.note(value.at, 'setting', `train_test_split: ${name} is left out`);
  }
  port.name('ops');
  port.name('random');
  const items = [list(arrays), ...(entries.length > 0 ? [object(entries)] : [])];
  return called({ open: `${port.helper('trainTestSplit')}(`, items, close: ')' }, listOf(tensor));
};

const scaler =
  (name: string): Maker =>
  (port, call) => {
    if (call.args.length > 0) port.note(call.at, 'setting', `settings of ${name} are left out`);
    port.name('ops');
    return called(`new ${port.helper(name)}()`, { k: 'scaler' });
  };

const makers: { readonly [path: string]: Maker } = {
  'random.random': (port, call) => random(port, call, 'Math.random()', num),
  'random.randint': (port, call) => {
    const [low, high] = call.args.map(({ value }) => port.expr(value)) as [Code, Code];
    const span: Doc = [
      '(',
      within(high, level.additive),
      ' - ',
      within(low, level.multiplicative),
      ' + 1)',
    ];
    return random(
      port,
      call,
      [within(low, level.additive), ' + Math.floor(Math.random() * ', span, ')'],
      int,
    );
  },
  'random.uniform': (port, call) => {
    const [low, high] = call.args.map(({ value }) => port.expr(value)) as [Code, Code];
    return random(
      port,
      call,
      [
        '(',
        within(low, level.additive),
        ' + Math.random() * (',
        within(high, level.additive),
        ' - ',
        within(low, level.multiplicative),
        '))',
      ],
      num,
    );
  },
  'random.choice': (port, call) => {
    const items = within(first(port, call), level.call);
    return random(port, call, [items, '[Math.floor(Math.random() * ', items, '.length)]'], any);
  },
  'random.shuffle': shuffled,
  'random.seed': (port, call) => {
    port.note(call.at, 'random', 'Math.random has no seed; the line is left out');
    return called('', null);
  },
  'math.pow': (port, call) => {
    const [a, b] = call.args.map(({ value }) => port.expr(value)) as [Code, Code];
    return code([within(a, level.call), ' ** ', within(b, level.power)], level.power, num);
  },
  'os.path.join': (port, call) => {
    const parts = call.args.map(({ value }) => within(port.expr(value), 1));
    return called([list(parts), ".join('/')"], str);
  },
  'copy.deepcopy': (port, call) =>
    called(['structuredClone(', first(port, call).doc, ')'], first(port, call).type),
  'time.time': () => called('Date.now() / 1000', num),
  'time.perf_counter': () => called('performance.now() / 1000', num),
  'json.dumps': (port, call) => called(['JSON.stringify(', first(port, call).doc, ')'], str),
  'json.loads': (port, call) => called(['JSON.parse(', first(port, call).doc, ')'], any),
  'warnings.filterwarnings': () => called('', null),
  'warnings.simplefilter': () => called('', null),
  'logging.disable': () => called('', null),
  'sklearn.model_selection.train_test_split': splitCall,
  'sklearn.preprocessing.StandardScaler': scaler('StandardScaler'),
  'sklearn.preprocessing.MinMaxScaler': scaler('MinMaxScaler'),
  'itertools.chain': (port, call) =>
    primary(
      list(call.args.map(({ value }): Doc => ['...', within(port.expr(value), 1)])),
      listOf(any),
    ),
  'collections.defaultdict': defaults,
  'collections.OrderedDict': (port, call) =>
    call.args[0] ? first(port, call) : primary('{}', { k: 'dict', item: null }),
  // In two pieces, because tools search the package's files for imports of Node's modules.
  'tempfile.mkdtemp': (port) => {
    const files = port.awaited(['import', "('node:fs')"], null);
    return called(['(', files.doc, ").mkdtempSync('/tmp/keras-')"], str);
  },
};

/** `defaultdict(list)`: a dictionary that creates what it lacks. */
function defaults(port: Port, call: Call): Code {
  const [arg] = call.args;
  if (!arg || call.args.length > 1) {
    if (!arg) return primary('{}', { k: 'dict', item: null });
    throw new Absent(
      'absent',
      call.at,
      'defaultdict has one argument here; add the items after it',
    );
  }
  const { value } = arg;
  const known = value.kind === 'name' && !port.scope.find(value.id) ? value.id : '';
  const makes: { readonly [name: string]: readonly [string, Type] } = {
    int: ['() => 0', int],
    float: ['() => 0', num],
    list: ['() => []', listOf(null)],
    dict: ['() => ({})', { k: 'dict', item: null }],
    set: ['() => new Set()', { k: 'set', item: null }],
    str: ["() => ''", str],
  };
  const [text, item] = Object.hasOwn(makes, known)
    ? (makes[known] as [string, Type])
    : [null, null];
  const make = text ?? within(port.expr(value), 1);
  return called([`${port.helper('defaultdict')}(`, make, ')'], { k: 'dict', item });
}

/** Translates a call of the standard library or scikit-learn; null for other names. */
export function standardCall(port: Port, path: string, call: Call): Code | null {
  const maker = Object.hasOwn(makers, path) ? makers[path] : undefined;
  if (maker) return maker(port, call);
  const [, name] = /^math\.(\w+)$/.exec(path) ?? [];
  if (!name) return null;
  const values = call.args.map(({ value }) => port.expr(value));
  if (
    name === 'sqrt' ||
    name === 'floor' ||
    name === 'ceil' ||
    name === 'log' ||
    name === 'exp' ||
    name === 'sin' ||
    name === 'cos' ||
    name === 'tanh'
  ) {
    const [value] = values;
    if (value && values.length === 1) {
      const number = isTensor(value.type) ? [within(value, level.call), '.item()'] : value.doc;
      return called([`Math.${name}(`, number, ')'], /floor|ceil/.test(name) ? int : num);
    }
  }
  if (pair(call.args, []).length === 0) return null;
  return mathCall(port, name, call);
}

const values: { readonly [path: string]: Code } = {
  'math.pi': primary('Math.PI', num),
  'math.e': primary('Math.E', num),
  'math.inf': primary('Infinity', num),
  'string.ascii_lowercase': primary("'abcdefghijklmnopqrstuvwxyz'", str),
  'string.digits': primary("'0123456789'", str),
  'string.punctuation': primary("'!\"#$%&\\'()*+,-./:;<=>?@[\\\\]^_`{|}~'", str),
  'os.sep': primary("'/'", str),
};

export const standardValue = (path: string): Code | null =>
  Object.hasOwn(values, path) ? (values[path] as Code) : null;
