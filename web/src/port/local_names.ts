// SPDX-License-Identifier: MIT
// Names that a program imports from its own modules, and binds in another way, too.
import { type Body, type Imported, type Module, type Stmt, walk } from './ast.js';
import { Identifiers } from './identifiers.js';
import { isKnownModule } from './paths.js';
import { boundBy, targetNames } from './scope.js';

type Import = Stmt & { kind: 'import' };

/** Modules of other packages that programs import. */
const packages =
  /^(matplotlib|pandas|seaborn|plotly|scipy|torch|jax|transformers|datasets|nltk|spacy|cv2|PIL|tqdm|gym|gymnasium|requests|tensorflow_\w+|keras_\w+|kerastuner|statsmodels|h5py|IPython|google|wandb|optuna|mlflow|yfinance|gensim|flask|librosa|absl|imblearn|xgboost)\b/;

const libraries = /^(keras|tf_keras|keras_core|keras_preprocessing|tensorflow|numpy|sklearn)\b/;

/** Returns whether names of a module have partners here. */
export const isLibrary = (module: string): boolean =>
  libraries.test(module) || isKnownModule(module);

/** Returns whether a module belongs to the program itself, as in `from common import fill`. */
export const isLocal = (module: string): boolean =>
  module.startsWith('.') ||
  !(isLibrary(module) || module === '__future__' || packages.test(module));

/** Returns the path of a module of the program. */
export const pathOf = (module: string): string =>
  `./${module
    .replace(/^\.+/, '')
    .split('.')
    .map((part) => part.replace(/[^\w-]/g, ''))
    .join('/')}.mjs`;

/** Returns the name under which the translation of a module knows a name. */
export const exportedAs = (name: string): string => new Identifiers(new Set()).variable(name);

/** The names that one function, or the module, binds by itself. */
interface Own {
  readonly names: Set<string>;
  readonly imports: Import[];
}

/** Imports that may fail in Python have one form here, so their handlers are left out. */
export const isImportAttempt = (stmt: Stmt): boolean =>
  stmt.kind === 'try' && stmt.body.every(({ kind }) => kind === 'import');

function ownOf(body: Body, params: readonly string[], all: Own[]): Own {
  const own: Own = { names: new Set(params), imports: [] };
  all.push(own);
  const visit = (node: Parameters<Parameters<typeof walk>[1]>[0]): boolean => {
    if (node.kind === 'import') own.imports.push(node);
    if ('to' in node) for (const name of boundBy(node as Stmt)) own.names.add(name);
    if (node.kind === 'for') for (const name of targetNames(node.target)) own.names.add(name);
    if (node.kind === 'walrus') own.names.add(node.name);
    if (node.kind === 'try') {
      if (isImportAttempt(node)) {
        walk(node.body, visit);
        return false;
      }
      for (const { name } of node.handlers) if (name) own.names.add(name);
    }
    if (node.kind === 'def' || node.kind === 'class') {
      const names = node.kind === 'def' ? node.params.map(({ name }) => name) : [];
      ownOf(node.body, names, all);
      return false;
    }
    return true;
  };
  walk(body, visit);
  return own;
}

/**
 * Marks imports whose names are bound again: from another module, or by a statement of the same
 * function or of the module. JavaScript cannot assign to imported names.
 */
export function markRebound({ body }: Module): void {
  const all: Own[] = [];
  const outer = ownOf(body, [], all);
  const sources = new Map<string, Set<string>>();
  const importsOf = all.flatMap((own) => own.imports.map((stmt) => ({ own, stmt })));
  const each = (visit: (own: Own, stmt: Import, name: string, item: Imported) => void): void => {
    for (const { own, stmt } of importsOf) {
      for (const item of stmt.names) {
        const { module, name, as } = item;
        if (name && name !== '*' && isLocal(module)) visit(own, stmt, as ?? name, item);
      }
    }
  };
  each((_own, _stmt, local, { module, name }) => {
    const known = sources.get(local) ?? new Set();
    sources.set(local, known.add(`${pathOf(module)} ${name}`));
  });
  each((own, stmt, local) => {
    const isRebound =
      (sources.get(local)?.size ?? 0) > 1 || own.names.has(local) || outer.names.has(local);
    if (isRebound) stmt.rebound = [...(stmt.rebound ?? []), local];
  });
}
