// SPDX-License-Identifier: MIT
// The chapter "own": a model file of the visitor, or a trained one, and how padding moves its
// answers.
import type { Complaint } from '../../engine/protocol.js';
import { sumOfGap } from '../../shared/arithmetic.js';
import { Advice, type Chapter, type Scene } from '../../shared/chapter.js';
import { lineChart } from '../../shared/chart.js';
import { find, h } from '../../shared/dom.js';
import { count, literal, sentence, upTo } from '../../shared/text.js';
import { checkedPadding, numbers, printed, profileTable, repair, traceTree } from './draw.js';
import { appliedTo, unscaled } from './beside.js';
import { type Chosen, choose, dropped, pythonIn, weightsIn } from './files.js';
import { isSequence, generatedInput, parseInput } from './input.js';
import {
  findProgram,
  fixedLength,
  loadProgram,
  padsOf,
  pythonProgram,
  runProgram,
  stepOf,
  usualPads,
} from './program.js';
import { python } from './python.js';
import type { Facts } from './facts.js';
import type { Answer, Results, OwnData } from './read.js';
import { innerLossOf, lossOf } from './verdict.js';

/** The ids of [(){}], the row of chapter 0. */
const closed = [[3, 1, 2, 5, 6, 4]];
const stock = ['brackets', 'sensor', 'adding'] as const;

/** The chosen files, and the facts of each model that the worker has loaded. */
const state: { chosen: Chosen | undefined; known: Map<unknown, Facts> } = {
  chosen: undefined,
  known: new Map(),
};

const modelOf = ({ settings }: Scene) =>
  settings.choice('model', 'brackets', ...stock, 'own', 'python');
const isPython = (scene: Scene): boolean => modelOf(scene) === 'python';
const isOwn = (scene: Scene): boolean => modelOf(scene) === 'own';
/** Returns the key of a model in `state.known`. */
const keyOf = (scene: Scene): unknown =>
  isPython(scene)
    ? `${python.key} ${scene.settings.text('which')}`
    : isOwn(scene)
      ? state.chosen?.given
      : modelOf(scene);
const opened = ({ settings }: Scene): boolean => settings.flag('open');

/** Differences below this are the rounding of 32-bit numbers. */
const rounding = 1e-6;

export const own: Chapter<OwnData> = {
  id: 'own',
  timeLimit: 60_000,
  engine: (scene) => (isPython(scene) && python.isTraining ? 'train' : 'all'),
  isForeign: isPython,
  controls: (scene) => python.follow(scene),

  program(scene) {
    if (isPython(scene)) return programOfPython(scene);
    const source = isOwn(scene) ? 'given.model' : `'models/${modelOf(scene)}.keras'`;
    if (isOwn(scene)) {
      if (state.chosen?.problem) throw new Advice(state.chosen.problem);
      if (!state.chosen?.given)
        throw new Advice(
          'Drop a model file here, or choose one. Links never contain files; they stay in this browser.',
        );
    }
    const facts = state.known.get(keyOf(scene));
    const given = isOwn(scene) ? state.chosen?.given : undefined;
    if (!facts) return loadProgram(source, given?.beside !== undefined);
    const recorded = given?.recorded !== undefined;
    const open = opened(scene);
    return runProgram({ source, ...typedIn(facts, scene), facts, open, recorded });
  },

  given: (scene) =>
    isPython(scene) ? python.weights : isOwn(scene) ? state.chosen?.given : undefined,

  draw({ facts: found, results }, scene) {
    const known = state.known.get(keyOf(scene));
    // The shapes of the inputs stay as they were found: a model that has run reports its last ones.
    const facts =
      known && isPython(scene)
        ? { ...known, parameters: found.parameters, summary: found.summary }
        : found;
    state.known.set(keyOf(scene), facts);
    const first = known === undefined;
    // The slider moves through one result, which has one description.
    if (!results || results !== drawnBelow) {
      describe(facts, scene);
      offerVariables(facts, scene);
      if (isPython(scene) && results) python.mark(results.trace);
    }
    if (results) drawResults(facts, results, scene);
    else {
      drawnBelow = undefined;
      for (const name of ['answers', 'curves', 'padding', 'repair', 'verify', 'trace', 'profile'])
        scene.put(name);
    }
    // The shapes of the inputs are known now, so the model can run.
    if (first && !results) queueMicrotask(() => (isPython(scene) ? python.redraw() : scene.run()));
  },

  summarize({ facts, results }, scene) {
    if (!results) {
      const what = isPython(scene) ? 'The program has run' : 'The file is loaded';
      return `${what}; the first answer is being computed.`;
    }
    if (!facts.inputs.some(isSequence))
      return 'No input of this model is a sequence, so there is nothing to pad. The figure shows its summary, answer and times.';
    const last = results.answers.at(-1);
    const pads = padsOf({ facts, open: opened(scene) });
    if (!last || pads === 0)
      return `The ${isPython(scene) ? 'code' : 'file'} fixes ${count(fixedLength(facts) ?? 0, 'step')}, so there is no room for empty places. Tick the box to allow rows of any length.`;
    const [masked, bare] = [0, 1].map((which) => largestMove(results, which as 0 | 1)) as [
      number,
      number,
    ];
    const loss = lossOf(results.trace);
    const lost = loss ? `\`${loss.layer}\`` : isPython(scene) && innerLossOf(results.trace);
    if (lost)
      return `Your mask is lost at ${lost}; Keras loses it there, too. ${count(pads, 'empty place')} ${effectOf(masked)}.`;
    const makes = results.trace.some(({ role }) => role === 'makes' || role === 'changes');
    if (!makes)
      return `No layer of this model makes a mask: ${count(pads, 'empty place')} ${effectOf(bare)}. An Embedding with mask_zero, or a Masking layer, would make one.`;
    if (!results.hasBare)
      return `With its masks, ${count(pads, 'empty place')} ${effectOf(masked)}.`;
    return `With its masks, ${count(pads, 'empty place')} ${effectOf(masked)}; with the masks removed, they ${effectOf(bare)}.`;
  },

  sums({ facts, results }) {
    return ([0, 1] as const).flatMap((which) => {
      const answers = results?.answers ?? [];
      const largest = results ? largestMove(results, which) : 0;
      const at = answers.findIndex((pair) => pair[which].moved === largest);
      const places = count(at * stepOf(facts), 'empty place');
      return sumOfGap(answers[at]?.[which].pair, `without and with ${places}`);
    });
  },

  advise({ name, message, code, line }, scene) {
    if (code === 'NO_FILE' && isPython(scene))
      return `${message} Or choose it here, as the weights of this code.`;
    if (name === 'Advice' || name === 'SyntaxError') return undefined;
    if (isPython(scene) && name !== 'Stopped') return adviseOnPython({ name, message, line });
    if (name === 'Stopped')
      return `${message} Use a smaller input, or run the model in your own program, which has no time limit.`;
    if (code === 'ERR_CUSTOM_OBJECTS' || code === 'ERR_UNKNOWN_LAYER')
      return `${name}: ${message}. The file does not contain the Python code of a custom layer: open this program in the playground, write the class there, and pass it to registerLayer.`;
    const facts = state.known.get(keyOf(scene));
    const open = facts && fixedLength(facts) !== undefined && opened(scene);
    const remedy = open ? ` Its file fixes ${fixedLength(facts)} steps: untick “any length”.` : '';
    return `${sentence(`${name}: ${message}`)}${remedy}`;
  },

  refused(scene) {
    drawnBelow = undefined;
    const isEdited = scene.settings.text('code') !== '';
    if (isEdited || !state.known.has(keyOf(scene))) clearFacts(scene);
  },

  start(scene) {
    python.start(scene);
    listenForFiles(scene);
    // On a phone, these tables would be longer than the rest of the chapter.
    const inside = find<HTMLDetailsElement>('[data-inside]', scene.section);
    inside.open = !matchMedia('(max-width: 56rem)').matches;
  },
};

/** Returns the program of the Python code: one that finds its model, then one that runs it. */
function programOfPython(scene: Scene): string {
  const translation = python.translation();
  const facts = state.known.get(keyOf(scene));
  if (!facts) return findProgram(translation, scene.settings.text('which'));
  const values = valuesOf(facts, scene);
  return pythonProgram({ values, facts, open: opened(scene) }, translation);
}

/** Returns the typed text for the input that a tokenizer reads, or the values of all inputs. */
function typedIn(facts: Facts, scene: Scene) {
  const { text } = facts.beside ?? {};
  const typed = scene.settings.text('input').trim();
  if (text && typed === '') return { values: example(facts, scene), texts: [text.sample] };
  if (!text) return { values: valuesOf(facts, scene) };
  const values = example(facts, scene);
  if (facts.inputs.length === 1) return { values, texts: typed.split(/\s*\n\s*/) };
  const texts = textAt(typed, text.input);
  if (!texts) return { values: valuesOf(facts, scene) };
  const others = JSON.parse(typed) as unknown[];
  others[text.input] = values[text.input];
  return { values: parseInput(JSON.stringify(others), openedInputs(facts, scene)), texts };
}

/** Returns the text, or the texts, at a place of a list in JSON; undefined for other values. */
function textAt(typed: string, place: number): string[] | undefined {
  try {
    const texts = [JSON.parse(typed)[place]].flat() as unknown[];
    return texts.every((each) => typeof each === 'string') ? texts : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the typed values for each input, or an example. */
function valuesOf(facts: Facts, scene: Scene) {
  const text = scene.settings.text('input').trim();
  return text === '' ? example(facts, scene) : parseInput(text, openedInputs(facts, scene));
}

/** Names the line of Python that an error comes from. */
function adviseOnPython({ name, message, line }: Pick<Complaint, 'name' | 'message' | 'line'>) {
  const from = line === undefined ? undefined : python.lineOf(line);
  const where = from === undefined ? '' : `Line ${from} of the Python code: `;
  return `${where}${sentence(`${name}: ${message}`)}`;
}

/** Offers the variables that hold a model, if there are several. */
function offerVariables({ variable = '', variables = [] }: Facts, scene: Scene): void {
  find('[data-which]', scene.section).hidden = variables.length < 2;
  const menu = find<HTMLSelectElement>('#own-which', scene.section);
  menu.replaceChildren(...variables.map((name) => h('option', { value: name }, name)));
  menu.value = variable;
}

/** Says what empty places do to an answer, from its largest change. */
const effectOf = (moved: number): string =>
  Number.isNaN(moved) ? 'turn the answer into NaN' : `change the answer by ${upTo(moved)}`;

const largestMove = ({ answers }: Results, which: 0 | 1): number =>
  answers.reduce((largest, pair) => {
    const { moved } = pair[which];
    return Number.isNaN(moved) || moved > largest ? moved : largest;
  }, 0);

/** Returns the input that is used if none is typed. */
function example(facts: Facts, scene: Scene) {
  if (modelOf(scene) === 'brackets') return [closed];
  const values = generatedInput(facts.inputs);
  const { scale } = facts.beside ?? {};
  return scale
    ? values.map((value, index) => (index === scale.input ? unscaled(value, scale) : value))
    : values;
}

/**
 * Returns the inputs with the shapes that may be typed; an open length allows any number of steps.
 */
function openedInputs(facts: Facts, scene: Scene) {
  const length = fixedLength(facts);
  if (length === undefined || !opened(scene)) return facts.inputs;
  return facts.inputs.map((input) =>
    isSequence(input) && input.shape[1] === length
      ? { ...input, shape: [input.shape[0] ?? null, null, ...input.shape.slice(2)] }
      : input,
  );
}

function describe(facts: Facts, scene: Scene): void {
  const title = isPython(scene)
    ? python.title
    : isOwn(scene)
      ? state.chosen?.title
      : `${modelOf(scene)}.keras`;
  const parameters = facts.parameters.toLocaleString('en-US');
  scene.put(
    'file',
    `${title}: ${facts.parameters === 1 ? '1 parameter' : `${parameters} parameters`}.`,
  );
  scene.put('summary', printed(facts.summary, 'Summary of the model'));
  find('[data-facts]', scene.section).hidden = false;
  find('[data-open]', scene.section).hidden = fixedLength(facts) === undefined;
  const shapes = facts.inputs.map(
    ({ name, shape, ids, dtype }) =>
      `${name} (${shape.map((size) => size ?? 'any').join(', ')}), ${ids === undefined ? dtype : ids < 2 ** 31 ? `ids 0 to ${ids - 1}` : 'integers'}`,
  );
  scene.put('hint', `If empty, an input is generated. Expected: ${shapes.join('; ')}.`);
  describeInput(facts, scene);
}

/** Says what may be typed, and what is applied to it. */
function describeInput(facts: Facts, scene: Scene): void {
  const { text, scale } = facts.beside ?? {};
  const isText = text !== undefined && facts.inputs.length === 1;
  scene.put('input-label', isText ? 'Text' : scale ? 'Raw numbers, as JSON' : 'Input, as JSON');
  const length = text && (facts.inputs[text.input]?.shape[1] ?? undefined);
  scene.put('applied', facts.beside ? appliedTo(facts.beside, length) : '');
  const values: unknown[] = example(facts, scene);
  if (text) values[text.input] = text.sample;
  const field = find<HTMLTextAreaElement>('#own-input', scene.section);
  field.placeholder = isText
    ? text.sample
    : shown(values.length === 1 ? values[0] : values).replace(/\s+/g, ' ');
  if (isText) scene.put('hint', 'Type a text; each line is a row of its own.');
}

const shown = (value: unknown): string =>
  typeof value === 'string' || (Array.isArray(value) && value.some((x) => typeof x === 'string'))
    ? JSON.stringify(value)
    : literal(value as never);

function drawResults(facts: Facts, results: Results, scene: Scene): void {
  const { answers, size, hasBare } = results;
  const step = stepOf(facts);
  const pads = padsOf({ facts, open: opened(scene) });
  const slider = find<HTMLInputElement>('#own-pads', scene.section);
  const chosenPads = scene.settings.integer('pads', 0, pads) ?? 0;
  const index = Math.min(Math.ceil(chosenPads / step), answers.length - 1);
  slider.disabled = pads === 0;
  slider.step = String(step);
  // With a new step, the browser would move the slider down, to 0 in a large model.
  slider.value = String(index * step);
  const [masked, bare] = answers[index] ?? [];
  scene.put('pads', String(index * step));
  slider.setAttribute('aria-valuetext', count(index * step, 'empty place'));
  scene.put(
    'answers',
    ...(masked ? answerOf('with its masks', 'kept', masked, size) : []),
    ...(bare && hasBare && pads > 0 ? answerOf('masks removed', 'alarm', bare, size) : []),
  );
  if (pads > 0) scene.put('curves', curves(results, step, index * step));
  else scene.put('curves');
  // The slider does not change the lower part of the figure.
  if (drawnBelow !== results) drawBelow(results, pads, scene);
  drawnBelow = results;
}

/** The answers that the lower part of the figure shows. */
let drawnBelow: Results | undefined;

function drawBelow(results: Results, pads: number, scene: Scene): void {
  const { trace, profile, check, padding } = results;
  scene.put('trace', traceTree(trace));
  scene.put('profile', profileTable(profile, Math.min(usualPads, pads)));
  const lost = pads > 0 ? lossOf(trace) : undefined;
  scene.put('repair', ...(lost ? [repair(lost)] : []));
  scene.put(
    'padding',
    ...(padding === undefined ? [] : [checkedPadding(padding, lost !== undefined)]),
  );
  scene.put('verify', ...(check ? [checked(check)] : []));
}

const answerOf = (who: string, look: string, answer: Answer, size: number): HTMLElement[] => [
  h('dt', {}, h('span', { class: `swatch ${look}` }), who),
  h('dd', { class: look }, h('strong', size > 1 ? { class: 'many' } : {}, numbers(answer, size))),
];

function checked({ passed, lines }: NonNullable<Results['check']>): HTMLElement {
  const verdict = passed ? 'The recording agrees.' : 'The recording does not agree.';
  return h(
    'div',
    { class: passed ? 'checked' : 'checked warned' },
    h('p', {}, h('strong', {}, verdict)),
    ...lines.map((line) => h('p', { class: 'caption' }, line)),
  );
}

function curves({ answers, hasBare }: Results, step: number, marker: number): HTMLElement {
  const line = (which: 0 | 1) =>
    answers.map((pair, index) => [index * step, pair[which].moved] as const);
  const highest = Math.max(
    ...answers.flat().map(({ moved }) => (Number.isFinite(moved) ? moved : 0)),
    rounding,
  );
  const last = (answers.length - 1) * step;
  const top = Number(highest.toPrecision(2));
  return lineChart({
    label: `How much the answer changes with 0 to ${last} empty places, with the model's masks and with them removed.`,
    lines: [
      { name: 'with its masks', look: 'kept', points: line(0) },
      ...(hasBare ? [{ name: 'masks removed', look: 'alarm', points: line(1) } as const] : []),
    ],
    x: [0, last],
    y: [0, Math.max(highest, top)],
    xTicks: [0, 50, 100, 150, 200].filter((tick) => tick <= last),
    yTicks: [0, top],
    xTitle: 'empty places added',
    yTitle: 'the answer changes by',
    marker,
    height: 240,
  });
}

function listenForFiles(scene: Scene): void {
  const { section } = scene;
  const picker = find<HTMLInputElement>('#own-files', section);
  const open = async (promised: Promise<File[]>) => {
    try {
      const files = await promised;
      const code = pythonIn(files);
      const weights = weightsIn(files);
      if (code) return await python.accept(await code.text(), weights ? { weights } : 'kept');
      if (weights && isPython(scene)) return python.useWeights(weights);
      state.chosen = await choose(files, state.chosen?.given);
    } catch {
      state.chosen = {
        title: '',
        problem:
          'These files could not be read. Check that they still exist and that this page may read them.',
      };
    }
    scene.put('chosen', state.chosen.title ? `Your file: ${state.chosen.title}` : 'Your file');
    clearFacts(scene);
    scene.set({ model: 'own', input: '', pads: String(usualPads) });
  };
  // Clearing the field allows choosing a file of the same name again after it was saved.
  picker.addEventListener('click', () => {
    picker.value = '';
  });
  picker.addEventListener('change', (event) => {
    event.stopPropagation();
    if (picker.files?.length) void open(Promise.resolve([...picker.files]));
  });
  picker.addEventListener('input', (event) => event.stopPropagation());
  const light = (on: boolean) => section.classList.toggle('dropping', on);
  section.addEventListener('dragover', (event) => {
    if (event.dataTransfer?.types.includes('Files')) light(true);
  });
  section.addEventListener('dragleave', () => light(false));
  section.addEventListener('drop', (event) => {
    light(false);
    if (event.dataTransfer?.types.includes('Files')) void open(dropped(event.dataTransfer));
  });
  const menu = find<HTMLSelectElement>('#own-which', section);
  menu.addEventListener('input', (event) => event.stopPropagation());
  menu.addEventListener('change', (event) => {
    event.stopPropagation();
    scene.set({ which: menu.value, input: '', pads: String(usualPads) });
  });
  // Deselects the typed input, because another model needs another one.
  for (const radio of section.querySelectorAll('[name="model"]')) {
    radio.addEventListener('input', () => {
      find<HTMLTextAreaElement>('#own-input', section).value = '';
      clearFacts(scene);
    });
  }
}

/** Clears the parts outside the figure, which belong to another model. */
function clearFacts(scene: Scene): void {
  for (const part of ['[data-facts]', '[data-open]', '[data-which]'])
    find(part, scene.section).hidden = true;
  for (const name of ['summary', 'applied']) scene.put(name);
  scene.put('input-label', 'Input, as JSON');
  scene.put('hint', 'If empty, an input that fits the model is generated.');
  find<HTMLTextAreaElement>('#own-input', scene.section).placeholder = '';
  python.mark([]);
}
