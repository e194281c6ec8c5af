// SPDX-License-Identifier: MIT
// Names of Keras: layers, models, losses, metrics, optimizers, callbacks, ops and tools.
import { Absent } from './absent.js';
import type { Arg, Call, Expr } from './ast.js';
import { backendCall, backendValue } from './keras_backend.js';
import { callbackCall } from './keras_callbacks.js';
import { type Code, called, level, type Port, primary, within } from './context.js';
import { camel } from './identifiers.js';
import { opCall, randomCall } from './op_calls.js';
import { type Doc, list, object, parens } from './print.js';
import { quoted } from './strings.js';
import { entry, options, pair, settingValue, targetOf } from './settings.js';
import { factory, rowOf } from './tables.js';
import { any, isTensor, listOf, tensor, type Type } from './types.js';

const results: { readonly [space: string]: Type } = {
  layers: { k: 'layer' },
  losses: { k: 'loss' },
  metrics: { k: 'metric' },
  optimizers: { k: 'optimizer' },
  schedules: { k: 'schedule' },
};

/** Classes that maskflow/text has. */
const textClasses: { readonly [name: string]: readonly string[] } = {
  TextVectorization: [
    'max_tokens',
    'standardize',
    'split',
    'ngrams',
    'output_mode',
    'output_sequence_length',
    'pad_to_max_tokens',
    'vocabulary',
    'idf_weights',
    'ragged',
    'encoding',
    'name',
  ],
  StringLookup: [
    'max_tokens',
    'num_oov_indices',
    'mask_token',
    'oov_token',
    'vocabulary',
    'idf_weights',
    'invert',
    'output_mode',
    'pad_to_max_tokens',
    'name',
  ],
  IntegerLookup: [
    'max_tokens',
    'num_oov_indices',
    'mask_token',
    'oov_token',
    'vocabulary',
    'vocabulary_dtype',
    'idf_weights',
    'invert',
    'output_mode',
    'name',
  ],
  Hashing: ['num_bins', 'mask_value', 'salt', 'output_mode', 'name'],
  HashedCrossing: ['num_bins', 'output_mode', 'name'],
  Tokenizer: ['num_words', 'filters', 'lower', 'split', 'char_level', 'oov_token'],
};

const row = (names: readonly string[]) =>
  names.map((name) => ({ name, isAbsent: false, isOptional: true }));

/** Names of Keras that copy layers by their settings. */
const copies = /Bidirectional|clone_model|from_config|load_model/;

/** Translates a call of a class with settings: `layers.lstm({ units: 4 })`. */
function created(port: Port, space: string, name: string, call: Call): Code | null {
  // A loss is a metric, too.
  const found = rowOf(space, name) ?? (space === 'metrics' ? rowOf('losses', name) : undefined);
  if (!found) return null;
  const head = `${port.name(space, found.isTraining)}.${factory(found.name)}`;
  const type: Type =
    space === 'layers' ? { k: 'layer', name: found.name } : (results[space] ?? any);
  const isFunction =
    (space === 'losses' || space === 'metrics') && /^[a-z]/.test(name) && call.args.length > 0;
  if (isFunction)
    return measured(
      port,
      head,
      call,
      found.settings.map((each) => each.name),
    );
  const isScaled = found.name === 'Identity' && space === 'initializers' && call.args.length > 0;
  if (isScaled && copies.test(port.source)) {
    const text =
      'Keras 3.15 forgets the gain of Identity where it copies a layer, as Bidirectional does';
    port.note(call.at, 'default', text);
  }
  const [only] = call.args;
  if (/^L[12]$/.test(found.name) && only && call.args.length === 1) {
    return called([`${head}(`, within(port.expr(only.value), 1), ')'], type);
  }
  const entries = options(port, embeddingShape(found.name, call), targetOf(space, found));
  return called(
    { open: `${head}(`, items: entries.length > 0 ? [object(entries)] : [], close: ')' },
    type,
  );
}

/** `Dense(64, input_dim=8)` of Keras 2 is a shape here. */
function embeddingShape(name: string, call: Call): Call {
  const settings = rowOf('layers', name)?.settings.map((each) => each.name) ?? [];
  if (settings.includes('input_dim')) return call;
  const args = call.args.map((arg): Arg => {
    if (arg.name !== 'input_dim') return arg;
    const { value } = arg;
    return { ...arg, name: 'input_shape', value: { kind: 'list', items: [value], at: value.at } };
  });
  return { ...call, args };
}

/** `keras.losses.mean_squared_error(y, p)`. */
function measured(port: Port, head: string, call: Call, names: readonly string[]): Code {
  const items: Doc[] = [];
  const entries: Doc[] = [];
  for (const { name, arg } of pair(call.args, ['y_true', 'y_pred', ...names])) {
    if (name === 'y_true' || name === 'y_pred') items.push(within(port.expr(arg.value), 1));
    else if (name) entries.push(entry(camel(name), settingValue(port, name, arg.value)));
  }
  if (entries.length > 0) return called([`${head}(`, object(entries), ')', parens(items)], tensor);
  return called({ open: `${head}(`, items, close: ')' }, tensor);
}

/** `layers.add([a, b])` and `layers.concatenate([a, b], axis=1)`. */
function merged(port: Port, name: string, call: Call): Code | null {
  const found = rowOf('layers', name);
  if (!found || !/^[a-z]/.test(name)) return null;
  const [first, ...rest] = call.args;
  const entries = options(port, { ...call, args: rest }, targetOf('layers', found));
  const inputs = first ? within(port.expr(first.value), 1) : '[]';
  const layer = [
    `${port.name('layers')}.${factory(found.name)}(`,
    ...(entries.length > 0 ? [object(entries)] : []),
    ')',
  ];
  return called([layer, '.apply(', inputs, ')'], tensor);
}

function namedCall(
  port: Port,
  head: string,
  call: Call,
  names: readonly string[],
  type: Type,
): Code {
  const entries = options(port, call, {
    label: head.replace(/^new |\($/g, ''),
    settings: row(names),
    others: [],
  });
  return called(
    { open: `${head}(`, items: entries.length > 0 ? [object(entries)] : [], close: ')' },
    type,
  );
}

type Maker = (port: Port, call: Call) => Code;

const modelNames = ['inputs', 'outputs', 'name', 'trainable'];

/** A model remembers whether its outputs are a list or a dictionary. */
const modelCall: Maker = (port, call) => {
  const given = pair(call.args, modelNames).find(({ name }) => name === 'outputs')?.arg.value;
  const outputs = given ? port.expr(given).type : null;
  const isOne = given?.kind === 'list' && given.items.length === 1;
  const hasSeveral = !isOne && (outputs?.k === 'list' || outputs?.k === 'dict');
  const type: Type = hasSeveral ? { k: 'model', outputs: withTensors(outputs) } : { k: 'model' };
  return namedCall(port, `new ${port.name('Model')}`, call, modelNames, type);
};

const withTensors = (type: Type): Type =>
  type.k === 'dict' ? { k: 'dict', item: tensor } : listOf(tensor);

const sequentialCall: Maker = (port, call) => {
  const pairs = pair(call.args, ['layers', 'trainable', 'name']);
  const layers = pairs.find(({ name }) => name === 'layers');
  const settings = pairs.filter(({ name }) => name !== 'layers' && name !== null);
  const items: Doc[] = layers
    ? [within(port.expr(layers.arg.value), 1)]
    : settings.length > 0
      ? ['[]']
      : [];
  if (settings.length > 0) {
    items.push(
      object(
        settings.map(({ name, arg }) => entry(camel(name as string), port.expr(arg.value).doc)),
      ),
    );
  }
  return called({ open: `new ${port.name('Sequential')}(`, items, close: ')' }, { k: 'model' });
};

const inputNames = ['shape', 'batch_size', 'dtype', 'sparse', 'batch_shape', 'name'];
const inputCall: Maker = (port, call) => {
  const entries: Doc[] = [];
  for (const { name, arg } of pair(call.args, inputNames)) {
    if (!name) continue;
    if (['sparse', 'ragged', 'tensor', 'optional', 'input_tensor'].includes(name)) {
      if (!(arg.value.kind === 'const' && !arg.value.value)) {
        port.note(
          arg.value.at,
          'setting',
          `Input has no setting ${name} in maskflow; it is left out`,
        );
      }
      continue;
    }
    entries.push(
      entry(camel(name === 'input_shape' ? 'shape' : name), inputValue(port, name, arg.value)),
    );
  }
  return called([`${port.name('Input')}(`, object(entries), ')'], tensor);
};

/** A shape of one number, `shape=4` or `(4)`, is a list. */
function inputValue(port: Port, name: string, value: Expr): Doc {
  const doc = settingValue(port, name, value);
  return name.endsWith('shape') && port.expr(value).type?.k === 'num' ? list([doc]) : doc;
}

const padNames = ['sequences', 'maxlen', 'dtype', 'padding', 'truncating', 'value'];
const padCall: Maker = (port, call) => {
  const pairs = pair(call.args, padNames);
  const first = pairs.find(({ name }) => name === 'sequences');
  const entries = pairs
    .filter(({ name }) => name && name !== 'sequences')
    .map(({ name, arg }) =>
      entry(camel(name as string), settingValue(port, name as string, arg.value)),
    );
  port.admit(first?.arg.value);
  const rows = first ? port.expr(first.arg.value) : primary('[]');
  const items: Doc[] = [
    isTensor(rows.type) ? [within(rows, level.call), '.array()'] : within(rows, 1),
  ];
  if (entries.length > 0) items.push(object(entries));
  return called({ open: `${port.name('padSequences')}(`, items, close: ')' }, tensor);
};

/** A function whose first argument is its input, and whose others are options. */
const withOptions =
  (name: string, names: readonly string[], type: Type, known: readonly string[] = names): Maker =>
  (port, call) => {
    const pairs = pair(call.args, names);
    const first = pairs.find((each) => each.name === names[0]);
    const entries: Doc[] = [];
    port.admit(first?.arg.value);
    for (const each of pairs) {
      if (!each.name || each.name === names[0]) continue;
      if (known.includes(each.name))
        entries.push(entry(camel(each.name), settingValue(port, each.name, each.arg.value)));
      else
        port.note(
          each.arg.value.at,
          'ignored',
          `${name}: ${each.name} is left out; it has no meaning here`,
        );
    }
    const items = [first ? within(port.expr(first.arg.value), 1) : 'undefined'];
    if (entries.length > 0) items.push(object(entries));
    return called({ open: `${port.name(name)}(`, items, close: ')' }, type);
  };

const loadCall: Maker = (port, call) => {
  const { doc } = withOptions(
    'loadModel',
    ['source', 'custom_objects', 'compile', 'safe_mode'],
    any,
    ['source', 'custom_objects'],
  )(port, renamed(call, 'filepath', 'source'));
  return port.awaited(doc, { k: 'model' });
};

const renamed = (call: Call, from: string, to: string): Call => ({
  ...call,
  args: call.args.map((arg) => (arg.name === from ? { ...arg, name: to } : arg)),
});

const saveCall: Maker = (port, call) => {
  const [model, path] = call.args as [Arg, Arg];
  return port.awaited(
    [within(port.expr(model.value), level.call), '.save(', within(port.expr(path.value), 1), ')'],
    null,
  );
};

const seedCall: Maker = (port, call) => {
  const seed = call.args[0] ? port.expr(call.args[0].value).doc : '0';
  port.note(
    call.at,
    'random',
    'random numbers differ from those of Keras; the seed repeats those of maskflow',
  );
  return port.awaited([`${port.name('ready')}(`, object([entry('seed', seed)]), ')'], null);
};

const variableCall: Maker = (port, call) => {
  const names = ['initializer', 'shape', 'dtype', 'trainable', 'autocast', 'aggregation', 'name'];
  const pairs = pair(renamed(call, 'initial_value', 'initializer').args, names).filter(
    ({ name }) => name && name !== 'autocast' && name !== 'aggregation',
  );
  const first = pairs.find(({ name }) => name === 'initializer');
  const hasShape = pairs.some(({ name }) => name === 'shape');
  const entries = pairs
    .filter((each) => hasShape || each !== first)
    .map(({ name, arg }) =>
      entry(camel(name as string), settingValue(port, name as string, arg.value)),
    );
  const items = [
    ...(first && !hasShape ? [within(port.expr(first.arg.value), 1)] : []),
    ...(entries.length > 0 ? [object(entries)] : []),
  ];
  return called({ open: `new ${port.name('Variable')}(`, items, close: ')' }, { k: 'variable' });
};

const ignoredCall: Maker = () => called('', null);

const lambdaCall: Maker = (port, call) => {
  const names = [
    'function',
    'output_shape',
    'mask',
    'arguments',
    'name',
    'dtype',
    'trainable',
    'input_shape',
  ];
  return namedCall(port, `${port.name('layers')}.lambda`, call, names, { k: 'layer' });
};

const configured = (name: string, port: Port, call: Call): Code => {
  const { doc } = withOptions(name, ['config', 'custom_objects'], any)(port, call);
  const items = typeof doc === 'object' && 'items' in doc ? doc.items : [];
  return called({ open: `${name}.fromConfig(`, items, close: ')' }, { k: 'model' });
};

const makers: { readonly [path: string]: Maker } = {
  'keras.Model': modelCall,
  'keras.Functional': modelCall,
  'keras.Sequential': sequentialCall,
  'keras.Input': inputCall,
  'keras.InputLayer': inputCall,
  'keras.layers.InputLayer': inputCall,
  'keras.Variable': variableCall,
  'keras.utils.pad_sequences': padCall,
  'keras.utils.to_categorical': withOptions('toCategorical', ['x', 'num_classes'], tensor),
  'keras.utils.set_random_seed': seedCall,
  'keras.utils.clear_session': (port) => port.awaited(`${port.name('restart')}()`, null),
  'keras.utils.normalize': (port, call) => opCall(port, 'normalize', call) as Code,
  'keras.utils.split_dataset': withOptions(
    'splitDataset',
    ['dataset', 'left_size', 'right_size', 'shuffle', 'seed'],
    any,
  ),
  'keras.utils.timeseries_dataset_from_array': (port, call) => timeseries(port, call),
  'keras.models.load_model': loadCall,
  'keras.models.save_model': saveCall,
  'keras.models.clone_model': withOptions('cloneModel', ['model', 'clone_function'], {
    k: 'model',
  }),
  'keras.utils.enable_interactive_logging': ignoredCall,
  'keras.utils.disable_interactive_logging': ignoredCall,
  'keras.config.disable_interactive_logging': ignoredCall,
  'keras.utils.unpack_x_y_sample_weight': (port, call) => ({
    ...port.expr((call.args[0] as Arg).value),
    type: listOf(tensor),
  }),
  'keras.layers.Lambda': lambdaCall,
  'keras.Model.from_config': (port, call) => configured('Model', port, call),
  'keras.Sequential.from_config': (port, call) => configured('Model', port, call),
  'keras.tree.flatten': (port, call) =>
    called(
      [within(port.expr((call.args[0] as Arg).value), level.call), '.flat(Infinity)'],
      listOf(tensor),
    ),
};

function timeseries(port: Port, call: Call): Code {
  const names = [
    'data',
    'targets',
    'sequence_length',
    'sequence_stride',
    'sampling_rate',
    'batch_size',
    'shuffle',
    'seed',
    'start_index',
    'end_index',
  ];
  const pairs = pair(call.args, names);
  const [data, targets] = ['data', 'targets'].map((name) =>
    pairs.find((each) => each.name === name),
  );
  const entries = pairs
    .filter(({ name }) => name && name !== 'data' && name !== 'targets')
    .map(({ name, arg }) => entry(camel(name as string), port.expr(arg.value).doc));
  const items = [data, targets].map((each) =>
    each ? within(port.expr(each.arg.value), 1) : 'null',
  );
  return called(
    { open: `${port.name('timeseriesWindows')}(`, items: [...items, object(entries)], close: ')' },
    null,
  );
}

/** Translates the call of a name of Keras; null for other names. */
export function kerasCall(port: Port, path: string, call: Call): Code | null {
  const maker = Object.hasOwn(makers, path) ? makers[path] : undefined;
  if (maker) return maker(port, call);
  const [, space = '', name = ''] = /^keras\.(\w+)\.(\w+)$/.exec(path) ?? [];
  if (space === 'layers' || space === 'text') {
    const names = Object.hasOwn(textClasses, name) ? textClasses[name] : undefined;
    if (names) return namedCall(port, `new ${port.name(name)}`, call, names, { k: 'text' });
  }
  if (space === 'layers') {
    return merged(port, name, call) ?? created(port, space, name, call) ?? unknown(path, call);
  }
  if (space === 'metrics' || space === 'losses') {
    return created(port, space, name, call) ?? unknown(path, call);
  }
  if (space === 'callbacks') return callbackCall(port, name, call) ?? unknown(path, call);
  if (space === 'ops') return opCall(port, name, call) ?? unknown(path, call);
  if (space === 'activations') return opCall(port, activation(name), call) ?? unknown(path, call);
  if (space === 'backend')
    return backendCall(port, name, call) ?? opCall(port, name, call) ?? unknown(path, call);
  if (space === 'random') return randomCall(port, name, call) ?? unknown(path, call);
  return space ? created(port, space, name, call) : null;
}

const activation = (name: string): string =>
  name === 'linear' ? 'identity' : name === 'exponential' ? 'exp' : name;

function unknown(path: string, call: Call): never {
  throw new Absent(
    'absent',
    call.at,
    `maskflow has no ${path}; docs/keras-names.md lists the names that it has`,
  );
}

/** Translates a name of Keras that is not called. */
export function kerasValue(port: Port, path: string): Code | null {
  const [, space = '', name = ''] = /^keras\.(\w+)\.(\w+)$/.exec(path) ?? [];
  const type: Type = { k: 'lib', path };
  if (path === 'keras.Model' || path === 'keras.Sequential' || path === 'keras.Layer') {
    return primary(port.name(path.slice(6)), type);
  }
  if (path === 'keras.__version__') return primary(quoted('3.15'), { k: 'str' });
  if (space === 'backend') return backendValue(name);
  const found = rowOf(space, name);
  if (!found) return null;
  if (space === 'ops' || space === 'activations')
    return primary(`${port.name('ops', found.isTraining)}.${camel(found.name)}`, type);
  return called(`${port.name(space, found.isTraining)}.${factory(found.name)}`, type);
}
