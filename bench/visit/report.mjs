// SPDX-License-Identifier: MIT
// A section of docs/performance.md from what scripts/bench/visit.mjs measured.

export const title = '## First visit on a slow line';

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

const summary = (visits) => ({
  time: median(visits.map(({ time }) => time)),
  least: Math.min(...visits.map(({ time }) => time)),
  requests: median(visits.map(({ requests }) => requests)),
  depth: median(visits.map(({ depth }) => depth)),
  bytes: median(visits.map(({ bytes }) => bytes)),
});

/** Returns the figures of all pages, for figures.json. */
export const figures = (pages, facts) => ({
  ...facts,
  pages: pages.map(({ title: page, bundler, output, first, second }) => ({
    title: page,
    bundler,
    output,
    first: summary(first),
    second: summary(second),
  })),
});

const seconds = (time) => (time / 1000).toFixed(2);

function rowOf({ title: page, output, first, second }) {
  return `| ${[
    page,
    `${seconds(first.time)} (${seconds(first.least)})`,
    seconds(second.time),
    first.requests,
    first.depth,
    (first.bytes / 1000).toFixed(0),
    `${output.files}, ${(output.bytes / 1000).toFixed(0)}`,
  ].join(' | ')} |`;
}

const tableOf = (bundler, pages) => `Built by ${bundler}:

| page | first visit, s | second, s | requests | chain | kB fetched | files and kB of the app |
|---|---|---|---|---|---|---|
${pages.map(rowOf).join('\n')}`;

/** Returns the section from the figures of bench/visit/figures.json. */
export function visitSection({ engine, machine, version, count, pages }) {
  const bundlers = [...new Set(pages.map(({ bundler }) => bundler))];
  const tables = bundlers.map((bundler) =>
    tableOf(
      bundler,
      pages.filter((page) => page.bundler === bundler),
    ),
  );
  return `${title}

Measured by \`npm run bench:visit\`: ${engine}, maskflow ${version},
${machine}.

A page loads an LSTM with its embedding that TensorFlow.js saved, and predicts one row. Chromium
emulates slow 4G: 150 ms for each request, 1.6 Mbit/s; files are compressed with Brotli. Times are
seconds from the navigation to the numbers in an array, median (least) of ${count} visits in turns, with
an empty cache and once more with what the first visit left there. "Chain" is the longest row of
requests of which each began after the one before had ended, the page itself included.

${tables.join('\n\n')}
`;
}
