// SPDX-License-Identifier: MIT
// Settings of custom layers without getConfig, whose constructors people and compilers write.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import { Layer, layers, ready } from '../../dist/train.js';
import { fuzzKeptSettings } from '../fuzz/kept_settings.js';

before(() => ready());

suite('settings of custom layers without getConfig', () => {
  const restOf = ({ factor, ...rest }) => rest;
  class Options extends Layer {
    constructor(options = {}) {
      super({ name: options.name });
      this.factor = options.factor ?? 1;
    }
  }
  class Inside extends Layer {
    constructor(options = {}) {
      const { factor = 1, ...rest } = options;
      super(rest);
      this.factor = factor;
    }
  }
  class Compiled extends Layer {
    constructor(_a = {}) {
      var { factor = 1 } = _a,
        rest = restOf(_a, ['factor']);
      super(rest);
      this.factor = factor;
    }
  }
  // biome-ignore format: as a minifier writes it.
  class Minified extends Layer { constructor({factor:t=1,...e}={}){super(e);this.factor=t} }
  class Passed extends Layer {
    constructor(options) {
      super({ ...options, trainable: false });
      this.dense = layers.dense({ units: 2 });
    }
    call(x, options) {
      return options ? this.dense.apply(x) : x;
    }
    copy() {
      return new this.constructor({ factor: 1 });
    }
  }
  class Opposite extends Layer {
    constructor({ factor = 1, ...rest }) {
      super(rest);
      this.factor = 1 - factor;
    }
  }
  class Positional extends Layer {
    constructor(units, options) {
      super(options);
      this.units = units;
    }
  }
  const told = (make) => {
    const texts = [];
    const { warn } = console;
    console.warn = (text) => texts.push(text);
    try {
      return [make().getConfig().factor, texts.map((text) => text.split('may lack ')[1])];
    } finally {
      console.warn = warn;
    }
  };

  for (const Class of [Options, Inside, Compiled, Minified])
    test(`${Class.name}: are kept`, () => {
      assert.deepEqual(
        told(() => new Class({ factor: 3, name: 'mine' })),
        [3, []],
      );
    });

  test('arguments that only go to super() are no settings', () => {
    assert.deepEqual(
      told(() => new Passed({ name: 'mine' })),
      [undefined, []],
    );
  });

  test('a value that is changed, and arguments by position, are a warning', () => {
    assert.deepEqual(
      told(() => new Opposite({ factor: 3 })),
      [-2, ["its setting 'factor'"]],
    );
    assert.deepEqual(
      told(() => new Positional(3)),
      [undefined, ['arguments of its constructor']],
    );
  });

  test('100 random classes lose nothing in silence', async () => {
    assert.deepEqual(await fuzzKeptSettings(0, 100), []);
  });
});
