// SPDX-License-Identifier: MIT
// Completes the reference of each layer and op: adds a table of the options, the layer's use of masks, and
// the program of docs/examples. Each layer and op has one page.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Comment, CommentTag, Converter, ReflectionKind } from 'typedoc';
import { at, filesUnder, readIfThere } from '../lib/files.mjs';

const text = (string) => [{ kind: 'text', text: string }];
const cell = (string) => string.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** Returns the rows of docs/layers.md by class. */
function layerRows() {
  const rows = readFileSync(at('docs', 'layers.md'), 'utf8').matchAll(
    /^\| (\w+)[^|]*\| (?:\\\||[^|])*\| (yes)? *\| (\d*) *\|$/gm,
  );
  return new Map([...rows].map(([, name, uses, cases]) => [name, { uses, cases }]));
}

/** Returns a program of docs/examples as a block of code; '' if it is missing. */
function blockOf(path) {
  const program = readIfThere(at('docs', 'examples', `${path}.mjs`));
  return program ? `\`\`\`js\n${program.replace(/^\/\/ SPDX.*\n+/, '').trimEnd()}\n\`\`\`` : '';
}

const commentOf = (reflection) => {
  reflection.comment ??= new Comment();
  return reflection.comment;
};

/**
 * Adds a program to the comment of a reflection as an example. Adds the path of a missing program
 * to `missing`.
 */
function addExample(reflection, path, missing) {
  const block = blockOf(path);
  if (!block) return missing?.push(`docs/examples/${path}.mjs`);
  commentOf(reflection).blockTags.push(new CommentTag('@example', [{ kind: 'code', text: block }]));
}

const wordsOf = (comment) => comment?.summary.map((part) => part.text).join('') ?? '';

/** Returns a table row for a setting. The last sentence of its documentation is its default. */
function optionRow(setting) {
  const [, words, preset = ''] = /^([\s\S]*?)(?: ?Default: ([\s\S]*?)\.?)?$/.exec(
    wordsOf(setting.comment).trim(),
  );
  const shown = setting.flags.isOptional ? preset && `\`${preset}\`` : 'required';
  const option = `\`${setting.name}\`<br>\`${cell(String(setting.type))}\``;
  return `| ${option} | ${cell(shown)} | ${cell(words)} |`;
}

function optionsTable(config) {
  const own = (config?.children ?? []).filter((setting) => !setting.inheritedFrom);
  if (own.length === 0) return '';
  return `\n\n## Options\n\n| option | default | what it does |\n|---|---|---|\n${own.map(optionRow).join('\n')}`;
}

const usesMask = `**Masks**: what a masked step holds does not show in the result.`;

function masksAndCases({ uses, cases } = {}) {
  const counted =
    cases && `**Equals Keras** in ${cases} recorded cases ([all layers](../../../layers.md)).`;
  return [uses && usesMask, counted].filter(Boolean).map((line) => `\n\n${line}`);
}

function describeLayer(layer, factory, config, row) {
  const comment = layer.comment;
  const made = `\n\nMade by \`layers.${factory}(${config ? 'options' : ''})\` or \`new ${layer.name}\`; has all of [Layer](Layer.md).`;
  comment.summary.push(...text([made, ...masksAndCases(row), optionsTable(config)].join('')));
}

const within = (name) => (reflection) => reflection.parent?.name === name;
const childOf = (parent, kind, name) =>
  parent.children?.find((child) => child.name === name && child.kindOf(kind));

function describeLayers(project, missing) {
  const rows = layerRows();
  const factories = project.getReflectionsByKind(ReflectionKind.Function).filter(within('layers'));
  for (const factory of [...factories, ...variableFactories(project)]) {
    const signature = factory.signatures?.[0] ?? factory.type?.declaration?.signatures?.[0];
    const entry = factory.parent.parent;
    const name = layerOf(factory, signature);
    const layer = childOf(entry, ReflectionKind.Class, name);
    if (!layer) continue;
    const config = childOf(entry, ReflectionKind.Interface, `${name}Config`);
    addExample(layer, `layers/${factory.name}`, missing);
    describeLayer(layer, factory.name, config, rows.get(name));
    project.removeReflection(factory);
    if (config) project.removeReflection(config);
    removeInherited(project, layer);
  }
}

const variableFactories = (project) =>
  project.getReflectionsByKind(ReflectionKind.Variable).filter(within('layers'));

/**
 * Returns the class of the layer that a factory creates. The class is the factory's result type or,
 * with states, the second type argument of the result.
 */
function layerOf(factory, signature) {
  return signature?.type?.name ?? factory.type?.typeArguments?.[1]?.name;
}

/**
 * Removes members that the pages need not repeat: the table has the options, and the page of Layer
 * has the members of every layer.
 */
function removeInherited(project, layer) {
  for (const child of [...(layer.children ?? [])]) {
    if (child.inheritedFrom || child.kindOf(ReflectionKind.Constructor)) {
      project.removeReflection(child);
    }
  }
  layer.extendedTypes = undefined;
  layer.typeHierarchy = undefined;
}

/** Describes the ops. Removes their second signature, which is for symbolic tensors. */
function describeOps(project, missing) {
  for (const op of project.getReflectionsByKind(ReflectionKind.Function).filter(within('ops'))) {
    const [first, ...others] = op.signatures;
    for (const other of others) {
      if (String(other.type).startsWith('Symbolic')) project.removeReflection(other);
    }
    addExample(first, `ops/${op.name}`, missing);
  }
}

/**
 * Describes the objects of functions (`losses`, `optimizers`), each on one page with all its
 * examples.
 */
function describeTraining(project) {
  for (const object of project.getReflectionsByKind(ReflectionKind.Variable)) {
    const folder = `training/${object.name}`;
    const names = filesUnder(`docs/examples/${folder}`, /\.mjs$/).map((path) =>
      basename(path, '.mjs'),
    );
    if (names.length === 0) continue;
    const examples = names.map((name) => `### ${name}\n\n${blockOf(`${folder}/${name}`)}`);
    const tag = new CommentTag('@examples', text(examples.join('\n\n')));
    commentOf(object).blockTags.push(tag);
  }
  const functions = project.getReflectionsByKind(ReflectionKind.Function);
  for (const callback of functions.filter(within('callbacks'))) {
    addExample(callback.signatures[0], `training/callbacks/${callback.name}`);
  }
  for (const layer of project.getReflectionsByKind(ReflectionKind.Class)) {
    if (layer.parent.name.endsWith('text')) addExample(layer, `text/${layer.name}`);
  }
}

/** Reports missing examples as an error, unless there are no examples at all. */
function complain(app, missing) {
  if (missing.length === 0) return;
  const complaint = `${missing.length} layers and ops have no example:\n  ${missing.join('\n  ')}`;
  const begun = ['layers', 'ops'].every((kind) => existsSync(at('docs', 'examples', kind)));
  if (begun) app.logger.error(complaint);
  else app.logger.info(complaint);
}

/** Moves the descriptions of `layers` to the pages of the classes. */
function describeNamespace(project) {
  for (const namespace of project
    .getReflectionsByKind(ReflectionKind.Namespace)
    .filter(({ name }) => name === 'layers')) {
    namespace.comment = new Comment(
      text(
        'A function for each layer: `layers.lstm({ units: 32 })` is `new LSTM({ units: 32 })`. The classes have the pages.',
      ),
    );
  }
}

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    const missing = [];
    describeLayers(project, missing);
    describeOps(project, missing);
    describeTraining(project);
    describeNamespace(project);
    complain(app, missing);
  });
}
