// SPDX-License-Identifier: MIT
// The errors of layers and ops, for their pages of the reference. Each program of docs/examples
// makes a right call; variants of it, each wrong in one place, throw the errors. The pages
// therefore quote what the package says.
import { basename } from 'node:path';
import { readFileSync } from 'node:fs';
import { at, filesUnder } from '../../lib/files.mjs';

/** Errors that a page shows. */
const kMaxErrors = 4;

/** Calls of a program that are varied: creating a layer and applying it. */
const kMaxLists = 2;

const AsyncFunction = (async () => {}).constructor;

/** Returns the program as a function of the package. */
function programOf(path) {
  const text = readFileSync(path, 'utf8').replace(
    /^import \{([^}]*)\} from '[^']*';$/gm,
    (_, names) => `const {${names.replaceAll(' as ', ': ')}} = from;`,
  );
  return new AsyncFunction('from', text);
}

const isSettings = (value) => value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** Returns the arguments with another value in the place of one. */
const withArgument = (args, index, value) => args.map((arg, i) => (i === index ? value : arg));

/** Returns settings with one more, or with another value of one. */
const withSetting = (settings, name, value) => ({ ...settings, [name]: value });

/** Values that are wrong for most settings with a value of this type. */
const wrongValues = {
  number: (value) => [-7, value + 100, 'x'],
  boolean: () => ['x'],
  string: () => ['x'],
  object: () => ['x', -7],
};

/** Returns `args` with one setting wrong, of each kind. */
function* wrongSettings(args, index) {
  const settings = args[index];
  for (const [name, value] of Object.entries(settings)) {
    for (const wrong of wrongValues[typeof value]?.(value) ?? []) {
      yield withArgument(args, index, withSetting(settings, name, wrong));
    }
  }
}

/** Returns functions that make `value` with another rank, or with fewer steps or features. */
function wrongShapes(value, mf) {
  const { ops, Tensor } = mf;
  if (Array.isArray(value) && value[0] instanceof Tensor) {
    return value.flatMap((item, i) =>
      wrongShapes(item, mf).map((make) => () => withArgument(value, i, make())),
    );
  }
  const isNumbers = Array.isArray(value) || ArrayBuffer.isView(value);
  if (!(value instanceof Tensor || isNumbers) || errorOf(() => ops.shape(value))) return [];
  const shape = ops.shape(value);
  const isLonger = (axis) => shape.at(axis) > 1;
  const first = (count) => Array.from({ length: count }, (_, i) => i);
  return [
    () => ops.expandDims(value, -1),
    shape.length > 1 && (() => ops.reshape(value, [-1])),
    shape.length > 0 &&
      isLonger(-1) &&
      (() => ops.take(value, first(shape.at(-1) - 1), { axis: -1 })),
    shape.length > 1 && isLonger(1) && (() => ops.take(value, [0], { axis: 1 })),
  ].filter(Boolean);
}

/** Wrong calls, those that say most about the function first. */
function* wrongCalls(args, mf) {
  for (const [index, arg] of args.entries()) {
    for (const make of wrongShapes(arg, mf)) yield () => withArgument(args, index, make());
  }
  for (const [index, arg] of args.entries()) {
    if (isSettings(arg)) yield* [...wrongSettings(args, index)].map((wrong) => () => wrong);
    if (typeof arg === 'number')
      yield* [-7, 100, 'x'].map((value) => () => withArgument(args, index, value));
  }
  yield () => withArgument(args, 0, 'x');
  yield () => [];
}

/** Calls `f`, and returns the error that it throws. */
function errorOf(f) {
  try {
    f();
  } catch (error) {
    return error;
  }
  return undefined;
}

/** A message without what differs from call to call. */
const patternOf = (text) =>
  text.replace(/\((?:\d+(?:, ?)?)*\)|\[[\d, ]*\]|-?\d+|'[^']*'|ops\.\w+\//g, '#');

/** Returns the errors that variants of a call throw. */
const errorsOf = (call, args, mf) =>
  [...wrongCalls(args, mf)].flatMap((wrong) => {
    const error = mf.tidy(() => errorOf(() => void call(...wrong())));
    return error instanceof mf.MaskflowError ? [error] : [];
  });

/** Returns an object of functions that reports the arguments of each call and its result. */
const reporting = (object, report) =>
  new Proxy(object, {
    get: (target, name) => {
      if (typeof target[name] !== 'function' || /^[A-Z]/.test(name)) return target[name];
      return (...args) => {
        const result = target[name](...args);
        report(name, args, result);
        return result;
      };
    },
  });

const silent = { log() {}, warn() {} };

/** Messages of all layers and ops alike. */
const general = /^(a tensor (cannot|is)|the input is missing|the settings of a)/;

/** A layer's message without the number in its name. */
const withoutCount = (message) => message.replace(/^([a-z]\w*?)_\d+(?=[:/])/, '$1');

/** Returns the errors of a page: one of each pattern, those of the function itself first. */
function chosen(errors) {
  const byPattern = new Map();
  for (const { name, code, message } of errors) {
    const words = withoutCount(message);
    const pattern = patternOf(words);
    if (!byPattern.has(pattern)) byPattern.set(pattern, { name, code, message: words });
  }
  const [own, shared] = [false, true].map((isGeneral) =>
    [...byPattern.values()].filter(({ message }) => general.test(message) === isGeneral),
  );
  return [...own, ...shared].slice(0, kMaxErrors);
}

/** Runs the program of each layer or op, and returns the errors of variants of its own call. */
async function errorsIn(room, mf, errorsOfCall, folder = room) {
  const found = new Map();
  for (const path of filesUnder(`docs/examples/${folder}`, /\.mjs$/)) {
    const own = basename(path, '.mjs');
    const lists = [];
    const report = (errors) => {
      if (lists.length < kMaxLists) lists.unshift(errors);
    };
    const object = reporting(mf[room], (name, ...call) => {
      if (name === own) errorsOfCall(own, ...call, report);
    });
    await programOf(path)({ ...mf, [room]: object });
    found.set(own, chosen(lists.flat()));
  }
  return found;
}

/** Returns the options of a layer's call, which its error lists if one is unknown. */
const callOptionsOf = (layer, inputs) =>
  /; it has (.+)$/
    .exec(errorOf(() => layer.apply(inputs, { unknown: true }))?.message ?? '')?.[1]
    .split(/[, ]+/) ?? [];

/**
 * Reports the errors of a layer: those of its options, and of other inputs in its calls. Adds the
 * options of its calls to `calls`.
 */
function errorsOfLayer(mf, calls, name, [options, ...rest], layer, report) {
  const make = mf.layers[name];
  report(errorsOf(make, [options ?? {}, ...rest], mf));
  const { apply } = layer;
  layer.apply = (...args) => {
    layer.apply = apply;
    const result = layer.apply(...args);
    calls.set(name, callOptionsOf(layer, args[0]));
    report([
      ...errorsOf((...wrong) => make(options, ...rest).apply(...wrong), args, mf),
      ...errorsOf((...wrong) => layer.apply(...wrong), args, mf),
    ]);
    return result;
  };
}

/** The folders of docs/examples with the programs of plain functions, by their namespace. */
export const rooms = {
  callbacks: 'training/callbacks',
  random: 'random',
  regularizers: 'regularizers',
  scalers: 'scalers',
};

async function errorsInRooms(mf) {
  const calls = new Map();
  const ofLayer = (...call) => errorsOfLayer(mf, calls, ...call);
  const errors = { calls, layers: await errorsIn('layers', mf, ofLayer) };
  for (const [room, folder] of Object.entries({ ops: 'ops', ...rooms })) {
    const ofFunction = (name, args, _, report) => report(errorsOf(mf[room][name], args, mf));
    errors[room] = await errorsIn(room, mf, ofFunction, folder);
  }
  return errors;
}

/**
 * Returns the errors of `layers`, `ops` and the namespaces of `rooms` as maps from names to
 * `{ name, code, message }`, and in `calls` the options of each layer's call.
 */
export async function errorsOfPackage() {
  const [train, text] = await Promise.all(
    ['train', 'text'].map((entry) => import(at('dist', `${entry}.js`))),
  );
  const mf = { ...text, ...train };
  const { log, warn } = console;
  Object.assign(console, silent);
  try {
    await mf.ready({ seed: 1, onMaskDropped: 'silent' });
    return await errorsInRooms(mf);
  } finally {
    Object.assign(console, { log, warn });
  }
}
