// SPDX-License-Identifier: MIT
// Completes the reference of each layer and op: adds a table of the options, the layer's use of
// masks, and the program of docs/examples. Each layer and op has one page.
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Comment, CommentTag, Converter, ReflectionKind } from 'typedoc';
import { camel, snake } from '../generate/words.mjs';
import { at, filesUnder, readIfThere } from '../lib/files.mjs';
import { splitDefault } from './reference/defaults.mjs';
import { errorsOfPackage, rooms } from './reference/errors.mjs';
import { foldInherited } from './reference/inherited.mjs';
import { cell, ReferenceTheme, table } from './reference/theme.mjs';
import { moveThrows } from './reference/throws.mjs';

const text = (string) => [{ kind: 'text', text: string }];

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

/** Longest message of the reference; lists of names may be longer. */
const kMaxMessage = 240;

const quote = (message) =>
  `\`\` ${message.length > kMaxMessage ? `${message.slice(0, kMaxMessage)}…` : message} \`\``;

/** Lists errors of wrong calls with their messages, unless the comment says what is thrown. */
function addErrors(reflection, errors = []) {
  const { blockTags } = commentOf(reflection);
  if (errors.length === 0 || blockTags.some(({ tag }) => tag === '@throws')) return;
  const lines = errors.map(({ name, code, message }) => {
    const usual = `ERR_${name.replace('Error', '').toUpperCase()}`;
    return `- \`${name}\`${code === usual ? '' : `, \`${code}\``}: ${quote(message)}`;
  });
  const words = `Wrong calls throw, for example:\n\n${lines.join('\n')}`;
  blockTags.push(new CommentTag('@throws', text(words)));
}

const wordsOf = (comment) => comment?.summary.map((part) => part.text).join('') ?? '';

/** Brackets that stand for a link until the table is complete. */
const linked = /⟦(\w+)⟧/;
const typeOf = ({ type }) => (type.reflection ? `⟦${type.name}⟧` : `\`${cell(String(type))}\``);

/** Returns a table row for a setting. */
function optionRow(setting) {
  const { words, preset } = splitDefault(wordsOf(setting.comment));
  const isWords = /^[a-z]+ /i.test(preset);
  const value = isWords ? preset : preset && `\`${preset.replaceAll('`', '')}\``;
  return {
    name: `\`${setting.name}\`<br>${typeOf(setting)}`,
    preset: setting.flags.isOptional ? value || 'optional' : 'required',
    words,
  };
}

const isOwn = (setting) => !setting.inheritedFrom;
const requiredFirst = (a, b) => Number(a.flags.isOptional) - Number(b.flags.isOptional);

/** Returns the table of a layer's options as parts of a comment. */
function optionsTable(config) {
  const own = (config?.children ?? []).filter(isOwn).toSorted(requiredFirst);
  return own.length > 0 ? tableOf(own, '\n\n## Options\n\n') : [];
}

/** Options that all calls have; the page of CallOptions describes them. */
const everyCall = ['mask', 'training'];

/** Says how a layer is called; a table describes the options that only some layers have. */
function callOf(names, callOptions, up) {
  const own = callOptions.children.filter(
    ({ name }) => names.includes(name) && !everyCall.includes(name),
  );
  // A phone shows about this many names; the table has the others.
  const rest = own.length > 3 ? ['…'] : own.map(({ name }) => name);
  const call = `\`layer.apply(inputs, { ${[...everyCall, ...rest].join(', ')} })\``;
  const line = `\n\nCall it with ${call}: [options of calls](../${up}interfaces/CallOptions.md).`;
  return { line, table: own.length > 0 ? tableOf(own, '\n\n## Call options\n\n') : [] };
}

/** Returns a table of settings as parts of a comment, with links to their types. */
function tableOf(settings, before) {
  const types = new Map(settings.map(({ type }) => [type.name, type.reflection]));
  const words = `${before}${table('option', settings.map(optionRow))}`;
  return words.split(linked).map((piece, index) => {
    if (index % 2 === 0) return { kind: 'text', text: piece };
    return { kind: 'inline-tag', tag: '@link', text: piece, target: types.get(piece) };
  });
}

const usesMask = `**Masks**: the values of masked steps do not affect the result.`;

function masksAndCases({ uses, cases } = {}, up) {
  const counted =
    cases && `**Equals Keras** in ${cases} recorded cases ([all layers](../../../${up}layers.md)).`;
  return [uses && usesMask, counted].filter(Boolean).map((line) => `\n\n${line}`);
}

function describeLayer(layer, factory, { config, row, names, callOptions }) {
  const comment = layer.comment;
  // The pages of maskflow/train are in a folder of that of maskflow, which has the page of Layer.
  const up = '../'.repeat(layer.parent.name.split('/').length - 1);
  const made = `\n\nCreate it with \`layers.${factory}(${config ? 'options' : ''})\` or \`new ${layer.name}\`. It has all members of [Layer](../${up}classes/Layer.md).`;
  const call = callOf(names, callOptions, up);
  comment.summary.push(
    ...text([made, call.line, ...masksAndCases(row, up)].join('')),
    ...optionsTable(config),
    ...call.table,
  );
}

const within = (name) => (reflection) => reflection.parent?.name === name;
const childOf = (parent, kind, name) =>
  parent.children?.find((child) => child.name === name && child.kindOf(kind));

function describeLayers(project, errors, missing) {
  const rows = layerRows();
  const [callOptions] = project
    .getReflectionsByKind(ReflectionKind.Interface)
    .filter(({ name }) => name === 'CallOptions');
  const factories = project.getReflectionsByKind(ReflectionKind.Function).filter(within('layers'));
  for (const factory of [...factories, ...variableFactories(project)]) {
    const signature = factory.signatures?.[0] ?? factory.type?.declaration?.signatures?.[0];
    const entry = factory.parent.parent;
    const name = layerOf(factory, signature);
    const layer = childOf(entry, ReflectionKind.Class, name);
    if (!layer) continue;
    const config = childOf(entry, ReflectionKind.Interface, `${name}Config`);
    addExample(layer, `layers/${factory.name}`, missing);
    addErrors(layer, errors.layers.get(factory.name));
    describeLayer(layer, factory.name, {
      config,
      callOptions,
      row: rows.get(name),
      names: (errors.calls.get(factory.name) ?? []).map(camel),
    });
    describeWeights(layer);
    project.removeReflection(factory);
    if (config) project.removeReflection(config);
    removeInherited(project, layer);
  }
}

/** Describes the properties that are weights: their types are generated without words. */
function describeWeights(layer) {
  for (const child of layer.children ?? []) {
    if (child.comment || String(child.type) !== 'Variable | null') continue;
    const words = `The weight \`${snake(child.name)}\`; null before the layer is built, and if it has none. Throws UnsupportedError without \`maskflow/train\`.`;
    child.comment = new Comment(text(words));
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

/** Says below the words of an op that its result loses the mask. */
function describeMask(op, { comment, type }) {
  if (!comment || String(type) !== 'Tensor') return;
  const up = '../'.repeat(op.parent.parent.name.split('/').length - 1);
  const guide = `[Masks](../../../../../${up}guides/masks.md#where-it-goes)`;
  const words = `\n\n**Masks**: the result has no mask. ${guide} says how to keep it.`;
  comment.summary.push(...text(words));
}

/** Describes the ops. Removes their second signature, which is for symbolic tensors. */
function describeOps(project, errors, missing) {
  for (const op of project.getReflectionsByKind(ReflectionKind.Function).filter(within('ops'))) {
    const [first, ...others] = op.signatures;
    for (const other of others) {
      if (String(other.type).startsWith('Symbolic')) project.removeReflection(other);
    }
    describeMask(op, first);
    addExample(first, `ops/${op.name}`, missing);
    addErrors(first, errors.ops.get(op.name));
  }
}

/**
 * Describes the objects of functions (`losses`, `optimizers`), each on one page with all its
 * examples.
 */
function describeTraining(project, errors) {
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
  for (const [room, folder] of Object.entries(rooms)) {
    // A function with several signatures may be a variable.
    const variables = project.getReflectionsByKind(ReflectionKind.Variable);
    for (const each of [...functions, ...variables].filter(within(room))) {
      const described = each.signatures?.[0] ?? each;
      addExample(described, `${folder}/${each.name}`);
      addErrors(described, errors[room].get(each.name));
    }
  }
  for (const figure of functions.filter(({ name }) => name.startsWith('draw'))) {
    addExample(figure.signatures[0], `draw/${figure.name}`);
  }
  for (const ported of functions.filter(({ name }) => name === 'port')) {
    addExample(ported.signatures[0], 'port/port');
  }
  for (const named of project.getReflectionsByKind(ReflectionKind.Class)) {
    const folder = /(text|tags|random)$/.exec(named.parent.name)?.[0];
    if (folder) addExample(named, `${folder}/${named.name}`);
  }
  for (const { name, signatures } of functions.filter(({ parent }) => /tags$/.test(parent.name))) {
    addExample(signatures[0], `tags/${name}`);
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

const isDocumented = (kind) =>
  [ReflectionKind.Function, ReflectionKind.Class, ReflectionKind.Variable].includes(kind);

/** Returns the declaration of a name such as `padSequences` or `Model.fit`. */
function declarationOf(project, path) {
  const [name, member] = path.split('.');
  const found = Object.values(project.reflections).find(
    (each) => each.name === name && isDocumented(each.kind) && each.parent?.kind === moduleKind,
  );
  return member ? found?.children?.find((child) => child.name === member) : found;
}
const moduleKind = ReflectionKind.Module;

/** Adds the programs of docs/examples/api, in place of shorter examples in doc comments. */
function addPrograms(project, missing) {
  for (const path of filesUnder('docs/examples/api', /\.mjs$/)) {
    const name = basename(path, '.mjs');
    const declaration = declarationOf(project, name);
    if (!declaration) {
      missing.push(`${name}, which docs/examples/api/${name}.mjs shows`);
      continue;
    }
    for (const { comment } of declaration.signatures ?? []) comment?.removeTags('@example');
    addExample(declaration.signatures?.at(-1) ?? declaration, `api/${name}`);
  }
}

/** Leaves out `this` and types that only the package itself passes. */
function arrangeParameters(signature) {
  signature.parameters = signature.parameters?.filter(({ name }) => name !== 'this');
  for (const parameter of signature.parameters ?? []) {
    const { type } = parameter;
    if (type?.type !== 'union') continue;
    const others = type.types.filter(({ name }) => name !== 'Prepared');
    if (others.length === 1) [parameter.type] = others;
  }
}

/** Counts the words of a comment; tags weigh more. */
const weightOf = (comment) => wordsOf(comment).length + 200 * (comment?.blockTags.length ?? 0);

/** Places the signature with the most words first, which is the usual one. */
const byWords = (a, b) => weightOf(b.comment) - weightOf(a.comment);

/** Says once what several signatures of a function share, and lists the errors below the result. */
function arrangeComments(project) {
  for (const { signatures = [], comment } of Object.values(project.reflections)) {
    const [first, ...others] = signatures.sort(byWords);
    for (const other of others) {
      const isRepeated = first.comment && wordsOf(other.comment) === wordsOf(first.comment);
      if (isRepeated) other.comment = undefined;
    }
    for (const signature of signatures) {
      moveThrows(signature.comment);
      arrangeParameters(signature);
    }
    moveThrows(comment);
  }
  for (const { getSignature, setSignature } of Object.values(project.reflections)) {
    moveThrows(getSignature?.comment);
    moveThrows(setSignature?.comment);
  }
}

export async function load(app) {
  const errors = await errorsOfPackage();
  app.renderer.defineTheme('reference', ReferenceTheme);
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    const missing = [];
    arrangeComments(project);
    describeLayers(project, errors, missing);
    describeOps(project, errors, missing);
    describeTraining(project, errors);
    describeNamespace(project);
    addPrograms(project, missing);
    foldInherited(project);
    complain(app, missing);
  });
}
