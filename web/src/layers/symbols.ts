// SPDX-License-Identifier: MIT
// `input` and `output` of layers and models. A Sequential has symbols only after its graph was
// made, which happens here when somebody asks.
import { StateError } from '../base/errors.js';
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';
import type { Shape } from './layer_config.js';
import { containsLayer, newerThan, objectById } from './layer_objects.js';
import { freeTensors, type SymbolicTensor, wrapTensor } from '../tensor/tensor.js';

type Side = 'inputs' | 'outputs';

/** Symbolic inputs or outputs of a model's graph, or of the first call of a layer. */
export function symbolsOf(
  layer: { readonly handle: NativeLayer },
  side: Side,
  of: 'modelSymbols' | 'layerSymbols',
): SymbolicTensor[] {
  const symbols = unwrap(native()[of](layer.handle));
  freeTensors(symbols[side === 'inputs' ? 'outputs' : 'inputs']);
  return symbols[side].map((handle) => {
    const symbol = wrapTensor(handle);
    symbol.keeps = [layer];
    return symbol;
  });
}

/** Returns the shapes of symbolic tensors, and frees these: one as it is, several as a list. */
export function shapesOf(symbols: readonly SymbolicTensor[]): Shape | Shape[] {
  const shapes = symbols.map((symbol): Shape => [...symbol.shape]);
  for (const symbol of symbols) symbol.dispose();
  return shapes.length === 1 ? (shapes[0] as Shape) : shapes;
}

/**
 * Creates the graphs of living Sequential models around a layer that know their input from a call.
 */
function createGraphsAround(layer: NativeLayer): void {
  for (const id of newerThan(0 as NativeLayer)) {
    const object = objectById<{ isCustom: boolean; isAlive: boolean }>(id);
    if (!object?.isAlive || !('pop' in object) || object.isCustom) continue;
    if (unwrap(native().modelHasGraph(id)) || !containsLayer(id, layer)) continue;
    try {
      const { inputs, outputs } = unwrap(native().modelSymbols(id));
      freeTensors(inputs, outputs);
    } catch (error) {
      // The model does not know its input either.
      if (!(error instanceof StateError)) throw error;
    }
  }
}

/** Symbolic inputs or outputs of the first call of a layer: one as it is, several as a list. */
export function oneOrAll(
  layer: { readonly handle: NativeLayer },
  side: Side,
): SymbolicTensor | SymbolicTensor[] {
  let symbols: SymbolicTensor[];
  try {
    symbols = symbolsOf(layer, side, 'layerSymbols');
  } catch (error) {
    // A Sequential of custom layers has no graph until somebody asks for it.
    if (!(error instanceof StateError)) throw error;
    createGraphsAround(layer.handle);
    symbols = symbolsOf(layer, side, 'layerSymbols');
  }
  return symbols.length === 1 ? (symbols[0] as SymbolicTensor) : symbols;
}
