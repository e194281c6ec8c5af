// SPDX-License-Identifier: MIT
// Reduces the visits of a cold start to the figures of docs/performance.md.
import { median } from '../samples.mjs';

/** The marks, in the order in which they occur. */
export const marks = [
  'evaluated',
  'fetched',
  'compiled',
  'instantiated',
  'ready',
  'model',
  'predicted',
];

/** Median and least time of each mark that all visits have, in tenths of a millisecond. */
function summarize(visits) {
  const round = (ms) => Math.round(10 * ms) / 10;
  const presentMarks = marks.filter((name) => visits.every((visit) => name in visit));
  const entries = presentMarks.map((name) => {
    const times = visits.map((visit) => visit[name]);
    return [name, { median: round(median(times)), least: round(Math.min(...times)) }];
  });
  return Object.fromEntries(entries);
}

/** The part of a measurement that is stored in figures.json. */
export function figures({ engine, pages }, { machine, version, count }) {
  const rows = pages.map(({ title, contexts, browsers }) => ({
    title,
    contexts: summarize(contexts),
    browsers: summarize(browsers),
  }));
  return { engine, machine, version, count, pages: rows };
}
