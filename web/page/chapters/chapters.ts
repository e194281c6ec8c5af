// SPDX-License-Identifier: MIT
// The chapters in their order; each is fetched when it is near.
import type { Chapter } from '../shared/chapter.js';

type Load = () => Promise<Chapter<never>>;

export const chapters: { id: string; load: Load }[] = [
  { id: 'proof', load: async () => (await import('./proof/chapter.js')).proof as Chapter<never> },
];
