// SPDX-License-Identifier: MIT
// What a cell's answers mean beside what is known of it.

/** The same of several answers: an entry of `known` for each. */
export const same = (names, error, reason) =>
  Object.fromEntries(names.map((name) => [name, { error, reason }]));

/** Does `told` have all of `error`? "…" stands for anything there. */
function says(told, error) {
  let from = 0;
  return oneLine(error)
    .split('…')
    .every((part) => {
      const at = told.indexOf(part, from);
      from = at + part.length;
      return at >= 0;
    });
}

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/**
 * `known` of a cell: name of an answer → { error, reason }; `error` is what a person is told, with "…" for what varies. Answers: those of the programs,
 * 'page' (what a page complains of), 'build' (a warning of the tool), 'cell' (no answers came). A known error that does not come
 * any more is a failure, too: the list must not outlive what it says.
 */
export function judge({ known = {} }, { answers, ...facts }) {
  if (facts.absent) return { ...facts, answers, status: 'not run', failures: [], expected: [] };
  const failures = [];
  const expected = [];
  for (const [name, answer] of Object.entries(answers)) {
    if (answer === 'ok') continue;
    const told = oneLine(answer);
    if (known[name] && says(told, known[name].error)) expected.push({ name, ...known[name] });
    else failures.push({ name, error: told });
  }
  for (const name of Object.keys(known)) {
    if (expected.some((one) => one.name === name)) continue;
    if (failures.some((one) => one.name === name || one.name === 'cell')) continue;
    failures.push({ name, error: 'does not fail any more: take it off the list of what is known' });
  }
  const status = failures.length > 0 ? 'fails' : expected.length > 0 ? 'in part' : 'ok';
  return { ...facts, answers, status, failures, expected };
}
