// SPDX-License-Identifier: MIT
import { entitySpans } from 'maskflow/tags';

const words = ['Ada', 'Lovelace', 'lived', 'in', 'London'];
const [entities] = entitySpans([['B-PER', 'I-PER', 'O', 'O', 'B-LOC']]);
for (const { type, start, end } of entities)
  console.log(type, words.slice(start, end).join(' '));
// → PER Ada Lovelace
// → LOC London
