// SPDX-License-Identifier: MIT
// Entities in tags such as B-PER and I-PER, by the rules of the Python package seqeval.
import { show } from '../base/check.js';
import { ConfigError, ValueError } from '../base/errors.js';

/** An entity: the steps from `start` to `end`, without `end`, as in `words.slice(start, end)`. */
export interface Entity {
  /** Type of the entity: 'PER' of 'B-PER'; '_' if the tag has none. */
  type: string;
  /** First step. */
  start: number;
  /** Step after the last one. */
  end: number;
}

/**
 * Which sequences of tags are entities:
 *
 * - 'lenient': every sequence of one type, also without a B at its beginning, as in seqeval's
 *   default. The prefixes of all schemes count.
 * - 'bio': B, then any number of I (IOB2). Other tags are not part of an entity.
 * - 'bioes': S, or B, any number of I, and E.
 * - 'bilou': U, or B, any number of I, and L.
 */
export type TagScheme = 'lenient' | 'bio' | 'bioes' | 'bilou';

type Prefix = 'B' | 'I' | 'E' | 'S' | 'O';
interface Tag {
  readonly prefix: Prefix;
  readonly type: string;
}

/** Prefixes of each scheme; L and U mean the same as E and S. */
const prefixes: { readonly [scheme in TagScheme]: string } = {
  lenient: 'BIESLUO',
  bio: 'BIO',
  bioes: 'BIESO',
  bilou: 'BILUO',
};
const sameAs: { readonly [prefix: string]: Prefix } = { L: 'E', U: 'S' };

/** Throws ConfigError for an unknown scheme. */
export function checkScheme(scheme: unknown): asserts scheme is TagScheme {
  if (typeof scheme === 'string' && Object.hasOwn(prefixes, scheme)) return;
  throw new ConfigError(
    `the scheme is ${show(scheme)} but must be one of ${Object.keys(prefixes).join(', ')}`,
  );
}

/** Splits a tag at its first hyphen. Throws ValueError for a prefix that the scheme lacks. */
function parse(tag: string, scheme: TagScheme): Tag {
  const [prefix = '', ...rest] = tag.split('-');
  if (prefix.length !== 1 || !prefixes[scheme].includes(prefix)) {
    const known = [...prefixes[scheme]].join(', ');
    throw new ValueError(
      `the tag ${show(tag)} does not begin with a prefix of the scheme '${scheme}': ${known}; write tags such as 'B-PER' and 'O'`,
    );
  }
  return { prefix: sameAs[prefix] ?? (prefix as Prefix), type: rest.join('-') || '_' };
}

const outside: Tag = { prefix: 'O', type: '_' };

/** Whether an entity of the tag before ends there. */
const endsBefore = (before: Tag, { prefix, type }: Tag): boolean =>
  before.prefix === 'E' ||
  before.prefix === 'S' ||
  (before.prefix !== 'O' && ('BSO'.includes(prefix) || before.type !== type));

/** Whether an entity begins with a tag. */
const beginsWith = ({ prefix, type }: Tag, before: Tag): boolean =>
  prefix === 'B' ||
  prefix === 'S' ||
  (prefix !== 'O' && ('ESO'.includes(before.prefix) || before.type !== type));

function lenientEntities(tags: readonly Tag[]): Entity[] {
  const entities: Entity[] = [];
  let start = 0;
  let before = outside;
  for (const [step, tag] of [...tags, outside].entries()) {
    if (endsBefore(before, tag)) entities.push({ type: before.type, start, end: step });
    if (beginsWith(tag, before)) start = step;
    before = tag;
  }
  return entities;
}

function strictEntities(tags: readonly Tag[], hasEnds: boolean): Entity[] {
  const entities: Entity[] = [];
  let step = 0;
  while (step < tags.length) {
    const { prefix, type } = tags[step] as Tag;
    const start = step;
    step += 1;
    if (prefix === 'S') entities.push({ type, start, end: step });
    if (prefix !== 'B') continue;
    let last: Prefix = 'B';
    while (step < tags.length && last !== 'E') {
      const next = tags[step] as Tag;
      if (next.type !== type || !'IE'.includes(next.prefix)) break;
      last = next.prefix;
      step += 1;
    }
    if (!hasEnds || last === 'E') entities.push({ type, start, end: step });
  }
  return entities;
}

/** Finds the entities of one sentence. */
export function entitiesOf(tags: readonly string[], scheme: TagScheme): Entity[] {
  const parsed = tags.map((tag) => parse(tag, scheme));
  return scheme === 'lenient' ? lenientEntities(parsed) : strictEntities(parsed, scheme !== 'bio');
}
