// SPDX-License-Identifier: MIT
// Files of torch.jit.save as state dicts.
import type { Budget } from '../open/budget.js';
import { PythonObject } from '../pickle/python_values.js';
import { isTensor, type StoredTensor } from './stored.js';

const kWhere = 'the modules of the file';

/**
 * Returns the tensors of a module of `torch.jit.save` under the names of its state dict. Modules
 * and tensors are the attributes of their module; the program itself is not read.
 */
export function scriptWeights(root: unknown, budget: Budget): Map<string, StoredTensor> {
  const tensors = new Map<string, StoredTensor>();
  const outer = new Set<unknown>();
  const visit = (module: PythonObject, prefix: string, depth: number): void => {
    budget.checkDepth(depth, kWhere);
    budget.spend('entries', 1, kWhere);
    // A damaged file may have a module inside of itself.
    if (outer.has(module)) return;
    outer.add(module);
    for (const [key, value] of module.attributes) {
      const name = `${prefix}${String(key)}`;
      budget.spend('text', name.length, kWhere);
      if (isTensor(value)) tensors.set(name, value);
      else if (value instanceof PythonObject) visit(value, `${name}.`, depth + 1);
    }
    outer.delete(module);
  };
  if (root instanceof PythonObject) visit(root, '', 0);
  return tensors;
}
