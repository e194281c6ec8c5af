// SPDX-License-Identifier: MIT
// The chapters in order. The first is part of the page's script; the others load when they come
// near.
import type { Chapter } from '../shared/chapter.js';
import { proof } from './proof/chapter.js';

type Load = () => Promise<Chapter<never>>;

export const chapters: { id: string; load: Load }[] = [
  { id: 'proof', load: async () => proof as Chapter<never> },
  {
    id: 'learning',
    load: async () => (await import('./learning/chapter.js')).learning as Chapter<never>,
  },
  {
    id: 'padding',
    load: async () => (await import('./padding/chapter.js')).padding as Chapter<never>,
  },
  {
    id: 'makers',
    load: async () => (await import('./makers/chapter.js')).makers as Chapter<never>,
  },
  { id: 'flow', load: async () => (await import('./flow/chapter.js')).flow as Chapter<never> },
  { id: 'steps', load: async () => (await import('./steps/chapter.js')).steps as Chapter<never> },
  { id: 'cell', load: async () => (await import('./cell/chapter.js')).cell as Chapter<never> },
  { id: 'cost', load: async () => (await import('./cost/chapter.js')).cost as Chapter<never> },
  {
    id: 'losing',
    load: async () => (await import('./losing/chapter.js')).losing as Chapter<never>,
  },
  { id: 'own', load: async () => (await import('./own/chapter.js')).own as Chapter<never> },
  {
    id: 'stream',
    load: async () => (await import('./stream/chapter.js')).stream as Chapter<never>,
  },
  { id: 'truth', load: async () => (await import('./truth/chapter.js')).truth as Chapter<never> },
];
