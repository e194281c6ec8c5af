// SPDX-License-Identifier: MIT
// A report is { path: { lines: number, missed: number[] } }: the number of lines with code in each
// file, and the lines that no test runs.

/** Returns the folder of a file below src/ or web/src/. */
function roomOf(path) {
  const [, room] = /^(?:web\/)?src\/(?:(.+?)\/)?/.exec(path) ?? [];
  return room ?? 'entries';
}

const percent = (lines, missed) => (lines === 0 ? 100 : (100 * (lines - missed)) / lines);

export function table(part, report) {
  const rooms = new Map();
  for (const [path, { lines, missed }] of Object.entries(report)) {
    for (const room of [roomOf(path), 'all']) {
      const sum = rooms.get(room) ?? { lines: 0, missed: 0 };
      rooms.set(room, { lines: sum.lines + lines, missed: sum.missed + missed.length });
    }
  }
  console.log(`\n${part.padEnd(16)}lines   run`);
  for (const [room, { lines, missed }] of [...rooms].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const share = percent(lines, missed).toFixed(1);
    console.log(`${room.padEnd(14)}${String(lines).padStart(7)}${share.padStart(6)} %`);
  }
}

/** Returns line numbers as ranges, such as 3, 7–9. */
function ranges(numbers) {
  const found = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found
    .map(([first, last]) => (first === last ? `${first}` : `${first}–${last}`))
    .join(', ');
}

export function listMissed(report, text) {
  for (const [path, { lines, missed }] of Object.entries(report).sort()) {
    if (!path.includes(text) || missed.length === 0) continue;
    const share = percent(lines, missed.length).toFixed(0);
    console.log(`${path} (${share} %): ${ranges(missed)}`);
  }
}
