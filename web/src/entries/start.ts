// SPDX-License-Identifier: MIT
import { checkSignal, checkOptions } from '../base/check.js';
import { native, setNative, unwrap } from '../engine/engine.js';
import { StateError } from '../base/errors.js';
import {
  checkVariant,
  compiledModule,
  type PackageModule,
  type ReadyOptions,
  type RuntimeInfo,
  setRuntimeInfo,
  startedInfo,
  type Variant,
} from '../engine/runtime.js';
import { chainOps } from '../ops/chain.js';
import { host } from '../layers/host.js';
import { fetchedFiles } from './model_files.js';
import type { NativeModule } from '../engine/native.js';
import { modelFiles } from '../model/services.js';
import { checkDepth, LayerReference } from '../engine/config_value.js';
import { forgetAll } from '../layers/layer_objects.js';
import { unlessAborted } from '../base/abort.js';
import { version } from '../base/version.js';
import type { Compiled } from '../engine/wasm_input.js';

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

let starting: Promise<void> | undefined;
let started: Entry | undefined;
let compiling: Promise<Compiled & { variant: Variant }> | undefined;
let restarting: Promise<void> | undefined;
/** The start under way, if its first call has a signal: what ends it, once no call waits for it any more. */
let control: AbortController | undefined;
let waiting = 0;

async function start(
  entry: Entry,
  compiling: Promise<Compiled & { variant: Variant }>,
  signal?: AbortSignal,
): Promise<void> {
  // Where this fails before the glue is there, that is told below.
  compiling.catch(() => {});
  const { default: factory } = await import('./chunks/glue.js');
  const loaded = await new Promise<NativeModule>((resolve, reject) => {
    // (The glue may never ask for the wasm: without WebAssembly it ends before.)
    compiling.catch(reject);
    const instantiateWasm = (
      imports: WebAssembly.Imports,
      done: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ): object => {
      const run = ({ compiled }: Compiled): Promise<void> =>
        WebAssembly.instantiate(compiled, imports)
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
    // Before the wasm is there: the glue's own beginnings take as long as a prediction or two.
    factory({ instantiateWasm }).then((module) => resolve(module as NativeModule), reject);
  });
  const { variant, wasmBytes } = await compiling;
  // Nothing that follows waits, so no call can end it any more.
  signal?.throwIfAborted();
  if (signal) control = undefined;
  // The core asks for it by name.
  Object.assign(loaded, { LayerReference });
  setNative(loaded);
  forgetAll();
  unwrap(loaded.setHost(host));
  modelFiles.supplied = fetchedFiles;
  entry.supply();
  unwrap(loaded.configure({ absent_note: entry.absentNote }));
  chainOps();
  setRuntimeInfo({
    version,
    variant,
    layers: entry.layers,
    kerasSemantics: '3.15',
    maskPropagation: 'keras-3.15',
    onMaskDropped: 'warn',
    wasmBytes,
  });
}

function configure(options: ReadyOptions): void {
  const before = startedInfo();
  const { maskPropagation, onMaskDropped, seed, maxBytes } = options;
  unwrap(
    native().configure({
      ...(maskPropagation && { mask_propagation: checkDepth(maskPropagation, 'maskPropagation') }),
      ...(onMaskDropped && { on_mask_dropped: checkDepth(onMaskDropped, 'onMaskDropped') }),
      ...(seed !== undefined && { seed: checkDepth(seed, 'seed') }),
      ...(maxBytes !== undefined && { max_bytes: checkDepth(maxBytes, 'maxBytes') }),
    }),
  );
  setRuntimeInfo({
    ...before,
    maskPropagation: maskPropagation ?? before.maskPropagation,
    onMaskDropped: onMaskDropped ?? before.onMaskDropped,
  });
}

/** `ready` of an entry: what it starts is what the entry has. See there. */
export function readyWith(options: ReadyOptions, entry: Entry): Promise<void> {
  try {
    checkOptions(options, {
      variant: 1,
      wasm: 1,
      maskPropagation: 1,
      onMaskDropped: 1,
      seed: 1,
      maxBytes: 1,
      signal: 1,
    });
    checkSignal(options.signal);
  } catch (error) {
    return Promise.reject(error);
  }
  starting ??= begin(options, entry);
  started ??= entry;
  waiting++;
  const settles = Object.values(options).some((value) => value !== undefined);
  const done =
    settles || entry !== started ? starting.then(() => settle(options, entry)) : starting;
  return options.signal ? unlessAborted(done, options.signal, leave) : done;
}

function begin(options: ReadyOptions, entry: Entry): Promise<void> {
  waiting = 0;
  control = options.signal && new AbortController();
  const signal = control?.signal;
  compiling = compiledModule({ ...options, signal }, entry);
  const beginning = start(entry, compiling, signal).catch((error: unknown) => {
    if (starting === beginning) starting = started = control = undefined;
    throw error;
  });
  return beginning;
}

/** Counts a call that was aborted. The last one ends the start, so that the next call begins another. */
function leave(): void {
  if (--waiting > 0 || !control) return;
  starting = started = undefined;
  control.abort();
  control = undefined;
}

/**
 * A fresh wasm instance in place of the one that runs, or that a trap ended: of the same variant and with the same settings,
 * but for the seed. Nothing is fetched or compiled. What the old instance held is gone: its tensors, layers, models and
 * streams are StateErrors from then on. Before `ready()` it is `ready()`'s StateError.
 */
export function restart(): Promise<void> {
  restarting ??= again().finally(() => {
    restarting = undefined;
  });
  return restarting;
}

async function again(): Promise<void> {
  // (Before ready() this is where it says so.)
  if (!starting) native();
  await starting;
  const { maskPropagation, onMaskDropped } = startedInfo();
  await start(started as Entry, compiling as never);
  configure({ maskPropagation, onMaskDropped });
}

/** Modules, each with what the one before has. */
const kinds: readonly RuntimeInfo['layers'][] = ['recurrent', 'all', 'train'];

function settle(options: ReadyOptions, entry: Entry): void {
  options.signal?.throwIfAborted();
  const forced = options.variant;
  if (forced !== undefined) checkVariant(forced);
  const running = startedInfo();
  if (forced && forced !== 'auto' && forced !== running.variant) {
    throw new StateError(
      `the variant '${forced}' was asked for, but '${running.variant}' is running; choose in the first call of ready()`,
    );
  }
  if (kinds.indexOf(entry.layers) > kinds.indexOf(running.layers)) {
    throw new StateError(
      entry.layers === 'train'
        ? 'what trains was asked for, but another module is running; call ready() of maskflow/train before that of other entries'
        : 'all layers were asked for, but the recurrent ones alone are running; call ready() of maskflow before that of maskflow/recurrent',
    );
  }
  configure(options);
}
