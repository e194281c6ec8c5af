// SPDX-License-Identifier: MIT
// The start that all entries share, behind `ready` and `restart`. A page has one instance,
// whichever entries it imports; the first `ready` chooses its module.
import { checkSignal, checkOptions } from '../base/check.js';
import { native, setNative, unwrap } from '../engine/engine.js';
import {
  type Chosen,
  compiledModule,
  type PackageModule,
  readyOptions,
  type ReadyOptions,
  type RuntimeInfo,
  setRuntimeInfo,
  startedInfo,
  startErrors,
  seeding,
} from '../engine/runtime.js';
import { chainOps } from '../ops/chain.js';
import { host } from '../layers/host.js';
import { fetchedFiles } from './model_files.js';
import type { NativeModule } from '../engine/native.js';
import { batchPrediction, modelFiles } from '../model/services.js';
import { LayerReference, settingsOf } from '../engine/config_value.js';
import { forgetAll } from '../layers/layer_objects.js';
import { unlessAborted } from '../base/abort.js';
import { version } from '../base/version.gen.js';
import factory from './chunks/glue.js';

/** The TypeScript of an entry: the part that does not depend on where its wasm comes from. */
export interface Content {
  readonly layers: RuntimeInfo['layers'];
  /** Ends the error about an unknown class: where else the class may be. */
  readonly absentNote: string;
  /** Supplies the services that this entry has. */
  supply(): void;
}

/** An entry: its content, and the wasm module that it loads. */
export type Entry = Content & PackageModule;

/** The start under way or finished, shared by all calls of `ready`. */
let starting: Promise<void> | undefined;
/** The entry that began it. */
let startedEntry: Entry | undefined;
let compiling: Promise<Chosen> | undefined;
let restarting: Promise<void> | undefined;
/** Ends the start under way; undefined if its first call has no signal. */
let control: AbortController | undefined;
/** Number of calls that wait for the start under way. */
let waiting = 0;
/** Settings of the core since the start. */
let settings: Settings = {};

type Settings = Omit<ReadyOptions, 'variant' | 'wasm' | 'threads' | 'signal'>;

/** Loads the glue, which asks for the compiled module when it is ready for it. */
async function instantiate(compiling: Promise<Chosen>): Promise<NativeModule> {
  // The import may fail first; the rejection of `compiling` is handled below.
  compiling.catch(() => {});
  return new Promise<NativeModule>((resolve, reject) => {
    // Without WebAssembly the glue fails before it asks for the module.
    compiling.catch(reject);
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object => {
      const run = ({ compiled, threads }: Chosen): Promise<void> =>
        (threads ?? WebAssembly)
          .instantiate(compiled, imports)
          .then((instance) => done(instance, compiled))
          .catch((error: unknown) =>
            import('../engine/wasm_source.js').then(
              ({ foreign }) => reject(foreign(error)),
              reject,
            ),
          );
      compiling.then(run, () => {});
      return {};
    };
    // The glue prepares itself while the wasm compiles; it takes as long as one or two predictions.
    factory({ instantiateWasm }).then((module) => resolve(module as NativeModule), reject);
  });
}

async function start(
  entry: Entry,
  compiling: Promise<Chosen>,
  signal?: AbortSignal,
): Promise<void> {
  const core = await instantiate(compiling);
  const { variant, wasmBytes, threads } = await compiling;
  await threads?.start(signal, (facts) => setRuntimeInfo({ ...startedInfo(), ...facts }));
  // Nothing below waits, so from here on no call can end the start.
  signal?.throwIfAborted();
  if (signal) control = undefined;
  // The core looks this class up by its name.
  Object.assign(core, { LayerReference, absentNote: entry.absentNote });
  setNative(core);
  forgetAll();
  unwrap(core.setHost(host));
  modelFiles.supplied = fetchedFiles;
  batchPrediction.supplied = async (...call) =>
    (await import('../training/predict_all.js')).predictAll(...call);
  entry.supply();
  unwrap(core.configure({ absent_note: entry.absentNote }));
  chainOps();
  settings = {};
  setRuntimeInfo({
    version,
    variant,
    layers: entry.layers,
    kerasSemantics: '3.15',
    maskPropagation: 'keras-3.15',
    onMaskDropped: 'warn',
    wasmBytes,
    ...(threads?.facts ?? { threads: 1, threadsReason: null }),
  });
}

/** Passes settings to the core under their names in snake_case. */
function configure(changes: Settings): void {
  unwrap(native().configure(settingsOf(changes)));
  if (changes.seed !== undefined) seeding.supplied?.(changes.seed);
  settings = { ...settings, ...changes };
  const info = startedInfo();
  const { maskPropagation = info.maskPropagation, onMaskDropped = info.onMaskDropped } = changes;
  setRuntimeInfo({ ...info, maskPropagation, onMaskDropped });
}

/** `ready` of an entry. The first call starts the entry's module; later calls change settings. */
export function readyWith(options: ReadyOptions, entry: Entry): Promise<void> {
  try {
    checkOptions(options, readyOptions);
    checkSignal(options.signal);
  } catch (error) {
    return Promise.reject(error);
  }
  starting ??= begin(options, entry);
  startedEntry ??= entry;
  waiting++;
  const hasOptions = Object.values(options).some((value) => value !== undefined);
  const done =
    hasOptions || entry !== startedEntry
      ? starting.then(() => applyOptions(options, entry))
      : starting;
  return unlessAborted(done, options.signal, leave);
}

function begin(options: ReadyOptions, entry: Entry): Promise<void> {
  waiting = 0;
  control = options.signal && new AbortController();
  const signal = control?.signal;
  compiling = compiledModule({ ...options, signal }, entry);
  const beginning = start(entry, compiling, signal).catch((error: unknown) => {
    if (starting === beginning) starting = startedEntry = control = undefined;
    throw error;
  });
  return beginning;
}

/** Removes an aborted call. The last one ends the start, so that the next call begins another. */
function leave(): void {
  if (--waiting > 0 || !control) return;
  starting = startedEntry = undefined;
  control.abort();
  control = undefined;
}

/**
 * Replaces the wasm instance that runs, or that a trap ended, by a fresh one of the same variant
 * and with the same settings, except for the seed. Nothing is fetched or compiled. Everything in
 * the old instance is lost: calls on its tensors, layers, models and streams throw a StateError
 * from then on. Throws StateError before `ready()`.
 */
export function restart(): Promise<void> {
  restarting ??= startAgain().finally(() => {
    restarting = undefined;
  });
  return restarting;
}

async function startAgain(): Promise<void> {
  // Before ready() this throws its StateError.
  if (!starting) native();
  await starting;
  const { seed: _, ...kept } = settings;
  await start(startedEntry as Entry, compiling as never);
  configure(kept);
}

/** The modules of the package. Each contains everything of the one before. */
const moduleOrder: readonly RuntimeInfo['layers'][] = ['recurrent', 'all', 'train'];

/** Checks that a later call fits the module that runs, and changes the settings. */
async function applyOptions(options: ReadyOptions, entry: Entry): Promise<void> {
  const { variant, wasm: _, threads, signal, ...changes } = options;
  if (threads !== undefined) {
    const { checkSameThreads } = await import('../engine/team.js');
    checkSameThreads(threads, (await compiling) as Chosen);
  }
  signal?.throwIfAborted();
  const running = startedInfo();
  const { layers } = entry;
  const isOther =
    !['auto', running.variant].includes(variant ?? 'auto') ||
    moduleOrder.indexOf(layers) > moduleOrder.indexOf(running.layers);
  if (isOther) (await startErrors()).refuseOther(variant, layers, running);
  configure(changes);
}
