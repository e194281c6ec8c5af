// SPDX-License-Identifier: MIT
// The chapters in their order. The first comes with the page; each other is fetched when it is near.
import type { Chapter } from '../shared/chapter.js';
import { proof } from './proof/chapter.js';

type Load = () => Promise<Chapter<never>>;

export const chapters: { id: string; load: Load }[] = [
  { id: 'proof', load: async () => proof as Chapter<never> },
];
