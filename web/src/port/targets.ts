// SPDX-License-Identifier: MIT
// Targets of assignments and loops.
import { Absent } from './absent.js';
import type { Expr } from './ast.js';
import type { Port } from './context.js';
import { type Doc, list, unpacking } from './print.js';
import type { Scope } from './scope.js';
import { isTensor, itemOf, type Type } from './types.js';

/** Returns the name of a variable in JavaScript. */
export const variable = (port: Port, name: string): string => port.identifiers.variable(name);

/** Writes a target whose names are new: `x`, `[x, y]`. */
export function pattern(port: Port, target: Expr): Doc {
  if (target.kind === 'name') return variable(port, target.id);
  if (target.kind === 'star') return ['...', pattern(port, target.value)];
  if (target.kind === 'tuple' || target.kind === 'list') {
    const seen = new Set<string>();
    const items = target.items.map((item): Doc => {
      // Python's `_, _` binds a name twice.
      if (item.kind === 'name' && item.id === '_' && !port.scope.has('_')) return '';
      if (item.kind === 'name' && seen.has(item.id)) return '';
      if (item.kind === 'name') seen.add(item.id);
      return pattern(port, item);
    });
    while (items.at(-1) === '') items.pop();
    return unpacking(list(items), target.items.at(-1)?.kind === 'star');
  }
  if (target.kind === 'sub') {
    const { type } = port.expr(target.value);
    if (target.items.length > 1 || target.items[0]?.kind === 'slice' || isTensor(type)) {
      throw new Absent('absent', target.at, 'this target is one of several; assign it alone');
    }
  }
  return port.place(target).doc;
}

/** Records the types of the names of a target. */
export function bindTypes(
  port: Port,
  target: Expr,
  type: Type | null,
  _whole: Type | null = null,
): void {
  if (target.kind === 'name') setType(port, target.id, type);
  else if (target.kind === 'star') bindTypes(port, target.value, { k: 'list', item: itemOf(type) });
  else if (target.kind === 'tuple' || target.kind === 'list') {
    const items = type?.k === 'list' ? type.items : undefined;
    for (const [i, item] of target.items.entries()) {
      const known = items?.[i] ?? itemOf(type);
      bindTypes(port, item, item.kind === 'star' ? type : known);
    }
  }
}

/** Returns the scope that has a variable, or will have it. */
export const scopeOf = (port: Port, name: string): Scope => port.scope.find(name) ?? port.scope;

/** Records the type of a variable, which has a value from here on. */
export function setType(port: Port, name: string, type: Type | null): void {
  const scope = scopeOf(port, name);
  scope.absent.delete(name);
  if (type) {
    scope.types.set(name, type);
    const last = scope.last.get(name);
    if (!last || last.k === 'none') scope.last.set(name, type);
  } else scope.types.delete(name);
}
