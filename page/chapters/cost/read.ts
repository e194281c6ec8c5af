// SPDX-License-Identifier: MIT
// The data of the chapter "cost": quartiles of the times that its program measured.
import type { Layer, Tensor } from 'maskflow';
import type { Reader } from '../../engine/worker.js';
import { Advice } from '../../shared/advice.js';
import { type Machine, machineOf } from '../../shared/machine.js';

export interface Quartiles {
  median: number;
  /** Lower end of the middle half of the samples. */
  low: number;
  /** Upper end of the middle half of the samples. */
  high: number;
}

export interface CostRow {
  /** Share of the steps that are kept, from 0 to 1. */
  share: number;
  keptSteps: number;
  /** Number of multiply-adds of the layer for the kept steps. */
  multiplyAdds: number;
  /** Milliseconds for the kept steps only. */
  kept: Quartiles;
  /**
   * How many times as fast as computing every step. Each ratio is of two times that were measured
   * one after the other, so that other programs of the machine disturb both.
   */
  ratio: Quartiles;
}

export interface CostData {
  rows: CostRow[];
  /** Milliseconds for every step, which do not depend on the mask: all measurements together. */
  every: Quartiles;
  shape: number[];
  rounds: number;
  machine: Machine;
}

interface Sample {
  kept: number[];
  every: number[];
}

/** Returns the number of weights that each step is multiplied by: those of matrices, not biases. */
const productsOf = (layer: Layer): number =>
  layer.weights
    .filter(({ shape }) => shape.length === 2)
    .reduce((sum, { name, shape: [rows = 0, columns = 0] }) => {
      // The biases of a GRU are a matrix as well.
      return name === 'bias' ? sum : sum + rows * columns;
    }, 0);

function quartilesOf(samples: number[]): Quartiles {
  const sorted = [...samples].sort((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const [below, above] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    return below + (above - below) * (place % 1);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

const isSample = (value: unknown): value is Sample =>
  ['kept', 'every'].every((name) => {
    const times: unknown = (value as { [name: string]: unknown } | null)?.[name];
    return Array.isArray(times) && times.every((each) => typeof each === 'number');
  });

export const cost: Reader = {
  names: ['layer', 'x', 'masks', 'times'],
  read({ layer, x, masks, times }, flow): CostData {
    if (!Array.isArray(masks) || !Array.isArray(times) || !times.every(isSample) || !layer || !x)
      throw new Advice(
        'The figure draws `layer`, `x`, `masks` and `times`, which has { kept, every } for each mask: the times with it and with all steps.',
      );
    const perStep = productsOf(layer as Layer);
    const rows = (masks as Tensor[]).map((mask, index): CostRow => {
      const keptSteps = Array.from(mask.data()).reduce((sum, keep) => sum + Number(keep), 0);
      const { kept, every } = times[index] ?? { kept: [], every: [] };
      return {
        share: keptSteps / mask.size,
        keptSteps,
        multiplyAdds: keptSteps * perStep,
        kept: quartilesOf(kept),
        ratio: quartilesOf(kept.map((time, round) => (every[round] ?? Number.NaN) / time)),
      };
    });
    const rounds = Math.min(...times.map(({ kept }) => kept.length));
    if (!(rounds > 0)) throw new Advice('Stopped before the end of the first round.');
    const { variant } = flow.runtimeInfo();
    return {
      rows,
      every: quartilesOf(times.flatMap(({ every }) => every)),
      shape: [...(x as Tensor).shape],
      rounds,
      machine: machineOf(variant),
    };
  },
};
