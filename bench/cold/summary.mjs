// SPDX-License-Identifier: MIT
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

function middle(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** Of each mark that the visits have: its median and its least time, in tenths of a millisecond. */
function summarize(visits) {
  const rounded = (ms) => Math.round(10 * ms) / 10;
  const there = marks.filter((name) => visits.every((visit) => name in visit));
  const entries = there.map((name) => {
    const times = visits.map((visit) => visit[name]);
    return [name, { median: rounded(middle(times)), least: rounded(Math.min(...times)) }];
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
