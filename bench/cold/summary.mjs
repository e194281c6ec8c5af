// SPDX-License-Identifier: MIT
import { median } from '../samples.mjs';

/** What is marked, in the order in which it happens. */
export const marks = [
  'evaluated',
  'fetched',
  'compiled',
  'instantiated',
  'ready',
  'model',
  'predicted',
];

/** Of each mark that the visits have: its median and its least time, in tenths of a millisecond. */
function summarize(visits) {
  const rounded = (ms) => Math.round(10 * ms) / 10;
  const there = marks.filter((name) => visits.every((visit) => name in visit));
  const entries = there.map((name) => {
    const times = visits.map((visit) => visit[name]);
    return [name, { median: rounded(median(times)), least: rounded(Math.min(...times)) }];
  });
  return Object.fromEntries(entries);
}

/** What is kept of a measurement: figures.json. */
export function figures({ engine, pages }, { machine, version, count }) {
  const rows = pages.map(({ title, contexts, browsers }) => ({
    title,
    contexts: summarize(contexts),
    browsers: summarize(browsers),
  }));
  return { engine, machine, version, count, pages: rows };
}
