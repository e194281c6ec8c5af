// SPDX-License-Identifier: MIT
import { native, unwrap } from '../engine/engine.js';
import type { NativeLayer } from '../engine/native.js';
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

/** One symbolic tensor as it is, several as a list. */
export function oneOrAll(
  layer: { readonly handle: NativeLayer },
  side: Side,
): SymbolicTensor | SymbolicTensor[] {
  const symbols = symbolsOf(layer, side, 'layerSymbols');
  return symbols.length === 1 ? (symbols[0] as SymbolicTensor) : symbols;
}
