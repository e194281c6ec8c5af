// SPDX-License-Identifier: MIT
// Compares the answers of a cell with its known errors.

/** Returns entries of `known` for several answers that end in the same error. */
export const same = (names, error, reason) =>
  Object.fromEntries(names.map((name) => [name, { error, reason }]));

/** Returns whether `answer` contains `error`, in which "…" stands for any text. */
function matches(answer, error) {
  let from = 0;
  return oneLine(error)
    .split('…')
    .every((part) => {
      const at = answer.indexOf(part, from);
      from = at + part.length;
      return at >= 0;
    });
}

const oneLine = (text) => text.replace(/\s+/g, ' ').trim();

/**
 * Compares the answers of a cell with its `known` errors: { error, reason } by the name of an
 * answer. `error` is the message that a person reads, in which "…" stands for varying text. The
 * names are those of the programs, 'page' (errors and warnings of a page), 'build' (a warning of
 * the tool) and 'cell' (no answers). A known error that does not occur is a failure, too, so that
 * the list stays current.
 */
export function judge({ known = {} }, { answers, ...facts }) {
  if (facts.absent) return { ...facts, answers, status: 'not run', failures: [], expected: [] };
  const failures = [];
  const expected = [];
  for (const [name, answer] of Object.entries(answers)) {
    if (answer === 'ok') continue;
    const message = oneLine(answer);
    if (known[name] && matches(message, known[name].error)) expected.push({ name, ...known[name] });
    else failures.push({ name, error: message });
  }
  for (const name of Object.keys(known)) {
    if (expected.some((error) => error.name === name)) continue;
    if (failures.some((failure) => failure.name === name || failure.name === 'cell')) continue;
    failures.push({ name, error: 'does not fail any more: remove it from the known errors' });
  }
  const status = failures.length > 0 ? 'fails' : expected.length > 0 ? 'in part' : 'ok';
  return { ...facts, answers, status, failures, expected };
}
