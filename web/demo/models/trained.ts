// SPDX-License-Identifier: MIT
import { type Tensor, tensor } from 'maskflow';
import { type StockName, stockModel, stockNotes } from 'demo-models';
import { chain, linksOf } from '../shared/chain.js';
import type { Example } from '../shared/code.js';
import { find, h } from '../shared/dom.js';
import type { Scene } from '../shared/panel.js';
import { keras, program, unseeded } from '../shared/program.js';
import { gap, largestGap, literal, pyLiteral } from '../shared/text.js';
import { adding } from './adding.js';
import { type AnswerRow, answersTable } from './answers.js';
import { brackets } from './brackets.js';
import { fileLine, summaryBox } from './facts.js';
import { recordedTable } from './recorded.js';
import { type Replayed, answer, replay, unmasked } from './run.js';
import { sensor } from './sensor.js';
import { Store, type Stored } from './stored.js';
import type { Answer, Asked, Recorded, Task } from './task.js';

const tasks: { [name in StockName]: Task } = { brackets, sensor, adding };

interface Notes {
  records: Recorded[];
  replayed: Replayed[];
}
const store = new Store<Notes>();

const nameOf = ({ settings }: Pick<Scene, 'settings'>): StockName => {
  const name = settings.text('model');
  return name in tasks ? (name as StockName) : 'brackets';
};

/** One of the three models on the input of its control; undefined while its file is coming. */
export function drawTrained(scene: Scene): Example | undefined {
  const name = nameOf(scene);
  const task = tasks[name];
  const wanted = {
    file: `${name}.keras`,
    source: () => stockModel(name),
    notes: async (model: Stored<Notes>['model']) => {
      const records = task.records(await stockNotes(name));
      return { records, replayed: replay(model, task, records) };
    },
  };
  const stored = found(() => store.get(name, wanted, scene.redraw));
  if (!stored) {
    scene.says(`Loading ${name}.keras …`);
    return undefined;
  }
  return drawAnswer(scene, task, stored);
}

/** What failed is said once: the next change asks for the file again. */
function found<T>(get: () => T): T {
  try {
    return get();
  } catch (error) {
    store.forget();
    throw error;
  }
}

function drawAnswer(scene: Scene, task: Task, stored: Stored<Notes>): Example {
  const { settings, put, says } = scene;
  const { model, notes } = stored;
  const name = nameOf(scene);
  const text = settings.text(name).trim();
  const more = settings.number('more') ?? 0;
  put('file', fileLine(stored));
  put('models-more', String(more));
  offer(notes.records, text);
  put('recorded', recordedTable(notes.replayed));
  put('summary', summaryBox(model));

  const asked = task.ask(text, more);
  const here = answer(model, task, asked.row, asked);
  const recorded = notes.records.find((each) => each.text === text);
  put('asked', task.draw(text, more, here));
  const rows = rowsOf({ here, recorded, asked, more }, task, stored);
  put('answers', answersTable('The answer', task, rows));
  if (task.table) put('table', task.table(text, more));
  const ids = tensor([asked.row], { dtype: asked.dtype });
  put('flow', chain(linksOf(model.traceMasks(ids))));
  says(sentences(task.sentence(here, settings), here, rows, recorded));
  return example(name, asked, String(model.predict(ids) as Tensor));
}

interface Found {
  here: Answer;
  recorded: Recorded | undefined;
  asked: Asked;
  more: number;
}

function rowsOf(
  { here, recorded, asked, more }: Found,
  task: Task,
  { model }: Stored<Notes>,
): AnswerRow[] {
  const against = here.numbers;
  const rows: AnswerRow[] = [{ who: 'here', ...here, chosen: true }];
  if (recorded) rows.push({ who: 'Python, recorded', ...recorded, against });
  if (asked.bare && more > 0) {
    rows.push({ who: 'no padding', ...answer(model, task, asked.bare, asked), against });
  }
  rows.push({ who: 'no mask', ...unmasked(model, task, asked), against });
  return rows;
}

function sentences(
  first: string,
  { numbers }: Answer,
  rows: AnswerRow[],
  recorded: Recorded | undefined,
): string {
  const bare = rows.find(({ who }) => who === 'no padding');
  const parts = [first];
  if (recorded) {
    parts.push(`Python recorded the same to ${gap(largestGap(numbers, recorded.numbers))}.`);
  }
  if (bare) parts.push(`The padding changes it by ${gap(largestGap(numbers, bare.numbers))}.`);
  return parts.join(' ');
}

const list = () => find<HTMLSelectElement>('#models-recorded');

/** The recorded inputs in the list, and among them the one in the control. */
function offer(records: Recorded[], text: string): void {
  const select = list();
  const own = h('option', { value: '' }, 'your own');
  const known = records.map(({ text: value, label }) => h('option', { value }, label));
  const same = [...select.options].slice(1).every((option, i) => option.value === known[i]?.value);
  // Inputs that stand in the list themselves look as they do in the control.
  select.classList.toggle('mono', records[0]?.label === records[0]?.text);
  if (!same || select.options.length !== known.length + 1) select.replaceChildren(own, ...known);
  select.value = records.some((each) => each.text === text) ? text : '';
}

/** The list and the button write into the control of the chosen model. */
export function listenForExamples(): void {
  const form = find<HTMLFormElement>('#models form');
  const name = () => form.querySelector<HTMLInputElement>('[name="model"]:checked')?.value ?? '';
  const write = (text: string) => {
    const control = form.querySelector<HTMLInputElement>(`[name="${name()}"]:not([type="radio"])`);
    if (!control || !text) return;
    control.value = text;
    control.dispatchEvent(new Event('input', { bubbles: true }));
  };
  list().addEventListener('change', () => write(list().value));
  find('[data-random]').addEventListener('click', () => {
    write(tasks[name() as StockName]?.random() ?? '');
  });
}

function example(name: StockName, { row, dtype }: Asked, prints: string): Example {
  return {
    js: program(
      `const model = await loadModel('models/${name}.keras');
const x = tensor(${literal([row])}, { dtype: '${dtype}' });
console.log(String(model.predict(x)));`,
      unseeded,
    ),
    keras: keras(
      `import numpy as np

model = keras.models.load_model("models/${name}.keras")
x = np.array(${pyLiteral([row])}, dtype="${dtype}")
print(model.predict(x))`,
      unseeded,
    ),
    prints,
    note: 'Both programs read the same file, so the weights are the same, too.',
  };
}
