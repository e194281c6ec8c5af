// SPDX-License-Identifier: MIT
// Runs all recorded families under one mask rule and counts the results.
import { readdirSync } from 'node:fs';
import * as mf from '../../dist/index.js';
import { checkActivation, checkCase, readFixture, withOverlay } from './recorded_cases.js';

export const families = readdirSync(new URL('../fixtures/layers/', import.meta.url))
  .map((file) => file.replace(/\.json$/, ''))
  .sort();

/**
 * @param {string} family
 * @param {'keras-3.15' | 'keras-3.16'} rule
 * @returns {{ family: string, passed: number, total: number, worst: number, problems: string[] }}
 */
export function runFamily(family, rule) {
  const { cases } = readFixture(`layers/${family}.json`);
  const overlay =
    rule === 'keras-3.16'
      ? (readFixture('next-3.16/layers_masks.json').families[family] ?? {})
      : {};
  const result = { family, passed: 0, total: cases.length, worst: 0, problems: [] };
  for (const recording of cases) {
    const outcome =
      'fn' in recording ? checkActivation(recording) : checkCase(withOverlay(recording, overlay));
    result.worst = Math.max(result.worst, outcome.error);
    if (outcome.problem === null) {
      result.passed++;
    } else {
      result.problems.push(`${recording.name}: ${outcome.problem}`);
    }
  }
  return result;
}

/**
 * Runs all families under a rule in the given variant of the package; with `text`, only families
 * whose names contain it.
 */
export async function runAll(rule, variant, text = '') {
  await mf.ready({ variant, maskPropagation: rule, onMaskDropped: 'warn' });
  return families
    .filter((family) => family.includes(text))
    .map((family) => runFamily(family, rule));
}
