// SPDX-License-Identifier: MIT
// Figures of maskflow/draw: valid, readable by screen readers, and true to the model.
import assert from 'node:assert/strict';
import { before, suite, test } from 'node:test';
import {
  drawAttention,
  drawHistory,
  drawMask,
  drawModel,
  drawPadding,
  drawTrace,
} from '../../dist/draw.js';
import { ConfigError, Input, layers, Model, ops, ready, Sequential } from '../../dist/index.js';
import { ShapeError, tensor, ValueError } from '../../dist/index.js';
import { fuzzDraw } from '../fuzz/draw.js';
import { cardsOf as cardElements, checkFigure, marksOf, textsOf, tilesOf } from '../support/svg.js';
import { cpuTime } from '../support/cpu_time.js';

before(() => ready({ onMaskDropped: 'silent', seed: 1 }));

const ids = [
  [711, 632, 71, 0, 0],
  [73, 8, 3215, 55, 927],
];
const words = (input) =>
  layers.embedding({ inputDim: 5000, outputDim: 4, maskZero: true, name: 'words' }).apply(input);
const idInput = () => Input({ shape: [null], dtype: 'int32', name: 'ids' });

/** Returns the texts of the cards of a figure, in the order of the calls. */
const cardsOf = (svg) =>
  cardElements(svg).map(({ children }) =>
    children.filter(({ tag }) => tag === 'text').map(({ text }) => text),
  );

suite('drawModel', () => {
  test('shows the layers of a chain with shapes, weights and roles', () => {
    const embedding = { inputDim: 9, outputDim: 4, maskZero: true, name: 'words' };
    const model = new Sequential([
      idInput(),
      layers.embedding(embedding),
      layers.gru({ units: 3, name: 'read' }),
    ]);
    assert.deepEqual(cardsOf(drawModel(model, [[1, 2, 0]])).slice(-2), [
      ['words', 'Embedding', '(1, 3, 4)', 'makes the mask', '36 weights'],
      ['read', 'GRU', '(1, 3)', 'uses the mask', '81 weights'],
    ]);
    const plain = drawModel(model);
    assert.deepEqual(cardsOf(plain).slice(1), [
      ['words', 'Embedding', '(?, ?, 4)', '36 weights'],
      ['read', 'GRU', '(?, 3)', '81 weights'],
    ]);
    assert.equal(tilesOf(plain, 'kept').length, 0, 'no mask without data');
  });

  test('draws the mask where it is made, along its edges, and where it is lost', () => {
    const input = idInput();
    const lost = ops.add(words(input), 1);
    const model = new Model({ inputs: input, outputs: layers.lstm({ units: 2 }).apply(lost) });
    const svg = drawModel(model, ids);
    assert.deepEqual(
      textsOf(svg).filter((text) => /^[TF]$/.test(text)),
      [...'TTTFFTTTTT'],
    );
    assert.equal(marksOf(svg, 'lost').length, 1);
    // An edge and its entry in the legend.
    assert.equal(marksOf(svg, 'cut').length, 2);
    assert.match(svg, /add \(operation Add\) after words: drops the mask/);
  });

  test('connects calls of a shared layer to the masks that each call saw', () => {
    const input = idInput();
    const shared = layers.dense({ units: 4, name: 'shared' });
    const x = words(input);
    // The unmasked call is created first, and runs later.
    const late = shared.apply(ops.multiply(x, 2));
    const early = shared.apply(x);
    const model = new Model({ inputs: input, outputs: layers.add().apply([early, late]) });
    const roles = cardsOf(drawModel(model, ids))
      .filter(([name]) => name === 'shared')
      .map((texts) => texts[3]);
    assert.deepEqual(roles, ['20 weights', 'passes the mask']);
  });

  test('finds the operation that drops a mask among operations of the same class', () => {
    const input = idInput();
    const zeros = ops.add(layers.embedding({ inputDim: 9, outputDim: 4 }).apply(input), 1);
    const dropped = ops.add(words(input), 1);
    const model = new Model({ inputs: input, outputs: layers.add().apply([zeros, dropped]) });
    const added = cardsOf(drawModel(model, [[1, 2, 0]])).filter(
      ([, kind]) => kind === 'operation Add',
    );
    assert.deepEqual(
      added.map((texts) => texts.includes('drops the mask')),
      [false, true],
    );
  });

  test('leaves out operations that only compute a mask', () => {
    const input = idInput();
    const inner = new Sequential([layers.lstm({ units: 4, returnSequences: true })], {
      name: 'inner',
    });
    const model = new Model({ inputs: input, outputs: inner.apply(words(input)) });
    assert.deepEqual(
      cardsOf(drawModel(model, ids)).map(([name, kind]) => [name, kind]),
      [
        ['ids', 'InputLayer'],
        ['words', 'Embedding'],
        ['inner', 'Sequential of 1 layer'],
      ],
    );
  });

  test('lists the layers of a custom model', () => {
    class Own extends Model {
      constructor() {
        super();
        this.embed = layers.embedding({ inputDim: 9, outputDim: 2, maskZero: true, name: 'embed' });
        this.dense = layers.dense({ units: 1, name: 'out' });
      }
      call(x) {
        return this.dense.apply(this.embed.apply(x));
      }
    }
    const model = new Own();
    const names = (svg) => cardsOf(svg).map(([name]) => name);
    assert.deepEqual(names(drawModel(model)), ['embed', 'out']);
    assert.deepEqual(names(drawModel(model, [[1, 0]])), ['embed', 'out']);
    assert.equal(marksOf(drawModel(model), 'wire').length, 0);
  });

  test('draws large and deep models in little time', () => {
    const input = Input({ shape: [4] });
    let x = input;
    const passed = [];
    for (let depth = 0; depth < 150; depth += 1) {
      x = layers.dense({ units: 4 }).apply(x);
      passed.push(x);
    }
    const model = new Model({ inputs: input, outputs: layers.concatenate().apply(passed) });
    const start = cpuTime();
    assert.equal(cardsOf(drawModel(model)).length, 152);
    assert.ok(cpuTime() - start < 5000);
  });
});

test('drawMask shows numbers with their mask, a mask alone, and a batch without one', () => {
  const x = tensor([[5, 0]], { dtype: 'int32' });
  const batch = drawMask(x.withMask([[true, false]]));
  assert.deepEqual(
    textsOf(batch).filter((text) => /^\d$/.test(text)),
    ['5', '0'],
  );
  assert.equal(tilesOf(batch, 'masked').length, 2, 'a tile and one of the legend');
  assert.ok(textsOf(drawMask([[true], [false]])).includes('F'));
  assert.match(drawMask([[1.5, 2]]), /without a mask/);
  const long = drawMask([Array.from({ length: 200 }, (_, step) => step < 150)]);
  assert.ok(textsOf(long).includes('each tile is 3 steps'));
});

test('drawHistory draws a chart of each metric, with gaps for NaN', () => {
  const history = {
    loss: [3, Number.NaN, 1],
    val_loss: [4, 3, 2],
    f1: [
      [0, 1],
      [1, 1],
    ],
  };
  const svg = drawHistory({ history, epoch: [5, 6, 7] });
  const texts = textsOf(svg);
  for (const text of ['loss', 'f1[0]', 'f1[1]', 'validation', '6'])
    assert.ok(texts.includes(text), text);
  assert.equal(marksOf(svg, 'line')[0].attributes.d.match(/M/g).length, 2);
  assert.match(svg, /loss from 3 to 1/);
  checkFigure(drawHistory({}));
});

/** Returns the contrast of two colours, [red, green, blue] from 0 to 255. */
function contrast(...colours) {
  const [dark, light] = colours
    .map((parts) => {
      const linear = parts.map((part) =>
        part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
    })
    .sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const partsOf = (colour) => {
  const digits = colour.length === 4 ? colour.replace(/\w/g, '$&$&') : colour;
  return [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
};

for (const [theme, paper] of [
  ['light', [255, 255, 255]],
  ['dark', [18, 22, 29]],
]) {
  test(`numbers on tiles of attention have a contrast of 4.5, ${theme}`, () => {
    const scores = [0, 1, 2].map((i) => [1, 2, 3, 4, 5, 6].map((j) => (6 * i + j) / 18));
    const svg = drawAttention(scores, { theme });
    const [, heat, tiles] = /<g fill="(#[0-9a-f]+)"[^>]*>((?:<rect[^>]*fill-opacity[^>]*>)+)/.exec(
      svg,
    );
    const place = (x, y) => `${Number(x)} ${Number(y)}`;
    const grounds = new Map(
      [...tiles.matchAll(/x="(\d+)" y="(\d+)" width="(\d+)"[^>]*fill-opacity="([\d.]+)"/g)].map(
        ([, x, y, size, share]) => [
          place(+x + size / 2, +y + size / 2 + 4),
          partsOf(heat).map((part, i) => part * share + paper[i] * (1 - share)),
        ],
      ),
    );
    const labels = [
      ...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)"[^>]*fill="(#[0-9a-f]+)"[^>]*>\.?\d/g),
    ].filter(([, x, y]) => grounds.has(place(x, y)));
    assert.equal(labels.length, 18);
    const contrasts = labels.map(([, x, y, ink]) =>
      contrast(partsOf(ink), grounds.get(place(x, y))),
    );
    assert.ok(Math.min(...contrasts) >= 4.5, `${Math.min(...contrasts)}`);
  });
}

test('drawAttention shows scores for each head, and hides keys by hatching', () => {
  const scores = [[[[0.75, 0.25, 0]], [[0.5, 0.5, 0]]]];
  const svg = drawAttention(scores, { mask: [[true, true, false]], keys: ['a', 'b', 'c'] });
  const texts = textsOf(svg);
  for (const text of ['head 1', 'head 2', '.75', 'c']) assert.ok(texts.includes(text), text);
  assert.equal(tilesOf(svg, 'masked').length, 2);
  const x = tensor([[1, 2]]).withMask([[true, false]]);
  assert.equal(tilesOf(drawAttention([[1, 0]], { mask: x }), 'masked').length, 1);
});

test('drawPadding draws the answers that predict returns, with and without the mask', () => {
  const model = new Sequential([
    layers.masking(),
    layers.simpleRNN({
      units: 1,
      activation: 'linear',
      kernelInitializer: 'ones',
      recurrentInitializer: 'ones',
      biasInitializer: 'ones',
    }),
  ]);
  const svg = drawPadding(model, [[[2]]], { most: 3 });
  // Each step adds 1 to the state.
  assert.match(svg, /from 3 to 3 with the mask, and from 3 to 6 without it/);
  const same = drawPadding(model, (pads) => [[[2], ...Array(pads).fill([0])]], { most: 3 });
  assert.equal(same, svg);
  assert.match(
    drawPadding(model, [[[2]]], { most: 3, padding: 'pre' }),
    /from 3 to 3 with .* from 3 to 6/,
  );
});

test('drawTrace shows reasons and remedies', () => {
  const model = new Sequential([layers.masking({ name: 'm' }), layers.flatten({ name: 'flat' })]);
  const svg = drawTrace(model.traceMasks([[[1], [0]]]));
  assert.ok(textsOf(svg).includes('The mask is lost at flat'));
  assert.match(textsOf(svg).join(' '), /Flatten 'flat' does not support masking/);
});

suite('all figures', () => {
  test('have one of three themes, which the page can override', () => {
    const style = (theme) => checkFigure(drawMask([[true]], { theme })).children[2].text;
    assert.match(style('auto'), /prefers-color-scheme:dark/);
    assert.doesNotMatch(style('light'), /prefers-color-scheme/);
    for (const theme of ['auto', 'light', 'dark']) {
      assert.match(style(theme), /forced-colors:active/);
      assert.match(style(theme), /var\(--maskflow-kept,#/);
    }
    assert.match(drawMask([[true]], { theme: 'dark' }), /fill="#16405f"/);
  });

  test('use title and description of the caller, as text', () => {
    const hostile = '</title><script>alert(1)</script>\u202e\u0000\ud800';
    const root = checkFigure(drawMask([[true]], { title: hostile, description: hostile }));
    const shown = '</title><script>alert(1)</script>\\u202e\\u0000\\ud800';
    assert.deepEqual(
      root.children.slice(0, 2).map(({ text }) => text),
      [shown, shown],
    );
    assert.equal(textsOf(drawMask([[true]], { title: '' }))[0], 'row 1');
  });

  test('refuse other values with typed errors', () => {
    assert.throws(() => drawMask('no'), ValueError);
    assert.throws(() => drawMask([[1], [1, 2]]), ShapeError);
    assert.throws(() => drawMask([[true]], { them: 'dark' }), ConfigError);
    assert.throws(() => drawMask([[true]], { theme: 'blue' }), /theme is 'blue' but must be/);
    assert.throws(() => drawMask([[true]], { title: 3 }), ValueError);
    assert.throws(() => drawHistory(3), ValueError);
    assert.throws(() => drawHistory({ loss: 3 }), /history\.loss is 3/);
    assert.throws(() => drawAttention([1, 2]), ShapeError);
    assert.throws(() => drawAttention([[1, 2]], { mask: [[true]] }), /mask has 1 keys/);
    assert.throws(() => drawAttention([[[[1]]]], { row: 1 }), /row is 1 but must be/);
    assert.throws(() => drawTrace([{}]), ValueError);
    const model = new Sequential([layers.dense({ units: 1 })]);
    assert.throws(() => drawPadding(model, [1]), ShapeError);
    assert.throws(() => drawPadding(model, [[1]], { most: 0 }), ValueError);
  });

  test('of random models with hostile names are valid and stay on their paper', async () => {
    assert.deepEqual(await fuzzDraw(0, 20), []);
  });
});
