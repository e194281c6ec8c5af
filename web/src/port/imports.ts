// SPDX-License-Identifier: MIT
// Import statements of the program.
import { adviceFor } from './absent.js';
import type { Imported, Stmt } from './ast.js';
import type { Port } from './context.js';
import { isKnownModule } from './paths.js';
import type { Doc } from './print.js';
import { setType, variable } from './targets.js';
import { any } from './types.js';

const libraries = /^(keras|tf_keras|keras_core|keras_preprocessing|tensorflow|numpy|sklearn)\b/;

/** Binds the names of an import; what has no partner becomes a note. */
export function importLines(port: Port, stmt: Stmt & { kind: 'import' }): Doc[] {
  return stmt.names.flatMap((each) => imported(port, each, stmt.at));
}

function imported(port: Port, { module, name, as }: Imported, at: number): Doc[] {
  if (module === '__future__') return [];
  if (name === '*') return star(port, module, at);
  const path = name ? `${module}.${name}` : as ? module : (module.split('.')[0] as string);
  const local = as ?? name ?? path;
  if (libraries.test(module) || isKnownModule(module)) {
    setType(port, local, { k: 'lib', path });
    port.libraries.set(local, path);
    return [];
  }
  if (name && isLocal(module)) return fromProgram(port, module, name, as, at);
  setType(port, local, { k: 'lib', path });
  port.libraries.set(local, path);
  port.note(at, 'import', `${module} has no partner here: ${adviceFor(module)}`);
  return [`// Not translated: import of ${path.replace(/[^\w.]/g, '')}`];
}

/** Modules of other packages that programs import. */
const packages =
  /^(matplotlib|pandas|seaborn|plotly|scipy|torch|jax|transformers|datasets|nltk|spacy|cv2|PIL|tqdm|gym|gymnasium|requests|tensorflow_\w+|keras_\w+|kerastuner|statsmodels|h5py|IPython|google|wandb|optuna|mlflow|yfinance|gensim|flask|librosa|absl|imblearn|xgboost)\b/;

/** A module of the program itself, such as `from common import fill`. */
const isLocal = (module: string): boolean => module.startsWith('.') || !packages.test(module);

function fromProgram(
  port: Port,
  module: string,
  name: string,
  as: string | null,
  at: number,
): Doc[] {
  const path = `./${module
    .replace(/^\.+/, '')
    .split('.')
    .map((part) => part.replace(/[^\w-]/g, ''))
    .join('/')}.mjs`;
  const local = as ?? name;
  const names = port.others.get(path) ?? new Set<string>();
  const js = variable(port, local);
  names.add(as && as !== name ? `${name} as ${js}` : js);
  port.others.set(path, names);
  setType(port, local, any);
  port.note(
    at,
    'import',
    `${module} is a module of the program; translate it, too, as ${path.slice(2)}`,
  );
  return [];
}

function star(port: Port, module: string, at: number): Doc[] {
  if (!libraries.test(module)) port.note(at, 'import', `${module}: import its names one by one`);
  port.stars.push(module);
  return [];
}
