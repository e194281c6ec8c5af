// SPDX-License-Identifier: MIT
import { type LayerOutputs, type Model, type NamedFile, Tensor, tensor } from 'maskflow';
import { chain, linksOf } from '../shared/chain.js';
import type { Example } from '../shared/code.js';
import { find, h } from '../shared/dom.js';
import type { Scene } from '../shared/panel.js';
import { keras, program, unseeded } from '../shared/program.js';
import { type Nested, count, literal, pyLiteral } from '../shared/text.js';
import { type Given, exampleInput } from './example-input.js';
import { fileLine, printed, summaryBox } from './facts.js';
import { Store, type Stored } from './stored.js';

let files: NamedFile[] = [];
let opened = 0;
const store = new Store<Given[]>();

/** Whether there is a model of one's own to ask. */
export const isOpen = (): boolean => store.filled;

const inputBox = () => find<HTMLTextAreaElement>('#models-input');

/** The opened file on the input in its box; undefined while there is none. */
export function drawOwn(scene: Scene): Example | undefined {
  if (files.length === 0) {
    scene.says(
      'No file is open yet. Open one to see its layers, where its mask goes, and what it answers.',
    );
    return undefined;
  }
  const names = files.map(({ name }) => name).join(', ');
  const wanted = {
    file:
      files.length === 1 ? names : `${files[0]?.name} and ${count(files.length - 1, 'other file')}`,
    source: async () => ({ files }),
    notes: (model: Model) => {
      const given = exampleInput(model);
      inputBox().value = JSON.stringify(
        given.length === 1 ? given[0]?.value : given.map(({ value }) => value),
      );
      return given;
    },
  };
  let stored: Stored<Given[]> | undefined;
  try {
    stored = store.get(String(opened), wanted, scene.redraw);
  } catch (error) {
    scene.put('file', wanted.file);
    throw error;
  }
  if (stored) return drawRun(scene, stored);
  scene.says(`Loading ${wanted.file} …`);
  return undefined;
}

function drawRun({ put, says }: Scene, stored: Stored<Given[]>): Example {
  const { model, notes } = stored;
  put('file', fileLine(stored));
  put('asked', h('p', { class: 'label' }, 'Summary of the model'), summaryBox(model));
  find('#models-input-hint').textContent = notes.map(({ hint }) => hint).join(' ');
  // Before the numbers are read: a file that loads but has other inputs still shows its summary.
  const values = valuesOf(inputBox().value, notes);
  const inputs = values.map((value, index) =>
    tensor(value as number[], { dtype: notes[index]?.dtype ?? 'float32' }),
  );
  const x = inputs.length === 1 ? (inputs[0] as Tensor) : inputs;
  const before = performance.now();
  const outputs = model.predict(x);
  const milliseconds = performance.now() - before;
  const text = tensorsOf(outputs).map(String).join('\n');
  put('answers', h('p', { class: 'label' }, 'The output'), printed(text, 'The output'));
  put('flow', chain(linksOf(model.traceMasks(x))));
  const shapes = tensorsOf(outputs).map(({ shape }) => `(${shape.join(', ')})`);
  says(`It runs: ${milliseconds.toFixed(1)} ms for an output of shape ${shapes.join(' and ')}.`);
  return example(entryFile(), values, notes, text);
}

/** The one that a program names: of several files the one that lists the others. */
const entryFile = (): string =>
  (files.find(({ name }) => name.endsWith('.json')) ?? files[0])?.name ?? '';

const tensorsOf = (outputs: LayerOutputs): Tensor[] =>
  outputs instanceof Tensor ? [outputs] : Object.values(outputs);

function valuesOf(text: string, notes: Given[]): Nested[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`The input is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!Array.isArray(value)) throw new Error('The input is an array of numbers: [[1, 2, 3, 0]]');
  if (notes.length === 1) return [value as Nested];
  if (value.length === notes.length) return value as Nested[];
  throw new Error(`The model has ${notes.length} inputs; the JSON is a list of ${value.length}.`);
}

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;

function example(file: string, values: Nested[], notes: Given[], prints: string): Example {
  const js = values.map((value, i) => `tensor(${literal(value)}, { dtype: '${notes[i]?.dtype}' })`);
  const py = values.map((value, i) => `np.array(${pyLiteral(value)}, dtype="${notes[i]?.dtype}")`);
  const one = (parts: string[]) => (parts.length === 1 ? parts[0] : `[${parts.join(', ')}]`);
  return {
    js: program(
      `const model = await loadModel(${quoted(file)});
const x = ${one(js)};
console.log(String(model.predict(x)));`,
      unseeded,
    ),
    keras: keras(
      `import numpy as np

model = keras.models.load_model(${JSON.stringify(file)})
x = ${one(py)}
print(model.predict(x))`,
      unseeded,
    ),
    prints,
    note: file.endsWith('.json')
      ? 'Keras reads this format only after tensorflowjs_converter has made an .h5 file of it.'
      : 'Both programs read the same file, so the weights are the same, too.',
  };
}

/** The file control, and files dropped on the panel. */
export function listenForFiles(): void {
  const section = find('#models');
  const picker = find<HTMLInputElement>('#models-file');
  const open = (list: FileList | null | undefined) => {
    if (!list || list.length === 0) return;
    files = [...list];
    opened++;
    const choice = find<HTMLInputElement>('#models [name="model"][value="own"]');
    choice.checked = true;
    choice.dispatchEvent(new Event('input', { bubbles: true }));
  };
  // The same name again may be another file: exported anew, and chosen anew.
  picker.addEventListener('click', () => {
    picker.value = '';
  });
  picker.addEventListener('change', () => open(picker.files));
  const over = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    section.classList.toggle('dropping', event.type === 'dragover');
  };
  section.addEventListener('dragover', over);
  section.addEventListener('dragleave', () => section.classList.remove('dropping'));
  section.addEventListener('drop', (event) => {
    over(event);
    const dropped = event.dataTransfer?.files;
    // The file control shows what was dropped, too.
    if (dropped && dropped.length > 0) picker.files = dropped;
    open(dropped);
  });
}
