// SPDX-License-Identifier: MIT
// The chapter "losing": five cases in which the mask decides whether a result is right.
import type { Chapter } from '../../shared/chapter.js';
import { rich } from '../../shared/dom.js';
import { word } from '../../shared/word.js';
import { figureOf } from './figures.js';
import { type Case, caseOf, kerasOf, programOf } from './programs.js';
import type { LosingData } from './read.js';
import { summary } from './sentences.js';
import { sumsOf } from './sums.js';

const leads: { [name in Case]: string } = {
  attention:
    'Each word attends to all [keys], and padding is a key like any other. A key mask removes it before the [softmax].',
  loss: 'A loss is a mean over steps. Without a mask it also grades the padding, where being right is easy or meaningless.',
  decoder:
    'A decoder continues after the last position. Pad in front, so that it continues a word, and give positions to words only.',
  packed:
    'PyTorch’s `PackedSequence` is a mask in other words: only the words, longest row first, with the number of rows that are left at each step.',
  care: 'Three more columns of padding are added, and no mask is made. Which layers now answer differently at the words?',
};

/** Returns a lead as nodes; words in brackets are explained. */
const leadOf = (name: Case): (Node | string)[] =>
  leads[name]
    .split(/[[\]]/)
    .flatMap((part, index) =>
      index % 2 ? [word(part.replace(/s$/, ''), part)] : (rich(part) as (Node | string)[]),
    );

export const losing: Chapter<LosingData> = {
  id: 'losing',
  usesBatch: true,
  program: programOf,
  keras: kerasOf,

  controls(scene) {
    scene.section.dataset['case'] = caseOf(scene);
    scene.put('lead', ...leadOf(caseOf(scene)));
  },

  draw(data, scene) {
    scene.put('figure', ...figureOf(data, scene.batch));
  },

  sums: (data) => sumsOf(data),

  summarize: (data, { batch, settings }) => summary(data, batch, settings.flag('causal')),
};
