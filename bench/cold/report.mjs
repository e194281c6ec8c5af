// SPDX-License-Identifier: MIT
// A section of docs/performance.md from what scripts/bench/cold.mjs measured.
import { marks } from './summary.mjs';

export const title = '## First prediction of a cold page';
/** Goal in ms: the median in new contexts. */
const goal = 100;

const cell = (time) => (time ? `${time.median.toFixed(0)} (${time.least.toFixed(0)})` : '');

function rowOf(name, times) {
  const met = times.predicted && (times.predicted.median <= goal ? ' ✓' : ' ✗');
  return `| ${[name, ...marks.map((mark) => cell(times[mark]))].join(' | ')}${met ?? ''} |`;
}

const table = (pages, kind) => `| page | ${marks.join(' | ')} |
|---|${marks.map(() => '---|').join('')}
${pages.map((page) => rowOf(page.title, page[kind])).join('\n')}`;

/** Returns the section from the figures of bench/cold/figures.json. */
export function coldSection({ engine, machine, version, count, pages }) {
  return `${title}

Measured by \`npm run bench:cold\`: ${engine}, maskflow ${version},
${machine}.

A page with the entry \`maskflow/recurrent\` makes the model of W5 and predicts once. A server on the
same machine sends the files, not compressed, and nothing is in a cache. Times are milliseconds
since the navigation began, median (least) of ${count}:

- evaluated: the script of the page begins
- fetched: all files have arrived
- compiled: the wasm is compiled
- instantiated: the wasm is instantiated
- ready: \`ready()\` is done
- model: the model is made
- predicted: the numbers are in an array

The goal for "predicted" is ${goal} ms. The last row shows what any page with a module script costs.

In new contexts of one browser:

${table(pages, 'contexts')}

In a browser that has just been started:

${table(pages, 'browsers')}

Any page with a module script takes half of that time. The rest is the first run of the core on the
main thread. V8 compiles some 600 functions lazily, each when it is first called, and Embind
registers the functions that JavaScript sees. Node has an option that compiles all functions at
once, but this takes as long.
`;
}
