// SPDX-License-Identifier: MIT
// The structures of the doubling fuzzer, by name. Each has `make(size, random)`, which returns an
// input, and `run(input)`, which reads or writes it; `max` is the largest size, if limits refuse
// more.
import { dataStructures } from './data.js';
import { fileStructures } from './files.js';
import { graphStructures } from './graphs.js';
import { skeletonStructures } from './skeletons.js';
import { torchStructures } from './torch.js';
import { writerStructures } from './writers.js';

export const structures = {
  ...graphStructures,
  ...fileStructures,
  ...skeletonStructures,
  ...torchStructures,
  ...dataStructures,
  ...writerStructures,
};

export const structureNames = Object.keys(structures);
