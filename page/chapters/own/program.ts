// SPDX-License-Identifier: MIT
// The programs of this chapter. The first one only loads the file, to learn the shapes of its
// inputs; the second one runs, traces and profiles the model.
import { program } from '../../shared/program.js';
import { type Nested, literal } from '../../shared/text.js';
import { idsText, readingImport, readingLines, scaledText } from './beside.js';
import { isSequence } from './input.js';
import type { Facts, InputFacts } from './facts.js';

export const maxPads = 200;

/** Empty places at first, and those of the profile: enough to show what masks change. */
export const usualPads = 20;
const settings = { onMaskDropped: 'silent' };

/** Returns the program that loads a model, and the files beside it. */
export const loadProgram = (source: string, hasBeside = false): string =>
  withImport(
    program(
      [`const saved = await loadModel(${source});`, ...(hasBeside ? readingLines : [])].join('\n'),
      settings,
    ),
    hasBeside,
  );

const withImport = (text: string, hasBeside: boolean): string =>
  hasBeside ? readingImport + text : text;

export interface Request {
  source: string;
  values: readonly Nested[];
  facts: Facts;
  /** Texts of the input that a tokenizer reads. */
  texts?: readonly string[];
  /** Whether to remove the length that the file fixes. */
  open: boolean;
  recorded: boolean;
}

/** A translated program. */
export interface Translation {
  code: string;
  /** The variables of its top level. */
  variables: readonly string[];
  /** The classes that it defines. */
  classes: readonly string[];
  /** Whether the visitor chose a file with weights. */
  isWeighted: boolean;
}

/** The chapter's own part of a program says so, because all of it is on view. */
const ownPart = (what: string) => `// ── From here on, this page: ${what}`;

/**
 * Returns a translated program as this page runs it: with the same start values in each run, with
 * the chosen file in place of those that the program names, and without those that it writes.
 */
function adapted({ code, isWeighted }: Translation): string {
  const isAbsent = 'choose this file as the weights of this code';
  return code
    .replace(/^await ready\(\);$/m, 'await ready({ seed: 7 }); // the same weights in each run')
    .replace(/^( *)(await [^\n]*\.save\w*\([^\n]*\);)$/gm, '$1// $2 // no files are written here')
    .replace(
      /^( *)(await [\w.]+\.loadWeights\()('[^'\n]*')(\);)$/gm,
      isWeighted ? '$1$2given.weights$4' : `$1// $2$3$4 // ${isAbsent}`,
    )
    .replace(/\bloadModel\('[^'\n]*'/g, isWeighted ? 'loadModel(given.weights' : '$&');
}

/** Returns the program that finds the model among the variables of a translated program. */
export const findProgram = (translation: Translation, chosen: string): string =>
  [
    adapted(translation),
    ownPart('which variable holds the model?'),
    `const $variables = { ${translation.variables.join(', ')} };`,
    `const $chosen = ${JSON.stringify(chosen)};`,
    '',
  ].join('\n');

/**
 * Returns the program that computes the figure of a translated one. Names with $ cannot occur in
 * Python.
 */
export function pythonProgram(
  request: Omit<Request, 'source' | 'recorded'>,
  translation: Translation,
): string {
  const { facts } = request;
  const { classes, isWeighted } = translation;
  const variable = facts.variable ?? '';
  const max = padsOf(request);
  const opens = max > 0 ? fixedLength(facts) : undefined;
  const shape = `batch_shape: ([rows, steps, ...rest]) => [rows, steps === ${opens} ? null : steps, ...rest]`;
  const lines = [
    adapted(translation),
    ownPart(`how padding moves the answer of \`${variable}\`.`),
    "import * as $ from 'maskflow';",
    "await $.ready({ onMaskDropped: 'silent' });",
    `const $saved = ${variable};`,
    `const $x = (pads) => ${inputText(request, '$.')};`,
    ...(facts.build ? [`if (!$saved.built) $saved.build(${JSON.stringify(facts.build)});`] : []),
    ...(facts.isGuessed ? ['$saved.predict($x(0)); // builds it'] : []),
    ...(isWeighted ? ['await $saved.loadWeights(given.weights);'] : []),
    'const $changed = (settings) => { // the same weights in a model with other settings',
    '  const swap = (key, value) => (Object.hasOwn(settings, key) ? settings[key](value) : value);',
    `  const customObjects = { ${classes.join(', ')} };`,
    '  const copy = $.Model.fromConfig(JSON.stringify($saved, swap), { customObjects });',
    ...(facts.build ? [`  if (!copy.built) copy.build(${JSON.stringify(facts.build)});`] : []),
    '  copy.setWeights($saved.getWeights());',
    '  return copy;',
    '};',
    'const $copied = (settings) => { // null for models that have no configuration',
    '  try { return $changed(settings); } catch { return null; }',
    '};',
    `const $model = ${opens === undefined ? '$saved' : `$changed({ ${shape} })`};`,
    `const $bare = $copied({ ${opens === undefined ? '' : `${shape}, `}mask_zero: () => false, mask_value: () => 3e38, mask: () => null });`,
    'const $first = (y) => (y.array ? y : Object.values(y)[0]).array();',
    'const $answers = [];',
    `for (let pads = 0; pads <= ${max}; pads += ${stepOf(facts)})`,
    '  $answers.push([$model, $bare ?? $model].map((each) => $.tidy(() => $first(each.predict($x(pads))))));',
    `const $trace = $model.traceMasks($x(${Math.min(2, max)}));`,
    `const $profile = await $model.profile($x(${Math.min(usualPads, max)}), { repeats: ${repeats(facts)} });`,
    ...(max > 0
      ? [`const $padding = await $model.checkPadding($x(2)).catch(({ message }) => message);`]
      : []),
    '',
  ];
  return lines.join('\n');
}

/**
 * Returns the distance between numbers of empty places; for large models only some are computed.
 */
export const stepOf = ({ parameters }: Facts): number =>
  parameters < 100_000 ? 1 : parameters < 2_000_000 ? 10 : 50;

/** Number of timed calls: more for a small model, since clocks of browsers are coarse. */
const repeats = ({ parameters }: Facts): number => (parameters < 100_000 ? 200 : 10);

/** Returns the length that the file fixes for its first sequence, if any. */
export const fixedLength = ({ inputs }: Facts): number | undefined =>
  inputs.find(isSequence)?.shape[1] ?? undefined;

/** Returns the largest number of empty places. */
export function padsOf({ facts, open }: Pick<Request, 'facts' | 'open'>): number {
  if (!facts.inputs.some(isSequence)) return 0;
  return fixedLength(facts) === undefined || open ? maxPads : 0;
}

export function runProgram(request: Request): string {
  const { source, facts, recorded } = request;
  const max = padsOf(request);
  const opens = max > 0 ? fixedLength(facts) : undefined;
  const rebuilt = opens === undefined ? 'saved' : 'changed({ batch_shape })';
  const also = opens === undefined ? '' : 'batch_shape, ';
  const hasBeside = facts.beside !== undefined;
  const lines = [
    `const saved = await loadModel(${source});`,
    ...(hasBeside ? readingLines : []),
    'const changed = (settings) => { // the same weights in a model with other settings',
    '  const swap = (key, value) => (key in settings ? settings[key](value) : value);',
    '  const model = Model.fromConfig(JSON.stringify(saved, swap));',
    '  model.setWeights(saved.getWeights());',
    '  return model;',
    '};',
    ...(opens === undefined
      ? []
      : [
          `const batch_shape = ([rows, steps, ...rest]) => [rows, steps === ${opens} ? null : steps, ...rest];`,
        ]),
    `const model = ${rebuilt};`,
    `const bare = changed({ ${also}mask_zero: () => false, mask_value: () => 3e38, mask: () => null });`,
    `const x = (pads) => ${inputText(request)};`,
    'const first = (y) => (y.array ? y : Object.values(y)[0]).array();',
    'const answers = [];',
    `for (let pads = 0; pads <= ${max}; pads += ${stepOf(facts)})`,
    '  answers.push([model, bare].map((each) => tidy(() => first(each.predict(x(pads))))));',
    `const trace = model.traceMasks(x(${Math.min(2, max)}));`,
    `const profile = await model.profile(x(${Math.min(usualPads, max)}), { repeats: ${repeats(facts)} });`,
    ...(recorded ? ['const check = await verify(saved, await given.recorded.arrayBuffer());'] : []),
  ];
  return withImport(program(lines.join('\n'), settings), hasBeside);
}

/** Returns the text of the input; `flow` is the name of the package in the program. */
function inputText(
  { values, facts, open, texts }: Omit<Request, 'source' | 'recorded'>,
  flow = '',
): string {
  const parts = facts.inputs.map(
    (input, index) =>
      `${flow}${partText(preparedText(index, values[index] ?? [], facts, texts), input, facts, open)}`,
  );
  if (facts.isKeyed) {
    const entries = parts.map(
      (part, index) => `${JSON.stringify(facts.inputs[index]?.name)}: ${part}`,
    );
    return `({ ${entries.join(', ')} })`;
  }
  return parts.length === 1 ? (parts[0] ?? '') : `[${parts.join(', ')}]`;
}

/** Returns the expression for the value of an input, with what stands beside the model. */
function preparedText(
  index: number,
  value: Nested,
  { beside, inputs }: Facts,
  texts: readonly string[] | undefined,
): string {
  if (texts && beside?.text?.input === index)
    return idsText(texts, inputs[index]?.shape[1] ?? undefined);
  return beside?.scale?.input === index ? scaledText(value) : literal(value);
}

function partText(value: string, input: InputFacts, facts: Facts, open: boolean): string {
  const type = `{ dtype: '${input.dtype}' }`;
  const length = input.shape[1] ?? undefined;
  const grows =
    isSequence(input) && (length === undefined || (open && length === fixedLength(facts)));
  if (!grows) return `tensor(${value}, ${type})`;
  const hole = padding(input, facts.maskValue);
  return `tensor(${value}.map((row) => [...row, ...Array(pads).fill(${literal(hole)})]), ${type})`;
}

/** Returns the value of one empty place. */
function padding({ shape, ids, dtype }: InputFacts, maskValue: number): Nested {
  const fill = (axis: number): Nested =>
    axis === shape.length
      ? dtype === 'bool'
        ? false
        : ids === undefined
          ? maskValue
          : 0
      : Array.from({ length: shape[axis] ?? 1 }, () => fill(axis + 1));
  return fill(2);
}
