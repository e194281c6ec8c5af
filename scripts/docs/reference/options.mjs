// SPDX-License-Identifier: MIT
// The settings of a parameter that is an options object, and the meaning of a parameter without
// words of its own.
import { Comment, ReflectionKind } from 'typedoc';

const isOptionsName = (name) => /(Options|Config|Settings)$/.test(name);

/** Returns the declarations with members that a type consists of. */
function declarationsOf(type) {
  if (!type) return [];
  if (type.type === 'intersection') return type.types.flatMap(declarationsOf);
  if (type.type === 'optional') return declarationsOf(type.elementType);
  if (type.type === 'union') {
    const objects = type.types.filter(
      ({ type: kind }) => kind === 'reference' || kind === 'reflection',
    );
    if (objects.length === 1) return declarationsOf(objects[0]);
    // A type without members, such as DType, may stand in place of the settings.
    return objects.flatMap((each) =>
      each.declaration ? declarationsOf(each) : namedOptions(each),
    );
  }
  if (type.type === 'reflection') return type.declaration.children ? [type.declaration] : [];
  return namedOptions(type);
}

/** Returns the members that `Pick` or `Omit` leaves of options. */
function chosenOptions({ name, typeArguments: [options, keys] }) {
  const names = new Set((keys.types ?? [keys]).map(({ value }) => value));
  return declarationsOf(options).map(({ children = [] }) => ({
    children: children.filter((child) => names.has(child.name) === (name === 'Pick')),
  }));
}

/** Returns the interface of options that a type names. */
function namedOptions(type) {
  if (/^(Pick|Omit)$/.test(type.name) && type.typeArguments) return chosenOptions(type);
  const { reflection } = type;
  if (!reflection || !isOptionsName(reflection.name)) return [];
  if (reflection.kindOf(ReflectionKind.Interface)) return [reflection];
  return reflection.kindOf(ReflectionKind.TypeAlias) ? declarationsOf(reflection.type) : [];
}

/** Places required settings first, then own ones, then inherited ones. */
const placeOf = ({ flags, inheritedFrom }) =>
  2 * Number(flags.isOptional) + Number(!!inheritedFrom);

/** Adds a setting by its name. The first one counts; it may have its words from a later one. */
function addSetting(byName, child) {
  const known = byName.get(child.name);
  if (!known) byName.set(child.name, child);
  else known.comment ??= child.comment;
}

/**
 * Whether a type is that of other things and may be options in their place: `targets | FitOptions`.
 * The settings are those of the parameter after it.
 */
const isMostlyOther = ({ type, types = [] }) => {
  const named = types.flatMap(({ reflection }) => reflection ?? []);
  const isWord = ({ type: alias }) => alias?.types?.every((each) => each.type === 'literal');
  return (
    type === 'union' &&
    named.some(({ name }) => isOptionsName(name)) &&
    named.some((other) => !isOptionsName(other.name) && !isWord(other))
  );
};

/** False for what a signature declares only to exclude it. */
const isSetting = ({ type }) => type?.name !== 'undefined';

/**
 * Returns the settings of a parameter that is an options object, the most important ones first, and
 * the names of interfaces that the page has listed before. Adds the new ones to `listed`.
 */
export function optionsOf(parameter, listed) {
  const byName = new Map();
  const before = [];
  if (isMostlyOther(parameter.type)) return { settings: [], before };
  // The last members of an intersection are the function's own.
  for (const { name, children = [], kind } of declarationsOf(parameter.type).reverse()) {
    const isNamed = kind === ReflectionKind.Interface;
    if (isNamed && listed.has(name)) {
      before.push(name);
      continue;
    }
    if (isNamed) listed.add(name);
    for (const child of children) addSetting(byName, child);
  }
  const settings = [...byName.values()]
    .filter(isSetting)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  return { settings, before };
}

/** Returns a comment with only the first sentence of another one. */
function firstSentence(comment) {
  const copy = comment.clone();
  copy.blockTags = [];
  const end = copy.summary.findIndex(
    ({ kind, text }) => kind === 'text' && /[.]\s|[.]$/.test(text),
  );
  if (end < 0) return copy;
  const part = copy.summary[end];
  const text = part.text.replace(/(\.)\s[\s\S]*$/, '$1');
  copy.summary = [...copy.summary.slice(0, end), { ...part, text }];
  return copy;
}

const commentOf = (declaration) =>
  declaration?.comment ?? declaration?.signatures?.find(({ comment }) => comment)?.comment;

/** Returns the type that bounds a declaration's type parameter. */
function boundOf({ type, parent }) {
  for (let owner = parent; owner; owner = owner.parent) {
    const bound = owner.typeParameters?.find(({ name }) => name === type.name);
    if (bound) return bound.type;
  }
  return undefined;
}

const plain = (text) => [{ kind: 'text', text }];

/** Returns the comment of a parameter or setting of this name in another signature. */
function meaningElsewhere({ name, parent }) {
  let owner = parent;
  while (owner && !owner.signatures) owner = owner.parent;
  const parameters = (owner?.signatures ?? []).flatMap((each) => each.parameters ?? []);
  const settings = parameters.flatMap(({ type }) => declarationsOf(type));
  return [...parameters, ...settings.flatMap(({ children = [] }) => children)]
    .filter((each) => each.name === name)
    .map((each) => commentOf(each) ?? commentOf(each.type?.reflection))
    .find((comment) => comment !== undefined);
}

/** Returns the setting for which a value may be passed in place of the options, as in Keras. */
export function soleSetting({ types = [] }, settings) {
  const namesOf = (type) => (type.types ?? [type]).map(String);
  const others = types.filter((type) => type.type !== 'reflection').map(String);
  const sole = settings.filter(({ type }) => namesOf(type).sort().join() === others.sort().join());
  return others.length > 0 && sole.length === 1 ? sole[0].name : undefined;
}

/**
 * Returns the comment of a parameter or setting. One without words has the meaning of its name in
 * another signature, or gets the first sentence about its type.
 */
export function meaningOf(declaration) {
  const own = commentOf(declaration) ?? commentOf(declaration.inheritedFrom?.reflection);
  if (own) return own;
  const elsewhere = meaningElsewhere(declaration);
  if (elsewhere) return elsewhere;
  const { type } = declaration;
  if (type?.type === 'literal') return new Comment(plain('No other value is supported.'));
  const named = type?.refersToTypeParameter ? boundOf(declaration) : type;
  const typed = [named, ...(named?.types ?? [])]
    .map((each) => commentOf(each?.reflection))
    .find((comment) => comment !== undefined);
  return typed && firstSentence(typed);
}
