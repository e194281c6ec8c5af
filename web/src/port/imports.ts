// SPDX-License-Identifier: MIT
// Import statements of the program.
import { adviceFor } from './absent.js';
import type { Imported, Stmt } from './ast.js';
import type { Port } from './context.js';
import { exportedAs, isLibrary, isLocal, localOf, pathOf, pathOfImport } from './local_names.js';
import type { Doc } from './print.js';
import { setType, variable } from './targets.js';
import { any } from './types.js';

type Import = Stmt & { kind: 'import' };
type FromModule = Imported & { readonly name: string };

/** Binds the names of an import; what has no partner becomes a note. */
export function importLines(port: Port, stmt: Import): Doc[] {
  return stmt.names.flatMap((each) => imported(port, stmt, each));
}

function imported(port: Port, stmt: Import, item: Imported): Doc[] {
  const { at } = stmt;
  const { module, name, as } = item;
  if (module === '__future__') return [];
  if (name === '*') return star(port, module, at);
  const path = pathOfImport(item);
  const local = localOf(item);
  if (stmt.mixed?.includes(local)) {
    const text = `${local} has several values in branches, of which the last one counts here`;
    port.note(at, 'guess', `${text}; give each a name of its own`);
  }
  if (isLibrary(module)) {
    setType(port, local, { k: 'lib', path });
    port.libraries.set(local, path);
    return [];
  }
  if (name && isLocal(module)) return fromProgram(port, stmt, { module, name, as });
  setType(port, local, { k: 'lib', path });
  port.libraries.set(local, path);
  port.note(at, 'import', `${module} has no partner here: ${adviceFor(module)}`);
  return [`// Not translated: import of ${path.replace(/[^\w.]/g, '')}`];
}

function fromProgram(port: Port, stmt: Import, { module, name, as }: FromModule): Doc[] {
  const path = pathOf(module);
  const local = as ?? name;
  const js = variable(port, local);
  const isRebound = stmt.rebound?.includes(local) ?? false;
  const exported = exportedAs(name);
  const binding = isRebound ? aliasOf(port, `${path} ${name}`, js) : js;
  const names = port.others.get(path) ?? new Set<string>();
  names.add(exported === binding ? binding : `${exported} as ${binding}`);
  port.others.set(path, names);
  setType(port, local, any);
  port.note(
    stmt.at,
    'import',
    `${module} is a module of the program; translate it, too, as ${path.slice(2)}`,
  );
  if (!isRebound) return [];
  const word = port.scope.declares(stmt, [local]);
  return [`${word ? `${word} ` : ''}${js} = ${binding};`];
}

/** Returns the name of an import of which a variable of the program gets the value. */
function aliasOf(port: Port, source: string, js: string): string {
  const alias = port.aliases.get(source) ?? port.identifiers.fresh(js);
  port.aliases.set(source, alias);
  return alias;
}

function star(port: Port, module: string, at: number): Doc[] {
  if (!isLibrary(module)) port.note(at, 'import', `${module}: import its names one by one`);
  port.stars.push(module);
  return [];
}
