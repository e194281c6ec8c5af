// SPDX-License-Identifier: MIT
// A class lists only its own members. Those that it inherits from a documented class are one folded
// list of links.
import { Comment, CommentTag, ReflectionKind } from 'typedoc';

/** The chain of classes that a class extends, also through classes that are not exported. */
function basesOf(reflection, project) {
  const byName = (name) =>
    project
      .getReflectionsByKind(ReflectionKind.Class)
      .find((other) => other.name === name && other !== reflection);
  const names = (reflection.extendedTypes ?? []).map(({ name }) => name);
  // Models extend Layer through a class that is not exported.
  const known = names.map((name) => byName(name === 'Trainable' ? 'Layer' : name)).filter(Boolean);
  return known.flatMap((base) => [base, ...basesOf(base, project)]);
}

const isInherited = (child) =>
  Boolean(child.inheritedFrom ?? child.signatures?.[0]?.inheritedFrom) &&
  !child.kindOf(ReflectionKind.Constructor);

/** Returns a link to a member as a part of a comment. */
const linkTo = (target, text) => ({ kind: 'inline-tag', tag: '@link', text, target });

/** Returns the folded list of links to members of a base. */
function folded(base, names) {
  const members = names.flatMap((name, index) => {
    const member = base.children.find((child) => child.name === name);
    return [...(index > 0 ? [{ kind: 'text', text: ' · ' }] : []), linkTo(member, name)];
  });
  return [
    { kind: 'text', text: `<details>\n<summary>${names.length} members of ` },
    { kind: 'text', text: `${base.name}</summary>\n\n` },
    ...members,
    { kind: 'text', text: '\n\n</details>\n\n' },
  ];
}

const memberOf = (reflection, name) => reflection.children?.find((child) => child.name === name);

/** Adds lists of links to the members in `gone`, each to the base that describes it. */
function addLists(reflection, bases, gone) {
  const byOwner = new Map();
  for (const { name } of reflection.children?.filter((child) => gone.has(child)) ?? []) {
    const owner = bases.find((base) => memberOf(base, name) && !gone.has(memberOf(base, name)));
    if (owner && /^\w+$/.test(name)) byOwner.set(owner, [...(byOwner.get(owner) ?? []), name]);
  }
  if (byOwner.size === 0) return;
  reflection.comment ??= new Comment();
  const lists = [...byOwner].flatMap(([owner, names]) => folded(owner, names));
  reflection.comment.blockTags.push(new CommentTag('@inherited', lists));
}

/** Replaces inherited members of each class by links, if a documented base class describes them. */
export function foldInherited(project) {
  const classes = project.getReflectionsByKind(ReflectionKind.Class);
  const all = classes.map((each) => ({ each, bases: basesOf(each, project) }));
  const gone = new Set(
    all.flatMap(({ each, bases }) =>
      (each.children ?? []).filter(
        (child) => isInherited(child) && bases.some((base) => memberOf(base, child.name)),
      ),
    ),
  );
  for (const { each, bases } of all) addLists(each, bases, gone);
  for (const member of gone) project.removeReflection(member);
  for (const { each } of all) {
    each.extendedTypes = each.extendedTypes?.filter(({ reflection }) => reflection);
  }
}
