// SPDX-License-Identifier: MIT
// Custom layers without getConfig, with the constructors that people and compilers write: a copy
// and a file compute the same numbers, or a warning says what is lost.
import * as mf from '../../dist/train.js';
import { generator, integer, pick } from '../support/random.js';

const kNames = ['factor', 'units', 'rate', 'scale', 'e'];

/**
 * Constructors of a layer whose settings are `names`, each 1 by default: `head` is all up to the
 * first statement that stores one, `value` the received value of a name.
 */
const kHeads = {
  destructured: (names) => ({
    head: `constructor({ ${names.map((name) => `${name} = 1`)}, ...rest } = {}) { super(rest);`,
  }),
  minified: (names) => ({
    head: `constructor({${names.map((name, i) => `${name}:t${i}=1`)},...r}={}){super(r);`,
    value: (_, i) => `t${i}`,
  }),
  // The head of a class that was compiled to older JavaScript.
  compiled: (names) => ({
    head: `constructor(_a = {}) { var { ${names.map((name) => `${name} = 1`)} } = _a, rest = restOf(_a, ${JSON.stringify(names)}); super(rest);`,
  }),
  inside: (names) => ({
    head: `constructor(options = {}) { const { ${names.map((name) => `${name} = 1`)}, ...rest } = options; super(rest);`,
  }),
  object: () => ({
    head: 'constructor(options = {}) { super({ name: options.name });',
    value: (name) => `options.${name} ?? 1`,
  }),
  passed: (names) => ({
    head: `constructor(options = {}) { super(restOf(options, ${JSON.stringify(names)}));`,
    value: (name) => `(options['${name}'] ?? 1)`,
  }),
  spread: (names) => ({
    head: `constructor(...all) { super(restOf(all[0] ?? {}, ${JSON.stringify(names)}));`,
    value: (name) => `(all[0]?.${name} ?? 1)`,
  }),
  arguments: (names) => ({
    head: `constructor() { super(restOf(arguments[0] ?? {}, ${JSON.stringify(names)}));`,
    value: (name) => `(arguments[0]?.${name} ?? 1)`,
  }),
};

/** Statements that store the value `v` of a setting, and the expression that reads it later. */
const kKept = {
  same: (name, v) => [`this.${name} = ${v};`, `this.${name}`],
  defaulted: (name, v) => [`this.${name} = ${v} ?? 1;`, `this.${name}`],
  number: (name, v) => [`this.${name} = Number(${v});`, `this.${name}`],
  doubled: (name, v) => [`this.${name} = 2 * (${v});`, `this.${name}`],
  opposite: (name, v) => [`this.${name} = 1 - (${v});`, `this.${name}`],
  underscore: (name, v) => [`this._${name} = ${v};`, `this._${name}`],
  closure: (name, v) => [`this.read_${name} = () => ${v};`, `this.read_${name}()`],
  inList: (name, v) => [`this.held = { ...this.held, ${name}: ${v} };`, `this.held.${name}`],
  tensor: (name, v) => [`this.${name} = mf.tensor(${v});`, `this.${name}.item()`],
};

/** Constructors and statements whose settings are kept without a warning. */
const kPlain = ['destructured', 'minified', 'compiled', 'inside', 'object', 'same', 'defaulted'];

const restOf = (options, names) =>
  Object.fromEntries(Object.entries(options).filter(([name]) => !names.includes(name)));

/** Returns a random class, below `Base`, and the names of its own settings. */
function drawClass(random, Base, names, id) {
  const how = pick(random, Object.keys(kHeads));
  const { head, value = (name) => name } = kHeads[how](names);
  const kinds = names.map(() => pick(random, Object.keys(kKept)));
  const stored = names.map((name, i) => kKept[kinds[i]](name, value(name, i)));
  const isPlain = kinds.every((kind) => kPlain.includes(kind)) && kPlain.includes(how);
  const product = ['super.product()', ...stored.map(([, read]) => read)].join(' * ');
  const source = `return class ${id} extends Base {
    ${head} ${stored.map(([statement]) => statement).join(' ')} }
    product() { return ${product}; }
  }`;
  return [new Function('Base', 'restOf', 'mf', source)(Base, restOf, mf), source, isPlain];
}

class Product extends mf.Layer {
  product() {
    return 1;
  }
  call(x) {
    return mf.ops.multiply(x, this.product());
  }
}

/** Returns what is wrong with a random class, or undefined. */
async function faultOf(seed) {
  const random = generator(seed);
  const names = kNames.filter(() => random() < 0.5);
  const own = names.length > 0 ? names : ['factor'];
  let [Class, source, isPlain] = drawClass(random, Product, own, `Drawn${seed}`);
  const all = [...own];
  if (random() < 0.3) {
    const [Below, more, isPlainToo] = drawClass(random, Class, ['more'], `Below${seed}`);
    all.push('more');
    Class = Below;
    isPlain &&= isPlainToo;
    source += `\n${more}`;
  }
  const options = Object.fromEntries(all.map((name) => [name, integer(random, 2, 9) / 2]));
  mf.registerLayer(Class);
  const texts = [];
  const { warn } = console;
  console.warn = (text) => texts.push(text);
  try {
    const model = new mf.Sequential([mf.Input({ shape: [1] }), new Class(options)]);
    const expected = model.predict([[1]]).item();
    const copies = {
      clone: () => mf.cloneModel(model),
      json: () => mf.Sequential.fromConfig(JSON.parse(JSON.stringify(model.getConfig()))),
      file: async () => mf.loadModel(await model.save()),
    };
    for (const [how, copy] of Object.entries(copies)) {
      const found = (await copy()).predict([[1]]).item();
      if (found === expected || texts.some((text) => text.includes(Class.name))) continue;
      return `${how}: ${found} instead of ${expected}, and nothing said: ${source}`;
    }
    if (isPlain && texts.length > 0) return `${texts[0]} in vain: ${source}`;
  } catch (error) {
    if (!(error instanceof mf.MaskflowError)) return `${error.stack}: ${source}`;
  } finally {
    console.warn = warn;
  }
  return undefined;
}

/** Draws the classes of the seeds `from` to `to`; returns what is wrong. */
export async function fuzzKeptSettings(from, to, told = () => {}) {
  await mf.ready();
  const failures = [];
  for (let seed = from; seed < to; seed++) {
    const fault = await faultOf(seed);
    if (fault) failures.push(`case ${seed}: ${fault}`);
    told(seed - from + 1);
  }
  return failures;
}
