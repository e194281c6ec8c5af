// SPDX-License-Identifier: MIT
// The chapter "truth": the numbers of this page beside those that Keras computed.
import { type Sum, distanceOf, offerNumbers } from '../../shared/arithmetic.js';
import type { Chapter, Scene } from '../../shared/chapter.js';
import { find, h } from '../../shared/dom.js';
import { captionOf, headOf, rowHead, scrollable } from '../../shared/grid.js';
import { program } from '../../shared/program.js';
import { count, decimal, gap, small } from '../../shared/text.js';
import type { Line, TruthData } from './read.js';

const trained = {
  brackets: { input: 'ids', dtype: 'int32', title: 'example.text', output: 'output', of: '' },
  sensor: {
    input: 'input',
    dtype: 'float32',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a program
    title: '`sensor ${index + 1}, ${example.input.length} steps`',
    output: 'output',
    of: '',
  },
  // The model's output has a probability for each digit; the largest one is compared.
  adding: {
    input: 'ids',
    dtype: 'int32',
    title: 'example.text',
    output: 'max_probability',
    of: '[0].map((digits) => Math.max(...digits))',
  },
} as const;

const chosen = ({ settings }: Scene) =>
  settings.choice('of', 'brackets', 'sensor', 'adding', 'layers');

/** The program's value `given`. Changing it runs the same program again. */
let round = 0;

export const truth: Chapter<TruthData> = {
  id: 'truth',

  program(scene) {
    const of = chosen(scene);
    return program(of === 'layers' ? layersProgram : modelProgram(of), {});
  },

  keras(scene) {
    const of = chosen(scene);
    if (of === 'layers') return layersKeras;
    return `import json
import keras
import numpy as np

examples = json.load(open("models/${of}.json"))["examples"]
model = keras.models.load_model("models/${of}.keras")
for example in examples:
    x = np.array([example["${trained[of].input}"]], dtype="${trained[of].dtype}")
    print(example["${trained[of].output}"], model.predict(x, verbose=0)[0]${of === 'adding' ? '.max(-1)' : ''})
`;
  },
  kerasNote: 'Both programs read the same weights and the same input.',

  given: () => round,

  draw({ lines, took, version, variant, wasmBytes }, scene) {
    const numbers = lines.reduce((sum, { size }) => sum + size, 0);
    const fact = (name: string, value: string) => [h('dt', {}, name), h('dd', {}, value)];
    scene.put(
      'facts',
      ...fact('largest difference', gap(largest(lines))),
      ...fact('numbers', numbers.toLocaleString('en-US')),
      ...fact(
        'time for all',
        Number.isFinite(took) ? `${took.toFixed(1)} ms here` : 'not measured',
      ),
      ...fact(
        'computed by',
        `maskflow ${version}, ${Math.round(wasmBytes / 1000)} kB of WebAssembly (${variant})`,
      ),
    );
    scene.put('table', table(lines));
  },

  summarize({ lines }, scene) {
    const numbers = lines.reduce((sum, { size }) => sum + size, 0);
    const what = count(
      lines.length,
      chosen(scene) === 'layers' ? 'recorded case' : 'recorded answer',
    );
    const digits = chosen(scene) === 'layers' ? '' : ' (The recording is rounded to six decimals.)';
    return `${what} of Keras with ${count(numbers, 'number')}, computed again in this page: the largest difference is ${gap(largest(lines))}.${digits}`;
  },

  sums({ lines }): Sum[] {
    const worst = lines.find(({ gap: each }) => each === largest(lines));
    if (!worst) return [];
    return [[gap(worst.gap), `${distanceOf(worst.keras, worst.here, 9)}, of “${worst.name}”`]];
  },

  start(scene) {
    find('[data-again]', scene.section).addEventListener('click', () => {
      round++;
      void scene.run();
    });
  },
};

function modelProgram(of: keyof typeof trained): string {
  const { input, dtype, title, output, of: part } = trained[of];
  return `const { examples } = await (await fetch('models/${of}.json')).json();
const model = await loadModel('models/${of}.keras');
const before = performance.now();
const rows = examples.map((example, index) => {
  const x = tensor([example.${input}], { dtype: '${dtype}' });
  const here = tidy(() => model.predict(x).array()${part});
  x.dispose();
  return { name: ${title}, keras: example.${output}, here };
});
const took = performance.now() - before;
console.log(rows[0].keras, rows[0].here);`;
}

const layersProgram = `const cases = await (await fetch('models/cases.json')).json();
const before = performance.now();
const rows = cases.map(({ name, layer: recorded, input, dtype, mask, weights, output }) => {
  const layer = deserializeLayer(recorded);
  const here = tidy(() => {
    const x = tensor(input, { dtype }).withMask(mask);
    layer.build(x.shape);
    layer.setWeights(weights.map((each) => tensor(each)));
    return layer.apply(x).array();
  });
  layer.dispose();
  return { name, keras: output, here };
});
const took = performance.now() - before;`;

const layersKeras = `import json
import keras
import numpy as np

for case in json.load(open("models/cases.json")):
    layer = keras.layers.deserialize(case["layer"])
    x = np.array(case["input"], dtype=case["dtype"])
    layer.build(x.shape)
    layer.set_weights([np.array(each) for each in case["weights"]])
    mask = None if case["mask"] is None else np.array(case["mask"])
    print(case["name"], layer(x, mask=mask) if mask is not None else layer(x))
`;

/** Returns the largest difference, or NaN if any difference is NaN. */
const largest = (lines: readonly Line[]): number =>
  lines.reduce((max, { gap: each }) => (each > max || Number.isNaN(each) ? each : max), 0);

function table(lines: readonly Line[]): HTMLElement {
  const line = ({ name, size, keras, here, gap: difference }: Line) =>
    h(
      'tr',
      {},
      rowHead(name),
      h('td', {}, String(size)),
      h('td', {}, decimal(keras, 6)),
      h('td', {}, decimal(here, 6)),
      h(
        'td',
        { 'data-arithmetic': distanceOf(keras, here, 9) },
        difference === 0 ? '0' : small(difference),
      ),
    );
  const element = h(
    'table',
    { class: 'numbers' },
    captionOf({
      caption: 'Recorded in Python and computed here.',
      detail: 'The number with the largest difference of each answer.',
    }),
    headOf({ columns: ['numbers', 'Keras', 'here', 'difference'], corner: 'case' }),
    h('tbody', {}, ...lines.map(line)),
  );
  offerNumbers(element);
  return scrollable(element, 'Numbers of Keras and of this page');
}
