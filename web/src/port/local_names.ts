// SPDX-License-Identifier: MIT
// Names that a program imports from its own modules, and binds in another way, too.
import { type Body, type Imported, type Module, type Stmt, walk } from './ast.js';
import { Identifiers } from './identifiers.js';
import { canonical, isKnownModule } from './paths.js';
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

/** The names that one function, or the module, binds. */
interface Own {
  /** Names that statements other than imports bind. */
  readonly names: Set<string>;
  readonly imports: Import[];
  /** The values of each name: paths of imports, and '' for others. */
  readonly values: Map<string, Set<string>>;
  /** Names that are bound in a branch. */
  readonly branched: Set<string>;
}

const isBranch = ({ kind }: { readonly kind: string }): boolean =>
  kind === 'if' || kind === 'for' || kind === 'while' || kind === 'try';

function ownOf(body: Body, params: readonly string[], all: Own[]): Own {
  const own: Own = {
    names: new Set(params),
    imports: [],
    values: new Map(),
    branched: new Set(),
  };
  all.push(own);
  let depth = 0;
  const bind = (name: string, value = ''): void => {
    if (!value) own.names.add(name);
    own.values.set(name, (own.values.get(name) ?? new Set()).add(value));
    if (depth > 0) own.branched.add(name);
  };
  const visit = (node: Parameters<Parameters<typeof walk>[1]>[0]): boolean => {
    if (node.kind === 'import') {
      own.imports.push(node);
      for (const item of node.names) bind(localOf(item), canonical(pathOfImport(item)));
    }
    if ('to' in node) for (const name of boundBy(node as Stmt)) bind(name);
    if (node.kind === 'for') for (const name of targetNames(node.target)) bind(name);
    if (node.kind === 'walrus') bind(node.name);
    if (node.kind === 'try') for (const { name } of node.handlers) if (name) bind(name);
    if (node.kind === 'def' || node.kind === 'class') {
      const names = node.kind === 'def' ? node.params.map(({ name }) => name) : [];
      ownOf(node.body, names, all);
      return false;
    }
    if (!isBranch(node)) return true;
    depth++;
    for (const part of Object.values(node)) walk(part, visit);
    depth--;
    return false;
  };
  walk(body, visit);
  return own;
}

/** Returns the path that an import binds. */
export const pathOfImport = ({ module, name, as }: Imported): string =>
  name ? `${module}.${name}` : as ? module : (module.split('.')[0] as string);

/** Returns the name that an import binds. */
export const localOf = (item: Imported): string => item.as ?? item.name ?? pathOfImport(item);

/**
 * Marks imports whose names are bound again: from another module, or by a statement of the same
 * function or of the module. JavaScript cannot assign to imported names. Marks names of libraries,
 * too, that have other values in a branch.
 */
export function markRebound({ body }: Module): void {
  const all: Own[] = [];
  const outer = ownOf(body, [], all);
  const sources = new Map<string, Set<string>>();
  const importsOf = all.flatMap((own) => own.imports.map((stmt) => ({ own, stmt })));
  const each = (visit: (own: Own, stmt: Import, name: string, item: Imported) => void): void => {
    for (const { own, stmt } of importsOf)
      for (const item of stmt.names) if (item.name !== '*') visit(own, stmt, localOf(item), item);
  };
  each((_own, _stmt, local, { module, name }) => {
    if (!name || !isLocal(module)) return;
    const known = sources.get(local) ?? new Set();
    sources.set(local, known.add(`${pathOf(module)} ${name}`));
  });
  each((own, stmt, local, { module, name }) => {
    if (!name || !isLocal(module)) {
      const isMixed = own.branched.has(local) && (own.values.get(local)?.size ?? 0) > 1;
      if (isMixed) stmt.mixed = [...(stmt.mixed ?? []), local];
      return;
    }
    const isRebound =
      (sources.get(local)?.size ?? 0) > 1 || own.names.has(local) || outer.names.has(local);
    if (isRebound) stmt.rebound = [...(stmt.rebound ?? []), local];
  });
}
