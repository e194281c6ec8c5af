// SPDX-License-Identifier: MIT
// The structures of the doubling fuzzer, by name. Each has `make(size, random)`, which returns an
// input, and `run(input)`, which reads or writes it; `max` is the largest size, if limits refuse
// more, and `first` the least one. A structure that `isMeasured` returns its own costs.
import { commandStructures } from './commands.js';
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
  ...commandStructures,
};

export const structureNames = Object.keys(structures);
