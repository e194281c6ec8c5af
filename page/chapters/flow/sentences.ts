// SPDX-License-Identifier: MIT
// The chapter's sentence, from the computed numbers.
import { type Sum, sumOfGap } from '../../shared/arithmetic.js';
import { farthest } from '../../shared/pairs.js';
import { count, largestGap, upTo } from '../../shared/text.js';
import { lostAt } from './lost.js';
import { titleOf } from './notation.js';
import type { FlowData } from './read.js';
import type { Shown } from './shown.js';
import type { State } from './state.js';

/** Returns the title of a line's card if the program is the one of the cards. */
const nameAt = ({ edges }: FlowData, cards: State['cards'], line: number): string | undefined =>
  edges?.length === cards.length && cards[line] ? titleOf(cards[line]) : undefined;

export function describeFlow(data: FlowData, { cards }: State): string {
  const { output, answers } = data;
  const stages = data.chains[0]?.stages ?? [];
  const lost = lostAt(data);
  const hasMask = stages.some(({ maskOut }) => maskOut.some(Boolean));
  const change =
    data.more === undefined
      ? ''
      : `Three more columns of padding change the answer by ${upTo(data.more)}.`;
  const where = lost && (nameAt(data, cards, lost.line) ?? lost.stage.className);
  if (!hasMask) return `No layer makes a mask: padding is data like any other. ${change}`.trim();
  if (lost) {
    // More padding may not change the compared steps, but the padded steps can still differ.
    const difference =
      data.more === 0 && output && answers ? largestGap(output.values, answers.kept) : 0;
    const differs =
      difference > 0 ? ` The answer differs from that with the mask by ${upTo(difference)}.` : '';
    return `The mask is lost at \`${where}\`. ${change}${differs}`.trim();
  }
  const user = stages.findLast(({ role }) => role.startsWith('uses'));
  const goes = user
    ? `The mask reaches the \`${user.className}\`.`
    : 'Nothing uses the mask yet; it is attached to the output.';
  return `${goes} ${change}`.trim();
}

/** Returns the arithmetic of the differences in the sentence. */
export function sumsOf(data: FlowData): Sum[] {
  const { output, answers, moved, results } = data;
  const [first, ...rest] = results;
  if (first)
    return rest.flatMap(({ values, title }) =>
      sumOfGap(farthest(values, first.values), `${title} and ${first.title}`),
    );
  if (data.more !== 0) return sumOfGap(moved, 'before and after');
  return output && answers
    ? sumOfGap(farthest(output.values, answers.kept), 'without and with the mask')
    : [];
}

/** Says why more padding changes the answer, or why it does not. */
export function reasonOf(data: FlowData, { cards }: State): string {
  const stages = data.chains[0]?.stages ?? [];
  if (!stages.some(({ maskOut }) => maskOut.some(Boolean)))
    return 'No layer makes a mask, so padding is data like any other.';
  const lost = lostAt(data);
  if (lost) {
    const where = nameAt(data, cards, lost.line) ?? lost.stage.className;
    return `The mask is lost at \`${where}\`, and the layers behind it cannot tell padding from words.`;
  }
  const user = stages.findLast(({ role }) => role.startsWith('uses'));
  return user
    ? `The mask reaches the \`${user.className}\`, which ignores the padding.`
    : 'Each step is computed by itself, so the new ones do not touch the others.';
}

export function describeResults({ results }: FlowData): string {
  const [first, ...rest] = results;
  if (!first) return '';
  const alike = rest.filter(
    (each) => each.shape.join() === first.shape.join() && each.dtype === 'float32' && !isData(each),
  );
  if (alike.length > 0 && alike.length === rest.length) {
    const parts = alike.map(
      (each) =>
        `\`${each.title}\` differs from \`${first.title}\` by ${upTo(largestGap(each.values, first.values))}`,
    );
    return `${parts.join('; ')}.`;
  }
  const masked = results.flatMap(({ mask }) => mask?.flat() ?? []);
  if (masked.length === 0)
    return `${count(results.length, 'array')}, ${results.length === 1 ? 'without' : 'all without'} a mask.`;
  const dropped = masked.filter((keep) => !keep).length;
  return `Of ${count(masked.length, 'step')} in all of these, ${dropped} ${dropped === 1 ? 'is' : 'are'} masked.`;
}

/** Whether a result is input data, not an answer. */
const isData = ({ dtype }: Shown): boolean => dtype !== 'float32';
